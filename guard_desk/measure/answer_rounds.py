"""What became of the asking for an answer, in words: its rounds, its tokens. The same on the command line, in reports and in the window."""

from __future__ import annotations

from guard_desk.records.answer import Generated

ABOUT = "≈"
ESTIMATED = "≈ is an estimate: the model's server told no counts, so the app's own encoding counted."
_SHORT = 60


def outcome_words(generated: Generated) -> str:
    """One sentence about the answer of some rounds; "" for one that was not asked for in rounds, or did not come."""
    rounds = generated.rounds
    if not rounds or generated.text is None:
        return ""
    if generated.fallback:
        return fallback_words(generated)
    if rounds[-1].same:
        return f"Round {len(rounds)} gave the same answer as the one before."
    if len(rounds) == 1:
        return "One round: there was no other to agree with."
    return "No two rounds in a row agreed; the last answer is shown."


def fallback_words(generated: Generated) -> str:
    """Why the answer is the leading candidate; "" when it is the generator's."""
    if not generated.fallback:
        return ""
    last = generated.rounds[-1] if generated.rounds else None
    if last is not None and last.same:
        return f"The rounds agreed on “{_short(last.text)}”, which is not the leading candidate: the leading candidate stands here."
    return "The rounds never agreed: this is the leading candidate."


def doubt_words(generated: Generated) -> str:
    """What is to be said beside an answer that the rounds did not settle; "" for any other."""
    disagreed = len(generated.rounds) > 1 and not generated.rounds[-1].same
    return outcome_words(generated) if disagreed or generated.fallback else ""


def tokens_words(generated: Generated) -> str:
    """What all rounds took together: "1,204 tokens in, 31 out"; with a sign where it is estimated. "" where nothing was asked."""
    if not generated.prompt_tokens and not generated.answer_tokens:
        return ""
    estimated = generated.estimated
    return f"{count_words(generated.prompt_tokens, estimated)} tokens in, {count_words(generated.answer_tokens, estimated)} out"


def count_words(tokens: int, estimated: bool) -> str:
    """A count of tokens: "1,204", or "≈ 1,204"."""
    return f"{ABOUT} {tokens:,}" if estimated else f"{tokens:,}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"
