"""Whether the answer denies what a passage states, or states what a passage denies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from guard_desk.records.corpus import Span
from guard_desk.text.languages import is_cjk
from guard_desk.text.polarity import antonyms
from guard_desk.text.support.language import phrases, plain
from guard_desk.text.support.pool import Aligned, Place
from guard_desk.text.support.views import Unit, View

# A claim must share this many of its content stems with a sentence before their polarity can be compared.
_SAME = 0.75
# One word of three may differ: what a denial must be about is looked at besides.
_FEW, _SAME_OF_FEW = 3, 0.66
# A negation reaches this many content stems.
_REACH = 3
# A denial's clause and the claim must share this many of the words of the shorter one.
_SCOPE = 0.6
# Opposite words oppose sentences that share this many of the claim's and of their own words besides.
_SAME_BUT_ONE = 0.6
_SAME_BACK = 0.6
_REPLY_ENDS = (",", ".", "，", "。", ":", ";", "!", "、")


@dataclass(frozen=True, slots=True)
class Opposed:
    """A sentence of the pool that says the opposite of a clause.

    :param strength: share of the clause's words that both have, 0..1.
    :param denied: whether a denying word makes the difference, and not opposite words alone; or all other words are the same.
    :param agreeing: a sentence of another passage that says the same as the clause, as closely.
    """

    place: Place
    strength: float
    note: str
    denied: bool = True
    agreeing: Place | None = None


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation and the stems it denies.

    :param denied: the content stems that it reaches.
    :param first: the ones that stand closest.
    :param scope: content stems of its clause.
    :param conditional: whether its clause is a condition ("if it is not running"), which denies nothing by itself.
    """

    span: Span
    denied: frozenset[str]
    first: frozenset[str]
    scope: frozenset[str]
    conditional: bool

    def concerns(self, stems: frozenset[str]) -> bool:
        """Whether the denial is about these words: about the closest one, and in a clause that says much the same."""
        return bool(self.first & stems) and len(self.scope & stems) >= _SCOPE * min(len(self.scope), len(stems))


@lru_cache(maxsize=8192)
def denials(view: View, unit: Unit, within: Span | None = None) -> tuple[Denial, ...]:
    """The negations of a sentence (or of a part of it), each with the stems it denies."""
    span = within or unit.span
    cues = [cue for cue in unit.negations if span.start <= cue.start < span.end and not _is_reply(view, span, cue)]
    return tuple(_reached(unit, cue, span, view.language) for cue in cues)


def _is_reply(view: View, span: Span, cue: Span) -> bool:
    """Whether a denying word is the answer "No," itself."""
    return cue.start <= span.start + 2 and view.text[cue.end : cue.end + 1] in _REPLY_ENDS and cue.end < span.end


def _reached(unit: Unit, cue: Span, span: Span, language: str) -> Denial:
    """The stems after a negation; those before it where nothing follows ("komme ich nicht"). A prefixed word denies itself.

    An amount between the negation and its noun is passed over ("no 30-day trial" denies the trial).
    """
    own = [stem for stem, place in unit.order if cue.start <= place < cue.end and not (is_cjk(stem[0]) and place + len(stem) > cue.end)]
    following = [stem for stem, place in unit.order if cue.end <= place < span.end]
    after = ([stem for stem in following if stem in unit.bare - unit.modal] or following)[:_REACH]
    before = [stem for stem, place in unit.order if span.start <= place < cue.start][-_REACH:]
    bases = [base for stem in own for base in _without_prefix(stem, language)]
    around = after or before[::-1]
    clause = unit.clause_of(cue)
    return Denial(
        span=cue,
        denied=frozenset(own + bases + around),
        first=frozenset([*own, *bases] if bases else [*own, *around[:1]]),
        scope=clause.stems | frozenset(bases),
        conditional=any(clause.span.start <= condition.start < clause.span.end for condition in unit.conditions),
    )


@lru_cache(maxsize=16384)
def _without_prefix(stem: str, language: str) -> tuple[str, ...]:
    """A stem without the beginning that denies it ("unpaid" -> "paid"), for each such beginning."""
    prefixes = phrases("verify.denying_prefixes", language)
    return tuple(stem[len(prefix) :] for prefix in prefixes if stem.startswith(prefix) and len(stem) - len(prefix) >= 3)


def opposed(view: View, unit: Unit, clause: Span, aligned: Sequence[Aligned]) -> Opposed | None:
    """The sentence that says the opposite of a clause, unless another sentence as close says the same."""
    mine = [(stem, place) for stem, place in unit.order if clause.start <= place < clause.end and stem in unit.bare - unit.modal]
    stems = frozenset(stem for stem, _ in mine)
    if not stems:
        return None
    modal = frozenset(stem for stem, place in unit.order if clause.start <= place < clause.end and stem in unit.modal)
    own = [denial for denial in denials(view, unit, clause) if not _echoed(denial, aligned, stems)]
    wrapped = _wrapped(view.text, clause, view.language)
    best: Opposed | None = None
    agreeing: tuple[float, Place] | None = None
    for item in aligned:
        strength = overlap(stems - _wrapper_stems(wrapped, mine), item.place)
        if strength < _least(stems):
            continue
        found = _difference(own, wrapped, stems, modal, item.place, strength)
        if found is None:
            agreeing = agreeing if agreeing is not None and agreeing[0] >= strength else (strength, item.place)
        elif best is None or found.strength > best.strength:
            best = found
    if best is None or agreeing is None or agreeing[0] < best.strength:
        return best
    # Passages that disagree are a conflict, where one of them denies; opposite words alone are too weak a sign for that.
    if agreeing[1].passage == best.place.passage or not best.denied:
        return None
    return replace(best, agreeing=agreeing[1])


def opposes(view: View, unit: Unit, clause: Span, place: Place) -> bool:
    """Whether a sentence of the pool says the opposite of a clause, however few words they share."""
    mine = [(stem, at) for stem, at in unit.order if clause.start <= at < clause.end and stem in unit.bare - unit.modal]
    wrapped = _wrapped(view.text, clause, view.language)
    return _difference(denials(view, unit, clause), wrapped, frozenset(stem for stem, _ in mine), frozenset(), place, 0.0) is not None


def _echoed(denial: Denial, aligned: Sequence[Aligned], stems: frozenset[str]) -> bool:
    """Whether a passage denies the same words in a sentence that says little else of the claim: the denial is settled there."""
    for item in aligned:
        theirs = denials(item.place.view, item.place.unit)
        if any(other.first & denial.first and other.concerns(denial.denied) for other in theirs) and overlap(stems, item.place) < _least(
            stems
        ):
            return True
    return False


def _least(stems: frozenset[str]) -> float:
    """The share of a claim's words that a sentence must have for their polarity to be compared."""
    return _SAME_OF_FEW if len(stems) == _FEW else _SAME


def _wrapped(text: str, clause: Span, language: str) -> Span | None:
    """The phrase at the head of a clause that denies all the rest ("it is not true that")."""
    folded = plain(clause.of(text)).casefold()
    lead = len(folded) - len(folded.lstrip(" *_>-\n\r\t"))
    for phrase in phrases("verify.denials", language):
        if folded.startswith(phrase, lead):
            return Span(clause.start + lead, clause.start + lead + len(phrase))
    return None


def _wrapper_stems(wrapped: Span | None, mine: Sequence[tuple[str, int]]) -> frozenset[str]:
    if wrapped is None:
        return frozenset()
    return frozenset(stem for stem, place in mine if wrapped.start <= place < wrapped.end)


def overlap(stems: frozenset[str], place: Place) -> float:
    """Share of a claim's stems that a sentence has.

    Opposites count as had, and so do stems that a joined negation changed ("不能", "unpaid").
    """
    shared = stems & place.unit.stems
    opposite = opposites(stems - shared, place.unit.stems - shared, place.view.language)
    denied = _denied(place.view, place.unit)
    bases = {base for stem in stems - shared for base in _without_prefix(stem, place.view.language)} & place.unit.stems
    return min(
        1.0,
        (len(shared | opposite | (stems & denied)) + len(bases) + _bridged(stems - shared - opposite - denied, denied))
        / max(1, len(stems)),
    )


@lru_cache(maxsize=8192)
def _denied(view: View, unit: Unit) -> frozenset[str]:
    """All stems that a sentence denies."""
    return frozenset(stem for denial in denials(view, unit) for stem in denial.denied)


def _bridged(missing: frozenset[str], denied: frozenset[str]) -> int:
    if not denied:
        return 0
    return sum(
        1 for stem in missing if len(stem) == 2 and is_cjk(stem[0]) and any(stem[1] in other or stem[0] in other for other in denied)
    )


def opposites(mine: frozenset[str], theirs: frozenset[str], language: str) -> frozenset[str]:
    """Those of my stems whose opposite is among theirs."""
    table: Mapping[str, frozenset[str]] = antonyms(language)
    return frozenset(stem for stem in mine & table.keys() if not table[stem].isdisjoint(theirs))


def _difference(
    own: Sequence[Denial], wrapped: Span | None, stems: frozenset[str], modal: frozenset[str], place: Place, strength: float
) -> Opposed | None:
    """How a sentence opposes a clause; None when it does not.

    :param modal: the clause's words of duty and leave, which may be opposites of the sentence's ("optional", "mandatory").
    """
    theirs = [denial for denial in denials(place.view, place.unit) if denial.concerns(stems)]
    mine = [denial for denial in own if (wrapped is None or not denial.span.overlaps(wrapped))]
    answering = [denial for denial in mine if denial.concerns(_reachable(place))]
    open_here, open_there = _unpaired(answering, denials(place.view, place.unit)), _unpaired(theirs, mine)
    saying = {stem for denial in (*mine, *theirs) for stem in denial.denied if denial.span.end - denial.span.start > 2}
    turned = _turned(stems, place, saying)
    turned = turned or (frozenset() if theirs or own or wrapped else modal & opposites(modal, place.unit.modal, place.view.language))
    odd = (bool(open_here) != bool(open_there)) ^ (wrapped is not None) ^ bool(turned)
    if not odd or any(denial.conditional for denial in (*open_here, *open_there)):
        return None
    note = "the passage denies this" if open_there else "the passage states it without the denial"
    if turned and not open_there and not open_here:
        note = "the passage states the opposite"
    same = (
        bool(turned)
        and len(stems) > 1
        and stems - turned == place.unit.bare - place.unit.modal - opposites(place.unit.bare, stems, place.view.language)
    )
    return Opposed(place, strength, note, denied=bool(open_there or open_here or wrapped or same))


def _unpaired(these: Sequence[Denial], others: Sequence[Denial]) -> list[Denial]:
    """Denials without a partner that denies the same: by the closest words first, then by any word that both reach."""
    left = list(others)
    unpaired = []
    for denial in these:
        partner = next((other for other in left if other.first & denial.first), None) or next(
            (other for other in left if other.denied & denial.denied), None
        )
        if partner is None:
            unpaired.append(denial)
        else:
            left.remove(partner)
    return unpaired


def _turned(stems: frozenset[str], place: Place, saying: set[str]) -> frozenset[str]:
    """The one word of a claim whose opposite stands in the sentence, where nearly all else is the same on both sides."""
    theirs = place.unit.bare
    turned = opposites(stems - theirs, theirs - stems - saying, place.view.language) - saying
    same = len(stems & theirs)
    alike = same >= _SAME_BUT_ONE * len(stems) and same + len(turned) >= _SAME_BACK * len(theirs)
    # In the shortest sentences every other word must be the same.
    alike = alike or (same > 0 and same == len(stems) - 1 == len(theirs) - 1)
    return turned if len(turned) == 1 and alike else frozenset()


def _reachable(place: Place) -> frozenset[str]:
    """The stems of a sentence and those that its denials stand for ("paid" of "unpaid")."""
    return place.unit.stems.union(*(denial.denied for denial in denials(place.view, place.unit)))
