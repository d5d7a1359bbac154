"""The suites `wikicontradict` and `conflictqa`: how often a contradiction between two passages is shown.

Both sets are for reporting: nothing is fitted or chosen on them. Each pair of passages goes through the calls of `api.thin` with its
question; what is measured is `Thinned.conflict`. Beside it stand rules that need no reading (always, never, denials or values that differ)
and, as a score, how unlike the two passages are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from guard_desk.errors import InputError
from guard_desk.measure.conflict_pair_sets import CONFLICTQA_FILE, WIKI_FILE, Pair, conflictqa_pairs, wikicontradict_pairs
from guard_desk.measure.conflict_path import quiet, thin_pool
from guard_desk.measure.metrics import auroc_figure
from guard_desk.measure.ramdocs_seen import stated_by
from guard_desk.measure.shares import clustered
from guard_desk.measure.tables import Chart, ChartKind, Row, Series, Table
from guard_desk.models.registry import load_encoder
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Passage
from guard_desk.records.decision import Thinned
from guard_desk.records.evidence import CueKind
from guard_desk.records.state import Models
from guard_desk.text.polarity import find_cues
from guard_desk.text.values import Relation, compare, find_values

_EXAMPLES = 6
_SHOWN = 160


def wikicontradict(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """Measure `data`/wikicontradict/dev.jsonl.

    :param n: at most so many questions, the first ones; None = all.
    """
    return _measure("wikicontradict", wikicontradict_pairs(_folder(data, WIKI_FILE)), models, n, ctx)


def conflictqa(models: Models, data: Path | None, n: int | None, ctx: RunContext) -> Table:
    """Measure `data`/conflictqa/dev.jsonl.

    :param n: at most so many questions, the first ones; None = all.
    """
    return _measure("conflictqa", conflictqa_pairs(_folder(data, CONFLICTQA_FILE)), models, n, ctx)


def _folder(data: Path | None, file: str) -> Path:
    if data is None or not (data / file).is_file():
        raise InputError("the set is not there.", path=None if data is None else data / file, remedy=f"Give a folder with {file}.")
    return data


class Miss(StrEnum):
    """What became of a contradiction that was not shown."""

    NOT_UNDERSTOOD = "neither passage gave a candidate"
    ONE_READ = "only one passage gave a candidate"
    SAME = "both passages were read as saying the same"
    NO_CLASH = "different values were read and taken for compatible"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A pair and what thinning says of it."""

    pair: Pair
    thinned: Thinned

    @property
    def both_read(self) -> bool:
        """Whether each passage says something to the question."""
        return {line.passage_id for candidate in self.thinned.candidates for line in candidate.lines} == {"left", "right"}

    @property
    def miss(self) -> Miss:
        """Why no conflict is shown."""
        if not self.thinned.candidates:
            return Miss.NOT_UNDERSTOOD
        if not self.both_read:
            return Miss.ONE_READ
        joined = any(stated_by(candidate) == {"left", "right"} for candidate in self.thinned.candidates)
        return Miss.SAME if joined else Miss.NO_CLASH


def _measure(suite: str, pairs: Iterable[Pair], models: Models, n: int | None, ctx: RunContext) -> Table:
    chosen = _first(list(pairs), n)
    told = [Told(pair=pair, thinned=thin_pool(pair.question, pair.passages, models, ctx)) for pair in ctx.track(chosen, suite, len(chosen))]
    rows = [*_rows(told), *_rule_rows(chosen), *_likeness_rows(chosen, models, ctx)]
    return Table(suite=suite, rows=tuple(rows), details=tuple(_details(told)), charts=(_chart(told),))


def _first(pairs: Sequence[Pair], n: int | None) -> list[Pair]:
    clusters = list(dict.fromkeys(pair.cluster for pair in pairs))[:n]
    return [pair for pair in pairs if pair.cluster in set(clusters)]


def _kinds(pairs: Sequence[Pair], *, conflict: bool) -> list[str]:
    return list(dict.fromkeys(pair.kind for pair in pairs if pair.conflict == conflict))


def _rows(told: Sequence[Told]) -> list[Row]:
    """Recall, false alarms, both by kind, and how often there was anything to compare."""
    pairs = [item.pair for item in told]
    between = [item for item in told if item.pair.conflict and "one passage" not in item.pair.kind]
    agreeing = [item for item in told if not item.pair.conflict]
    rows = [
        Row(
            name="contradictions shown", figure=clustered((i.pair.cluster, i.thinned.conflict) for i in between), note="always: 1, never: 0"
        ),
        Row(name="false alarms", figure=clustered((i.pair.cluster, i.thinned.conflict) for i in agreeing), note="always: 1, never: 0"),
    ]
    for conflict, name in ((True, "shown"), (False, "false alarms")):
        for kind in _kinds(pairs, conflict=conflict):
            own = [item for item in told if item.pair.kind == kind]
            rows.append(Row(name=f"{name}: {kind}", figure=clustered((i.pair.cluster, i.thinned.conflict) for i in own)))
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        own = [item for item in told if item.pair.kind == kind]
        rows.append(Row(name=f"both passages read: {kind}", figure=clustered((i.pair.cluster, i.both_read) for i in own)))
    return rows


def _rule_rows(pairs: Sequence[Pair]) -> list[Row]:
    """Rules that look at the words alone."""
    rules: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
        ("one denies, the other does not", denials_differ),
        ("a number or date differs", values_differ),
    )
    rows = []
    for name, rule in rules:
        for kind in dict.fromkeys(pair.kind for pair in pairs):
            own = [pair for pair in pairs if pair.kind == kind]
            note = "shown" if own[0].conflict else "false alarms"
            rows.append(Row(name=f"rule, {name}: {kind}", figure=clustered((p.cluster, rule(p.left, p.right)) for p in own), note=note))
    return rows


def denials_differ(left: str, right: str) -> bool:
    """Whether one passage holds a denial and the other none."""
    return _denies(left) != _denies(right)


def _denies(text: str) -> bool:
    return any(cue.kind is CueKind.NEGATION for cue in find_cues(text))


def values_differ(left: str, right: str) -> bool:
    """Whether a typed value of one passage has only different ones of its kind in the other."""
    values, others = find_values(left), find_values(right)
    for value in values:
        relations = [compare(value, other) for other in others]
        if Relation.DIFFERENT in relations and not {Relation.EQUAL, Relation.PARTIAL, Relation.BOUND} & set(relations):
            return True
    return False


def _likeness_rows(pairs: Sequence[Pair], models: Models, ctx: RunContext) -> list[Row]:
    """AUROC of being unlike, by the encoder's cosine, against each kind of agreeing pair."""
    encoder = load_encoder(models.encoder, models.device)
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.left, pair.right)))
    passages = [Passage(id=str(number), text=text) for number, text in enumerate(texts)]
    vectors = dict(zip(texts, encoder.encode_passages(passages, quiet(ctx)), strict=True))
    unlike = {pair: -float(vectors[pair.left] @ vectors[pair.right]) for pair in pairs}
    positive = [pair for pair in pairs if pair.conflict and "one passage" not in pair.kind]
    rows = []
    for kind in _kinds(pairs, conflict=False):
        chosen = [*positive, *(pair for pair in pairs if pair.kind == kind)]
        figure = auroc_figure([unlike[pair] for pair in chosen], [pair.conflict for pair in chosen])
        rows.append(Row(name=f"unlike by cosine, AUROC: against {kind}", figure=figure, note="0.5 is chance"))
    return rows


def _details(told: Sequence[Told]) -> list[tuple[str, str]]:
    """Contradictions that were not shown, by cause, and alarms."""
    details = []
    missed = [item for item in told if item.pair.conflict and not item.thinned.conflict]
    for cause in Miss:
        own = [item for item in missed if item.miss is cause]
        if own:
            details.append((f"not shown: {cause.value}", _examples(own)))
    for kind in _kinds([item.pair for item in told], conflict=False):
        own = [item for item in told if item.pair.kind == kind and item.thinned.conflict]
        if own:
            details.append((f"false alarms: {kind}", _examples(own)))
    return details


def _examples(found: Sequence[Told]) -> str:
    return f"{len(found)}, e.g. " + " | ".join(
        f"{item.pair.question} [{item.pair.kind}] {item.pair.left[:_SHOWN]} / {item.pair.right[:_SHOWN]} read: "
        + ("; ".join(candidate.value for candidate in item.thinned.candidates[:4]) or "nothing")
        for item in found[:_EXAMPLES]
    )


def _chart(told: Sequence[Told]) -> Chart:
    kinds = dict.fromkeys(item.pair.kind for item in told)
    figures = [(kind, clustered((i.pair.cluster, i.thinned.conflict) for i in told if i.pair.kind == kind)) for kind in kinds]
    return Chart(
        title="Shown as conflict, by kind of pair",
        kind=ChartKind.BARS,
        series=(Series.of("shown as conflict", figures),),
        note="high is right for contradictions, low for pairs that agree",
    )
