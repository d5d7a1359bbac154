"""What the check of an answer says, in words: its verdict, how much was checked, and what each finding rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from guard_desk.measure.checkers import reader_words
from guard_desk.records.answer import Action, AnswerState, Claim, ClaimState, EvidenceSpan, Finding, Kind, Label, Severity, Verified
from guard_desk.records.corpus import Span
from guard_desk.records.trace import Trace
from guard_desk.text.analyze import analyze_text
from guard_desk.text.languages import detect
from guard_desk.text.support.views import view
from guard_desk.text.support.yesno import asks_yes_no, reply_of

_TELLS_LANGUAGE = 400


class Verdict(StrEnum):
    """What is to be done with an answer, as its badge says."""

    REVIEW = "review"
    PROCEED = "proceed"
    REFUSAL = "refusal"
    NO_ANSWER = "no answer"
    FAILED = "failed"
    INPUT_ERROR = "not checkable"
    EDITED = "edited"
    NOT_RUN = "not checked yet"
    WRITING = "being written"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The head line of an answer.

    :param counts: findings by severity in words; "" where there are none to count.
    :param sentences: how many were checked, in words; "" where there are none.
    :param note: one sentence that explains the verdict; "" for a plain review or proceed.
    :param warns: whether the note is about something wrong, not just a state.
    """

    verdict: Verdict
    counts: str = ""
    sentences: str = ""
    note: str = ""
    warns: bool = False


_NOTES = {
    AnswerState.REFUSAL: (
        Verdict.REFUSAL,
        "The answer says that the passages do not tell. It states nothing that could be checked.",
    ),
    AnswerState.EMPTY: (Verdict.NO_ANSWER, "The answer is empty. Write or paste one to check it against the passages."),
}
STALE = "Written from another prompt: the passages in the prompt have changed since. Run again to write it anew."


def checked(trace: Trace, *, edited: bool = False) -> Checked:
    """What the check of a run's answer says.

    :param edited: the answer on the screen was changed since.
    """
    if edited:
        return Checked(verdict=Verdict.EDITED, note="Checking what changed…")
    if trace.generated.failure:
        return Checked(verdict=Verdict.FAILED, note=trace.generated.failure, warns=True)
    if trace.generated.text is None:
        return Checked(verdict=Verdict.NO_ANSWER, note="No generator was chosen and no answer was given. Write or paste one to check it.")
    state = trace.verified.state
    if state in _NOTES:
        verdict, note = _NOTES[state]
        return Checked(verdict=verdict, note=note)
    if state is AnswerState.INPUT_ERROR:
        note = next((finding.note for finding in trace.attributed.spans if finding.note), "the answer cannot be checked")
        return Checked(verdict=Verdict.INPUT_ERROR, note=f"{note[:1].upper()}{note[1:]}.", warns=True)
    return _counted(trace)


def _counted(trace: Trace) -> Checked:
    counts = trace.attributed.counts
    by_severity = ((counts.high, "high"), (counts.medium, "medium"), (counts.low, "low"))
    words = " · ".join(f"{count} {name}" for count, name in by_severity if count) or "nothing found"
    verdict = Verdict.REVIEW if trace.attributed.action is Action.REVIEW else Verdict.PROCEED
    notes = [] if trace.generated.finished else ["The answer was cut at the limit of tokens."]
    said = reply_words(trace)
    unread = unread_words(trace.verified)
    notes += [words for words in (said, unread) if words]
    warns = not trace.generated.finished or reply_finding(trace) is not None or bool(unread)
    return Checked(verdict=verdict, counts=words, sentences=sentences_checked(trace.verified.claims), note=" ".join(notes), warns=warns)


def unread_words(verified: Verified) -> str:
    """ "3 of 5 sentences were not read by NAME: cause and remedy"; "" when the language model read all that it was to read."""
    unread = [claim.unread for claim in verified.claims if claim.unread]
    verb = "sentence was" if len(verified.claims) == 1 else "sentences were"
    return f"{len(unread)} of {len(verified.claims)} {verb} not read by {unread[0]}" if unread else ""


def reply_finding(trace: Trace) -> Finding | None:
    """The finding that a yes or no is wrong; None without one."""
    said = _reply_of(trace.query.text, trace.generated.text or "")
    if said is None:
        return None
    wrong = (item for item in trace.attributed.spans if item.kind is Kind.NEGATION and item.label is Label.CONTRADICTED)
    return next((item for item in wrong if (item.start, item.end) == (said.start, said.end)), None)


def reply_words(trace: Trace) -> str:
    """One sentence about an answer that begins with yes or no; "" for any other."""
    answer = trace.generated.text or ""
    said = _reply_of(trace.query.text, answer)
    if said is None:
        return ""
    head = f"A yes-or-no question: the answer says “{said.of(answer)}”"
    if reply_finding(trace) is not None:
        return f"{head}, the passages say the opposite."
    return f"{head}. It was held against the question; no passage was found that says the opposite."


@lru_cache(maxsize=64)
def _reply_of(question: str, answer: str) -> Span | None:
    """Where an answer says yes or no to a question that asks for it."""
    codes = tuple(dict.fromkeys((*detect(question), *detect(answer[:_TELLS_LANGUAGE]))))
    said = reply_of(answer, codes)
    if said is None or not asks_yes_no(view(question, analyze_text(question, codes))):
        return None
    return said[1]


def sentences_checked(claims: Sequence[Claim]) -> str:
    """ "12 of 12 sentences checked"; "" without any."""
    done = sum(1 for claim in claims if claim.state is not ClaimState.NOT_CHECKED)
    return f"{done} of {len(claims)} sentence{'' if len(claims) == 1 else 's'} checked" if claims else ""


LABEL_WORDS = {
    Label.UNSUPPORTED: "unsupported",
    Label.CONTRADICTED: "contradicted",
    Label.CONFLICT: "passages disagree",
    Label.MISATTRIBUTED: "wrong passage cited",
    Label.VAGUE: "vague",
    Label.OUTSIDE_PROMPT: "only outside the prompt",
}
STATE_WORDS = {
    ClaimState.SUPPORTED: "supported",
    ClaimState.CONTRADICTED: "contradicted",
    ClaimState.UNSUPPORTED: "unsupported",
    ClaimState.NOT_CHECKED: "not checked",
}
SEVERITY_ORDER = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
SEVERITY_WORDS = {
    Severity.HIGH: "high: the answer needs a review",
    Severity.MEDIUM: "medium: worth a look",
    Severity.LOW: "low: good to know",
}


def sure_words(confidence: float) -> str:
    """A confidence in words: "about 80 %". Never a certainty, and no closer than anybody has measured."""
    percent = 5 * round(20 * confidence)
    return "over 95 %" if percent >= 100 else "under 5 %" if percent <= 0 else f"about {percent} %"


def percent_words(confidence: float) -> str:
    """The same for a narrow column: "~80 %"."""
    return sure_words(confidence).replace("about ", "~").replace("over ", ">").replace("under ", "<")


def finding_words(finding: Finding) -> str:
    """A finding for its hover card, in plain text."""
    kind, sure = finding.kind.replace("_", " "), sure_words(finding.confidence)
    head = f"{finding.severity} · {kind} · {LABEL_WORDS[finding.label]} · confidence {sure}"
    doubt = [f"Only {reader_words(finding.by)} doubts this: no rule shows it."] if finding.by else []
    return "\n".join([head, *([finding.note] if finding.note else []), *doubt, *evidence_words(finding.evidence)])


def claim_words(claim: Claim) -> str:
    """A claim for its hover card, in plain text."""
    by = f" · by {reader_words(claim.by)}" if claim.by else ""
    sure = "" if claim.state is ClaimState.NOT_CHECKED else f" · confidence {sure_words(claim.confidence)}"
    head = f"{STATE_WORDS[claim.state]}{by}{sure}"
    unread = [f"Not read by {claim.unread}"] if claim.unread else []
    return "\n".join([head, claim.text, *unread, *evidence_words(claim.evidence)])


def evidence_words(evidence: Sequence[EvidenceSpan], most: int = 4) -> list[str]:
    """One line for each place that a finding rests on."""
    lines = [f"{item.passage_id}{' (title)' if item.in_title else ''}: “{item.text}”" for item in evidence[:most]]
    return lines + ([f"and {len(evidence) - most} more"] if len(evidence) > most else [])


def evidence_ids(evidence: Sequence[EvidenceSpan]) -> tuple[str, ...]:
    """The passages behind a finding or claim, each once, in order."""
    return tuple(dict.fromkeys(item.passage_id for item in evidence))


def carried_by(trace: Trace, passage_id: str) -> tuple[tuple[int, int], ...]:
    """What of the answer a passage carries: values that it states and claims that it supports, as (start, end)."""
    claims = [(c.start, c.end) for c in trace.verified.claims if c.state is ClaimState.SUPPORTED and passage_id in evidence_ids(c.evidence)]
    values = [(item.start, item.end) for item in trace.verified.supports if passage_id in evidence_ids(item.evidence)]
    return tuple(sorted({*claims, *values}))


def let_through(findings: Sequence[Finding], *, severity: str | None = None, kind: str | None = None) -> tuple[bool, ...]:
    """For each finding, whether a filter lets it through; None = all."""
    return tuple((severity is None or f.severity == severity) and (kind is None or f.kind == kind) for f in findings)
