"""Which languages a text is written in: by its scripts, and by stop words where scripts are shared.

Nothing is learned: the script decides for Chinese, Japanese, Korean, Tamil and the like; for the Latin script the
stop words and typical letters of `resources/lang/<code>.toml` decide. English is the answer when nothing speaks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from unicodedata import normalize

from guard_desk import lang

DEFAULT = "en"

# Enough text to know a language by; long documents need not be read to the end.
_SAMPLE = 4000
_LATIN = "Latin"

# (first code point, last code point, script), sorted; what is not listed counts for no script.
_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x41, 0x5A, _LATIN),
    (0x61, 0x7A, _LATIN),
    (0xAA, 0x24F, _LATIN),
    (0x370, 0x3FF, "Greek"),
    (0x400, 0x52F, "Cyrillic"),
    (0x530, 0x58F, "Armenian"),
    (0x590, 0x5FF, "Hebrew"),
    (0x600, 0x6FF, "Arabic"),
    (0x750, 0x77F, "Arabic"),
    (0x900, 0x97F, "Devanagari"),
    (0x980, 0x9FF, "Bengali"),
    (0xA00, 0xA7F, "Gurmukhi"),
    (0xA80, 0xAFF, "Gujarati"),
    (0xB00, 0xB7F, "Oriya"),
    (0xB80, 0xBFF, "Tamil"),
    (0xC00, 0xC7F, "Telugu"),
    (0xC80, 0xCFF, "Kannada"),
    (0xD00, 0xD7F, "Malayalam"),
    (0xD80, 0xDFF, "Sinhala"),
    (0xE00, 0xE7F, "Thai"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1E00, 0x1EFF, _LATIN),
    (0x3040, 0x30FF, "Kana"),
    (0x3130, 0x318F, "Hangul"),
    (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"),
    (0xAC00, 0xD7AF, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFF21, 0xFF3A, _LATIN),
    (0xFF41, 0xFF5A, _LATIN),
    (0x20000, 0x323AF, "Han"),
)
_STARTS = [first for first, _, _ in _RANGES]

_SCRIPT_LANGUAGE = {
    "Han": "zh",
    "Kana": "ja",
    "Hangul": "ko",
    "Tamil": "ta",
    "Devanagari": "hi",
    "Bengali": "bn",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Oriya": "or",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Cyrillic": "ru",
    "Greek": "el",
    "Hebrew": "he",
    "Arabic": "ar",
    "Armenian": "hy",
    "Georgian": "ka",
    "Thai": "th",
    "Myanmar": "my",
}
CJK_SCRIPTS = frozenset({"Han", "Kana", "Hangul"})
INDIC_SCRIPTS = frozenset({"Tamil", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Telugu", "Kannada", "Malayalam", "Sinhala"})

# A Han character carries about as much as half a word of five letters.
_LETTERS_PER_HAN = 2.5
# A second language is named when it holds at least this share of the letters, or of the stop words.
_SECOND_SHARE = 0.12
_SECOND_WORDS = 3
# One stop word among many names and numbers does not make a text German.
_LEAST_SHARE = 0.08

_LATIN_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ELISION = re.compile(r"^[^\W\d_]{1,6}['’]")


@cache
def script_of(ch: str) -> str:
    """The script of one character ("Latin", "Han", ...); "" for digits, marks, punctuation and unlisted scripts."""
    code = ord(ch)
    index = bisect_right(_STARTS, code) - 1
    if index < 0 or code > _RANGES[index][1]:
        return ""
    return _RANGES[index][2] if ch.isalpha() or _RANGES[index][2] != _LATIN else ""


@cache
def is_cjk(ch: str) -> bool:
    """Whether a character belongs to a script that is written without spaces (Han and kana)."""
    return script_of(ch) in ("Han", "Kana")


@lru_cache(maxsize=4096)
def script_shares(text: str) -> tuple[tuple[str, float], ...]:
    """Share of each script among the letters of a text, largest first; Han counts more, as its signs carry more.

    Only the first 4,000 characters are looked at.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return ((_LATIN, 1.0),) if any(map(str.isalpha, sample)) else ()
    weights: Counter[str] = Counter()
    for ch, count in Counter(sample).items():
        script = script_of(ch)
        if script:
            weights[script] += round(count * (_LETTERS_PER_HAN if script == "Han" else 1.0) * 2)
    total = sum(weights.values())
    return tuple((script, weight / total) for script, weight in weights.most_common())


def dominant_script(texts: Iterable[str]) -> str:
    """The script that holds the most letters of a sample of texts; "Latin" when there are no letters.

    :returns: a name such as "Latin", "Han", "Tamil"; see `CJK_SCRIPTS` and `INDIC_SCRIPTS`.
    """
    totals: Counter[str] = Counter()
    for text in texts:
        for script, share in script_shares(text):
            totals[script] += round(share * min(len(text), _SAMPLE))
    return totals.most_common(1)[0][0] if totals else _LATIN


@lru_cache(maxsize=4096)
def detect(text: str) -> tuple[str, ...]:
    """The languages of a text, the main one first; ("en",) when nothing tells.

    A code need not have language data; see `with_data`.
    """
    shares = dict(script_shares(text))
    latin = shares.pop(_LATIN, 0.0)
    if "Kana" in shares:
        shares["Kana"] += shares.pop("Han", 0.0)
    found = [(_SCRIPT_LANGUAGE[script], share) for script, share in shares.items() if share >= _SECOND_SHARE]
    if latin >= _SECOND_SHARE or not found:
        found += [(code, latin * part) for code, part in _latin_languages(text[:_SAMPLE])]
    found.sort(key=lambda pair: -pair[1])
    return tuple(dict.fromkeys(code for code, _ in found)) or (DEFAULT,)


def detect_among(text: str, background: str) -> tuple[str, ...]:
    """The languages of a text that may be too short to show its own: where its words fit the language of a longer one as well, that one."""
    found, likely = detect(text), detect(background)[0]
    scores = {code: _latin_score(text, code) for code in (found[0], likely)}
    if likely == found[0] or likely not in _markers() or found[0] not in _markers() or scores[likely] < scores[found[0]]:
        return found
    return tuple(dict.fromkeys((likely, *found)))


def _latin_score(text: str, code: str) -> float:
    words = Counter(_LATIN_WORD.findall(normalize("NFC", text[:_SAMPLE]).casefold().replace("’", "'")))
    stop_words, letters = _markers().get(code, (frozenset(), frozenset()))
    return _score(words, stop_words, letters)


def with_data(languages: Iterable[str]) -> tuple[str, ...]:
    """Those of the languages that have a data file, order kept; ("en",) when none has."""
    known = lang.codes()
    return tuple(code for code in languages if code in known) or (DEFAULT,)


@cache
def _markers() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Stop words and typical letters of each language in the Latin script."""
    markers = {}
    for code in lang.codes():
        words = frozenset(lang.entry(code, "stopwords.words"))
        if words and all(script_of(ch) in (_LATIN, "") for word in words for ch in word):
            markers[code] = words, frozenset("".join(lang.entry(code, "language.letters", "")))
    return markers


def _latin_languages(sample: str) -> list[tuple[str, float]]:
    """(code, share) of the languages in the Latin script whose stop words stand in the text, largest first."""
    words = Counter(word for word in _LATIN_WORD.findall(normalize("NFC", sample).casefold().replace("’", "'")))
    for word in list(words):
        elided = _ELISION.match(word)
        if elided:
            words[elided[0]] += words[word]
            words[word[elided.end() :]] += words[word]
    scores = {code: _score(words, stop_words, letters) for code, (stop_words, letters) in _markers().items()}
    ranked = sorted(scores, key=lambda code: (-scores[code], code != DEFAULT, code))
    best = ranked[0] if ranked and scores[ranked[0]] >= _LEAST_SHARE * words.total() and scores[ranked[0]] > 0 else DEFAULT
    others = [code for code in ranked if code != best and _is_second(words, best, code, scores)]
    total = sum(scores.get(code, 0.0) for code in (best, *others)) or 1.0
    return [(code, (scores.get(code, 0.0) or 1.0) / total) for code in (best, *others)]


def _score(words: Counter[str], stop_words: frozenset[str], letters: frozenset[str]) -> float:
    typical = sum(count for word, count in words.items() if not letters.isdisjoint(word)) if letters else 0
    return sum(words[word] for word in words.keys() & stop_words) + 0.9 * typical


def _is_second(words: Counter[str], best: str, code: str, scores: dict[str, float]) -> bool:
    """A further language needs several stop words of its own, which the main language does not have."""
    own = _markers()[code][0] - _markers().get(best, (frozenset(), frozenset()))[0]
    count = sum(number for word, number in words.items() if word in own)
    return len(own & words.keys()) >= _SECOND_WORDS and count >= _SECOND_SHARE * scores[best]
