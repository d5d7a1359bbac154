"""Edits of one sentence: what changes its meaning, and what only changes its form.

Each rule gives the changed sentence and the span that changed, or None when it does not fit. A rule is symmetric in kind: the changed
sentence could as well be the original, so that neither side alone tells which is which.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed sentence. `text[start:end]` is what was put in."""

    text: str
    start: int
    end: int


Rule = Callable[[str, random.Random], Edit | None]
_NUMBER = re.compile(r"(?<![\w.,:/-])(\d{1,3}(?:,\d{3})+|\d{1,4})(?![\w:/-]|[.,]\d)")
_YEAR = re.compile(r"(?<![\w.,:/-])((?:19|20)\d\d)(?![\w:/-]|[.,]\d)")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_CALENDAR = re.compile(rf"\b({'|'.join(_MONTHS[:4] + _MONTHS[5:])}|{'|'.join(_DAYS)})\b")
_COUNT_WORD = re.compile(rf"\b({'|'.join(_WORDS[2:])})\b")
_TIME_UNITS = ("seconds", "minutes", "hours", "days", "weeks", "months", "years")
_UNITS = (
    _TIME_UNITS,
    ("second", "minute", "hour", "day", "week", "month", "year"),
    ("bytes", "kilobytes", "megabytes", "gigabytes"),
    ("KB", "MB", "GB", "TB"),
    ("ms", "s"),
    ("grams", "kilograms", "pounds", "ounces"),
    ("meters", "kilometers", "miles", "feet", "inches"),
    ("tablespoons", "teaspoons", "cups"),
)
_UNIT = re.compile(rf"(?<=\d )({'|'.join(unit for group in _UNITS for unit in group)})\b")
_VERB = re.compile(r"(?<=\s)(is|are|was|were|can|will|should|must|has been|have been|does|do)(?= [a-z])")
_NEGATION = re.compile(r"(?<=\s)(is|are|was|were|can|will|should|must|does|do) not(?= [a-z])")
_NAME = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+(?: [A-Z][a-z]+){0,2})(?=[ ,.;])")
_FROM_TO = re.compile(r"\bfrom ((?:the )?[\w.-]+(?: [\w.-]+)?) to ((?:the )?[\w.-]+)(?=[ ,.;])")
# Pairs whose members cannot both be right of the same thing; used in both directions.
OPPOSITES = (
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"), ("higher", "lower"), ("more", "fewer"),
    ("larger", "smaller"), ("maximum", "minimum"), ("above", "below"), ("enable", "disable"), ("enabled", "disabled"),
    ("enables", "disables"), ("allow", "forbid"), ("allowed", "forbidden"), ("allows", "prevents"), ("required", "optional"),
    ("include", "exclude"), ("includes", "excludes"), ("included", "excluded"), ("accept", "reject"), ("accepted", "rejected"),
    ("public", "private"), ("internal", "external"), ("open", "closed"), ("first", "last"), ("always", "never"), ("early", "late"),
    ("before", "after"), ("start", "end"), ("starts", "ends"), ("add", "remove"), ("added", "removed"), ("success", "failure"),
    ("valid", "invalid"), ("possible", "impossible"), ("safe", "unsafe"), ("manually", "automatically"), ("inside", "outside"),
    ("upper", "lower"), ("shorter", "longer"), ("faster", "slower"), ("newer", "older"), ("cheap", "expensive"), ("left", "right"),
    ("hot", "cold"), ("common", "rare"), ("supported", "unsupported"), ("stable", "unstable"), ("mandatory", "voluntary"),
    ("permanent", "temporary"), ("synchronous", "asynchronous"), ("read", "write"), ("encrypted", "unencrypted"), ("with", "without"),
    ("largest", "smallest"), ("oldest", "youngest"), ("highest", "lowest"), ("best", "worst"), ("north", "south"), ("east", "west"),
    ("northern", "southern"), ("eastern", "western"), ("won", "lost"), ("male", "female"), ("father", "mother"), ("son", "daughter"),
    ("brother", "sister"), ("husband", "wife"), ("king", "queen"), ("born", "buried"), ("begins", "ends"), ("began", "ended"),
    ("rich", "poor"), ("major", "minor"), ("earlier", "later"), ("earliest", "latest"), ("most", "least"), ("bought", "sold"),
    ("free", "paid"), ("local", "remote"), ("new", "old"), ("positive", "negative"), ("strong", "weak"), ("top", "bottom"),
)  # fmt: skip
# Words of one kind: another one of the same row is another thing.
CLASSES = (
    ("American", "British", "French", "German", "Italian", "Canadian", "Australian", "Indian", "Japanese", "Spanish", "Russian", "Chinese"),
    ("actor", "singer", "writer", "director", "painter", "politician", "lawyer", "journalist", "poet", "composer", "engineer", "athlete"),
    ("film", "novel", "song", "album", "opera", "magazine", "video game"), ("drama", "comedy", "thriller", "western", "horror"),
    ("city", "village", "river", "mountain", "island", "lake"), ("guitar", "piano", "violin", "drums", "trumpet"),
    ("football", "basketball", "tennis", "cricket", "hockey", "baseball"), ("church", "school", "hospital", "museum", "theatre", "bank"),
    ("red", "green", "blue", "yellow", "white", "black"), ("gold", "silver", "bronze", "copper", "iron"),
    ("president", "minister", "mayor", "judge", "bishop"), ("mathematics", "physics", "medicine", "law", "history", "chemistry"),
    ("England", "Scotland", "Ireland", "France", "Germany", "Italy", "Spain", "Canada", "Japan", "China", "India", "Russia", "Poland"),
    ("London", "Paris", "Berlin", "Rome", "Madrid", "Chicago", "Boston", "Tokyo", "Vienna", "Sydney"),
    ("email", "phone", "letter", "fax"), ("heart", "liver", "kidney", "brain", "skin", "lung"), ("file", "folder", "database", "table"),
)  # fmt: skip
MODALS = (("must", "need not"), ("can", "cannot"), ("should", "should not"), ("must", "must not"), ("may", "may not"), ("may", "cannot"))
CONDITIONS = (("only if", "even if"), ("if", "unless"), ("when", "except when"), ("after", "only before"), ("until", "only after"))
QUANTIFIERS = (
    ("all", "none of the"), ("every", "no"), ("any", "no"), ("at least", "fewer than"), ("at most", "more than"),
    ("most of the", "few of the"),
    ("many", "few"), ("only", "not only"), ("up to", "more than"), ("each", "no"), ("usually", "rarely"),
    ("often", "seldom"), ("exactly", "almost"),
)  # fmt: skip
SAME = (
    ("at most", "no more than"), ("at least", "no fewer than"), ("up to", "at most"), ("cannot", "can't"),
    ("large", "big"), ("start", "begin"), ("starts", "begins"), ("ends", "finishes"), ("buy", "purchase"), ("help", "assist"),
    ("need to", "have to"), ("get", "obtain"), ("nearly", "almost"),
    ("for example", "for instance"), ("approximately", "roughly"), ("begin with", "start with"), ("whole", "entire"),
    ("quickly", "rapidly"), ("remove", "delete"), ("choose", "select"), ("often", "frequently"), ("usually", "normally"),
    ("must not", "may not"),
    ("is not", "isn't"), ("are not", "aren't"), ("do not", "don't"), ("does not", "doesn't"), ("can not", "cannot"), ("every", "each"),
)  # fmt: skip


def replace_at(text: str, start: int, end: int, new: str) -> Edit:
    """`text` with `text[start:end]` exchanged; a capital at the place is kept."""
    if text[start].isupper() and new[:1].islower() and start == 0:
        new = new[0].upper() + new[1:]
    return Edit(text[:start] + new + text[end:], start, start + len(new))


def _one(pattern: re.Pattern[str], text: str, rng: random.Random) -> re.Match[str] | None:
    matches = list(pattern.finditer(text))
    return rng.choice(matches) if matches else None


def number(text: str, rng: random.Random) -> Edit | None:
    """Another amount, written alike."""
    match = _one(_NUMBER, text, rng)
    if match is None or _YEAR.fullmatch(match[1]):
        word = _one(_COUNT_WORD, text, rng)
        if word is None:
            return None
        return replace_at(text, *word.span(), rng.choice([other for other in _WORDS[2:] if other != word[1].lower()]))
    value = int(match[1].replace(",", ""))
    other = rng.choice([value * 2, value + 1, value + rng.randint(2, 9), max(0, value - 1), value * 10, value // 2, value * 3])
    if other == value:
        other += 1
    return replace_at(text, *match.span(1), f"{other:,}" if "," in match[1] else str(other))


def date(text: str, rng: random.Random) -> Edit | None:
    """Another year, month or day of the week."""
    match = _one(_YEAR, text, rng)
    if match is not None:
        return replace_at(text, *match.span(1), str(int(match[1]) + rng.choice([-7, -3, -2, -1, 1, 2, 4, 10])))
    match = _one(_CALENDAR, text, rng)
    if match is None:
        return None
    names = _MONTHS if match[1] in _MONTHS else _DAYS
    return replace_at(text, *match.span(1), rng.choice([name for name in names if name != match[1]]))


def unit(text: str, rng: random.Random) -> Edit | None:
    """The same number in another unit."""
    match = _one(_UNIT, text, rng)
    if match is None:
        return None
    group = next(group for group in _UNITS if match[1] in group)
    return replace_at(text, *match.span(1), rng.choice([other for other in group if other != match[1]]))


def negation(text: str, rng: random.Random) -> Edit | None:
    """A "not" put in or taken out."""
    match = _one(_NEGATION, text, rng)
    if match is not None:
        return replace_at(text, *match.span(), match[1])
    match = _one(_VERB, text, rng)
    if match is None:
        return None
    return replace_at(text, *match.span(), f"{match[1].split(' ')[0]} not{match[1][len(match[1].split(' ')[0]) :]}")


def order(text: str, rng: random.Random) -> Edit | None:
    """ "From A to B" turned round."""
    match = _one(_FROM_TO, text, rng)
    if match is None or match[1] == match[2]:
        return None
    return replace_at(text, match.start(1), match.end(2), f"{match[2]} to {match[1]}")


def from_pairs(pairs: Sequence[tuple[str, str]]) -> Rule:
    """A rule that exchanges a phrase for its partner, in either direction."""
    partners: dict[str, list[str]] = {}
    for left, right in pairs:
        partners.setdefault(left, []).append(right)
        # "No" stands in too many set phrases to be taken out.
        if right != "no":
            partners.setdefault(right, []).append(left)
    # The longest first, so that "must not" is not read as "must".
    pattern = re.compile(
        rf"(?<!\bno )(?<!\ba )(?<!\bthe )(?<![-])\b({'|'.join(sorted(map(re.escape, partners), key=len, reverse=True))})\b", re.IGNORECASE
    )

    def rule(text: str, rng: random.Random) -> Edit | None:
        # A capital inside the sentence is part of a name ("Get Out").
        matches = [match for match in pattern.finditer(text) if not match.start() or not match[1].istitle()]
        if not matches:
            return None
        match = rng.choice(matches)
        new = rng.choice(partners[match[1].lower()])
        return replace_at(text, *match.span(), new.upper() if match[1].isupper() else new)

    return rule


def entity(names: Sequence[str]) -> Rule:
    """A rule that puts another of `names` in the place of a name inside the sentence.

    :param names: names, with the word before them where it is known ("in Leeds"): only one that stands behind the same word is of a kind.
    """
    kinds: dict[tuple[str, int], list[str]] = {}
    for entry in names:
        before, name = entry.split(" ", 1) if entry[:1].islower() else ("", entry)
        kinds.setdefault((before, name.count(" ")), []).append(name)
        kinds.setdefault(("", name.count(" ")), []).append(name)

    def rule(text: str, rng: random.Random) -> Edit | None:
        match = _one(_NAME, text, rng)
        if match is None:
            return None
        before = _word_before(text, match.start())
        fitting = kinds.get((before, match[1].count(" "))) or kinds.get(("", match[1].count(" "))) or kinds.get(("", 1)) or []
        others = [name for name in rng.sample(fitting, min(4, len(fitting))) if name not in text]
        return replace_at(text, *match.span(1), others[0]) if others else None

    return rule


def names_of(text: str) -> list[str]:
    """Names inside a sentence, capitalised words that do not begin it, each with the word before it."""
    return [f"{_word_before(text, match.start())} {match[1]}".strip() for match in _NAME.finditer(text)]


def _word_before(text: str, at: int) -> str:
    """The word before a place, "" when it is a name itself or no plain word."""
    word = text[:at].split()[-1]
    return word if word.isalpha() and word.islower() else ""


def same_number(text: str, rng: random.Random) -> Edit | None:
    """The same amount in another form."""
    match = _one(_NUMBER, text, rng)
    # "July 6" is no amount.
    if match is not None and (text[: match.start()].rstrip().endswith(_MONTHS) or text[match.end() :].lstrip().startswith(_MONTHS)):
        return None
    if match is not None and not _YEAR.fullmatch(match[1]):
        value = int(match[1].replace(",", ""))
        if value < len(_WORDS):
            return replace_at(text, *match.span(1), _WORDS[value])
        if value >= 1000:
            return replace_at(text, *match.span(1), str(value) if "," in match[1] else f"{value:,}")
    word = _one(_COUNT_WORD, text, rng)
    return None if word is None else replace_at(text, *word.span(), str(_WORDS.index(word[1].lower())))


def same_duration(text: str, rng: random.Random) -> Edit | None:
    """The same length of time or size in another unit."""
    found = list(re.finditer(r"(?<![\w.,:/-])(\d{1,5}) (days?|weeks?|hours?|minutes?|years?|months?|seconds?|GB|MB)\b", text))
    rng.shuffle(found)
    for match in found:
        value, unit_name = int(match[1]), match[2].rstrip("s") if match[2] not in ("GB", "MB") else match[2]
        other = _converted(value, unit_name)
        if other is not None:
            return replace_at(text, *match.span(), other)
    return None


_FACTORS = (("week", 7, "day"), ("day", 24, "hour"), ("hour", 60, "minute"), ("minute", 60, "second"), ("year", 12, "month"))


def _converted(value: int, name: str) -> str | None:
    for large, factor, small in _FACTORS:
        if name == small and value % factor == 0 and value:
            count = value // factor
            return f"{count} {large}{'s' if count != 1 else ''}"
        if name == large and value * factor <= 10_000 and name != "day":
            return f"{value * factor} {small}s"
    return f"{value * 1024} MB" if name == "GB" and value < 20 else None


_same_words = from_pairs(SAME)


def same_words(text: str, rng: random.Random) -> Edit | None:
    """A word exchanged for another of the same meaning."""
    return _same_words(text, rng)


def word_class(text: str, rng: random.Random) -> Edit | None:
    """Another word of the same kind: another trade, country, genre or place."""
    found = [(match, row) for row in CLASSES for match in re.finditer(rf"\b({'|'.join(row)})\b", text)]
    if not found:
        return None
    match, row = rng.choice(found)
    others = [word for word in row if word not in text and (word[0] in "aeiouAEIOU") == (match[1][0] in "aeiouAEIOU")]
    return replace_at(text, *match.span(), rng.choice(others)) if others else None


def changing(names: Sequence[str]) -> dict[str, Rule]:
    """The rules that change the meaning, by kind."""
    return {
        "number": number,
        "date": date,
        "unit": unit,
        "negation": negation,
        "entity": entity(names),
        "class": word_class,
        "modality": from_pairs(MODALS),
        "condition": from_pairs(CONDITIONS),
        "quantifier": from_pairs(QUANTIFIERS),
        "direction": from_pairs(OPPOSITES),
        "order": order,
    }


KEEPING: dict[str, Rule] = {"same number": same_number, "same duration": same_duration, "same words": same_words}
