"""The parts of a question: "When was it built, and who paid?" asks two things.

A question is cut at question marks and semicolons, and inside of a sentence where an asking phrase follows a comma or a
word like "and". A piece that asks nothing belongs to the part behind it. What a later part leaves out is carried over
from the first: the subject behind a pronoun ("who paid for *it*") or before a bare predicate ("... *有多长*"), the
whole rest where only an asking phrase is left ("... and *by whom*", "*when* and where was she born").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from guard_desk.records.corpus import Span
from guard_desk.text.languages import DEFAULT, detect
from guard_desk.text.thinning.language import hits, list_hits, listed, phrase_groups, with_section
from guard_desk.text.words import Word, fold_word, words

_SENTENCE = re.compile(r"(?<=[?？;；])\s*|(?<=[.。!！])\s+(?=\S)|(?<=[。！])")
_EDGE = " \t\n,，、;；?？.。!！"
_ZH_BORDER = re.compile(r"[，,、；;]|以及|并且|还有|和|又|且")
# So many words may stand between "and" and the asking phrase: "and in exactly", "and for about".
_BEFORE_ASK = 2
_CHINESE = "zh"
_ZH_WHO = ("谁", "哪位", "哪家")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPart:
    """One thing that a question asks.

    :param span: its words in the question.
    :param text: a question of its own: what the span leaves out is carried over.
    """

    span: Span
    text: str


def question_parts(question: str) -> tuple[Span, ...]:
    """Where each thing that is asked stands in the question, in order; at least one."""
    return tuple(part.span for part in asked_parts(question))


@lru_cache(maxsize=512)
def asked_parts(question: str) -> tuple[AskedPart, ...]:
    """The things that are asked, each as a question of its own; one that is the whole question when only one is asked."""
    language = with_section(detect(question))
    pieces = _han_pieces(question) if language == _CHINESE else _pieces(question, language)
    if len(pieces) < 2:
        return (AskedPart(span=Span(0, len(question)), text=question),)
    texts = _han_texts(question, pieces) if language == _CHINESE else _texts(question, pieces, language)
    return tuple(AskedPart(span=span, text=text) for span, text in zip(pieces, texts, strict=True))


def _sentences(question: str) -> list[Span]:
    borders = [0, *(match.end() for match in _SENTENCE.finditer(question) if match.end() > 0), len(question)]
    return [Span(a, b) for a, b in pairwise(borders) if question[a:b].strip(_EDGE)]


def _trimmed(question: str, start: int, end: int) -> Span:
    while start < end and question[start] in _EDGE:
        start += 1
    while end > start and question[end - 1] in _EDGE:
        end -= 1
    return Span(start, end)


# Languages with spaces.


def _pieces(question: str, language: str) -> list[Span]:
    """The asking pieces; a sentence that asks nothing is none."""
    found: list[Span] = []
    for sentence in _sentences(question):
        text = sentence.of(question)
        tokens = words(text, language)
        if not tokens or (_ask_end(text, tokens, 0, language) is None and not _has_ask(text, tokens, language)):
            continue
        start = 0
        for end, following in (*_cuts(text, tokens, language), (len(text), len(text))):
            found.append(_trimmed(question, start + sentence.start, end + sentence.start))
            start = following
    return [span for span in found if span.end > span.start]


def _has_ask(text: str, tokens: tuple[Word, ...], language: str) -> bool:
    asking = {fold_word(word) for word in listed(language, "which")}
    return bool(hits(phrase_groups(language, "ask"), text, tokens)) or any(word.folded.removesuffix("'s") in asking for word in tokens)


def _cuts(text: str, tokens: tuple[Word, ...], language: str) -> list[tuple[int, int]]:
    """(end of a piece, start of the next): where an asking phrase follows "and" or a comma after another asking phrase."""
    joining = {fold_word(word) for word in listed(language, "parts.joining")}
    cuts = []
    for index in range(1, len(tokens)):
        joins = tokens[index].folded in joining
        comma = "," in text[tokens[index - 1].span.end : tokens[index].span.start]
        start = index + joins
        if not (joins or comma) or not _asks_before(text, tokens[:index], language):
            continue
        if not joins and _tells(tokens, start, language):
            continue
        if any(_ask_end(text, tokens, place, language) is not None for place in _ask_places(tokens, start, language)):
            cuts.append((tokens[index - 1].span.end, tokens[start].span.start))
    return [cut for i, cut in enumerate(cuts) if i == 0 or cut[1] != cuts[i - 1][1]]


def _tells(tokens: tuple[Word, ...], start: int, language: str) -> bool:
    """Whether a clause behind a bare comma tells when or where, and asks nothing: ", when the account *is* locked"."""
    if tokens[start].folded not in listed(language, "parts.clauses"):
        return False
    return start + 1 == len(tokens) or not _is_auxiliary(tokens[start + 1], language)


def _ask_places(tokens: tuple[Word, ...], start: int, language: str) -> list[int]:
    """Where the asking word may stand: first, or behind a preposition or an adverb ("and *by* whom", "and *then* who")."""
    places = [start] if start < len(tokens) else []
    while places and len(places) <= _BEFORE_ASK and places[-1] + 1 < len(tokens) and _may_lead(tokens[places[-1]], language):
        places.append(places[-1] + 1)
    return places


def _may_lead(word: Word, language: str) -> bool:
    """A preposition or an adverb may stand before the asking word: "and *by* whom", "and *then* who"."""
    return word.folded in listed(language, "prepositions") or not word.content


def _asks_before(text: str, tokens: tuple[Word, ...], language: str) -> bool:
    return _ask_end(text, tokens, 0, language) is not None or _has_ask(text[: tokens[-1].span.end], tokens, language)


def _ask_end(text: str, tokens: tuple[Word, ...], position: int, language: str) -> int | None:
    """Position behind an asking phrase that starts at a word; None when none does."""
    if position >= len(tokens):
        return None
    for hit in hits(phrase_groups(language, "ask"), text, tokens):
        if hit.first == position:
            return hit.last + 1
    word = tokens[position].folded.removesuffix("'s")
    if word in {fold_word(item) for item in listed(language, "which")}:
        return position + 1
    asks_way = word in {fold_word(item) for item in listed(language, "parts.ways")}
    if asks_way and position + 1 < len(tokens) and _is_auxiliary(tokens[position + 1], language):
        return position + 1
    if word in listed(language, "yes_no") and position + 1 < len(tokens):
        following = tokens[position + 1]
        opens = position == 0 or following.folded in {*listed(language, "parts.pronouns"), *listed(language, "articles")}
        return position + 1 if opens else None
    return None


def _texts(question: str, pieces: list[Span], language: str) -> list[str]:
    """Each piece as a question of its own."""
    plain = [piece.of(question) for piece in pieces]
    full = [_is_full(text, language) for text in plain]
    model = next((i for i, is_full in enumerate(full) if is_full), None)
    if model is None:
        return plain
    subject = _subject(plain[model], language)
    texts = []
    for index, text in enumerate(plain):
        if index == model:
            texts.append(text + "?")
        elif not full[index]:
            texts.append(f"{text} {_rest(plain[model], language)}?")
        else:
            texts.append(_with_subject(text, subject, language) + "?")
    return texts


def _is_full(text: str, language: str) -> bool:
    """Whether a piece says more than what it asks for: "which protocol" and "by whom" do not."""
    tokens = words(text, language)
    start = _ask_limit(text, tokens, language)
    pronouns = {*listed(language, "parts.pronouns"), *listed(language, "parts.possessives")}
    bare = start == len(tokens) - 1 and bool(start) and tokens[start - 1].folded in listed(language, "which")
    return not bare and any(word.content or word.folded in pronouns for word in tokens[start:])


def _rest(text: str, language: str) -> str:
    """What follows the asking phrase: "was she born" of "where was she born"."""
    tokens = words(text, language)
    start = _ask_limit(text, tokens, language)
    run = start
    while run < len(tokens) and tokens[run].content:
        run += 1
    if run < len(tokens) and _is_auxiliary(tokens[run], language):  # "which port *does the daemon use*"
        start = run
    return text[tokens[start].span.start :].rstrip(_EDGE) if start < len(tokens) else ""


def _ask_limit(text: str, tokens: tuple[Word, ...], language: str) -> int:
    """Position behind the first asking phrase; 0 without one."""
    return next((end for i in range(len(tokens)) if (end := _ask_end(text, tokens, i, language)) is not None), 0)


def _with_subject(text: str, subject: str, language: str) -> str:
    """A piece with the subject of the first part in the place of its pronoun, or behind it when it names nothing at all."""
    if not subject:
        return text
    tokens = words(text, language)
    possessive = {fold_word(word) for word in listed(language, "parts.possessives")}
    pronouns = {fold_word(word) for word in listed(language, "parts.pronouns")}
    for word in tokens[1:]:
        if word.folded in possessive and language == "en":
            rest = text[word.span.end :].lstrip()
            # "her" before a noun is a possessive, at the end it is an object.
            return f"{text[: word.span.start]}{subject}'s {rest}" if rest else f"{text[: word.span.start]}{subject}"
        if word.folded in pronouns | possessive and text[: word.span.start].endswith("-"):  # "a-t-*il* été inauguré"
            return f"{text} {subject}"
        if word.folded in pronouns | possessive:
            return f"{text[: word.span.start]}{subject}{text[word.span.end :]}"
    named = any(_is_name(word) for word in tokens[1:])
    articles = {*listed(language, "articles")}
    noun = any(word.folded in articles for word in tokens[1:])
    return text if named or noun else f"{text} {subject}"


def _subject(text: str, language: str) -> str:
    """What a question is about: its name with the words that belong to it, else what follows "of", else its first noun phrase."""
    tokens = words(text, language)
    start = _ask_limit(text, tokens, language)
    role = _role(text, tokens, start, language)
    if role:
        return role
    named = [
        i for i in range(start, len(tokens)) if _is_name(tokens[i]) and tokens[i - 1].folded not in listed(language, "parts.circumstances")
    ]
    if named:
        first, last = _around(tokens, named, start, language)
        return text[tokens[first].span.start : tokens[last].span.end]
    articles = [i for i in range(start, len(tokens)) if tokens[i].folded in listed(language, "articles")]
    if not articles:
        return ""
    last = articles[-1]
    while last + 1 < len(tokens) and tokens[last + 1].content:
        last += 1
    closed = last + 1 == len(tokens) or tokens[last + 1].folded in listed(language, "prepositions")
    ends = closed and last - articles[-1] > 1 and articles[-1] == articles[0] and _follows_auxiliary(tokens, articles[0], language)
    return text[tokens[articles[-1]].span.start : tokens[last - ends].span.end]


def _role(text: str, tokens: tuple[Word, ...], start: int, language: str) -> str:
    """ "the first mayor of Brask" of "Who was the first mayor of Brask": the person that is asked for is the subject of what follows."""
    asks_person = any(
        "name" in meaning.split() for hit in hits(phrase_groups(language, "ask"), text, tokens)[:1] for meaning in hit.meanings
    )
    copular = start + 1 < len(tokens) and tokens[start].folded in listed(language, "copula")
    if asks_person and copular and tokens[start + 1].folded in listed(language, "articles") and tokens[-1].content:
        return text[tokens[start + 1].span.start : tokens[-1].span.end]
    return ""


def _is_name(word: Word) -> bool:
    return word.text[0].isupper() or any(ch.isdigit() for ch in word.text)


def _follows_auxiliary(tokens: tuple[Word, ...], position: int, language: str) -> bool:
    """Whether "was the old bridge built" puts its verb last."""
    return position > 0 and tokens[position - 1].folded in listed(language, "auxiliary")


def _around(tokens: tuple[Word, ...], named: list[int], start: int, language: str) -> tuple[int, int]:
    """The first run of names, with the article and the small nouns that belong to it ("the *Alder* bridge")."""
    first = last = named[0]
    while last + 1 in named or (last + 2 in named and not tokens[last + 1].content):
        last += 1 if last + 1 in named else 2
    while first - 2 >= start and tokens[first - 1].folded in listed(language, "parts.of") and tokens[first - 2].content:
        first -= 2  # "le *viaduc de* Merval"
    has_article = first - 1 >= start and tokens[first - 1].folded in listed(language, "articles")
    follows = last + 1 < len(tokens) and tokens[last + 1].content
    if has_article and follows and _is_noun_behind(tokens, first - 1, last + 1, language):
        last += 1
    return (first - 1 if has_article else first), last


def _is_noun_behind(tokens: tuple[Word, ...], article: int, position: int, language: str) -> bool:
    """Whether the word behind a name belongs to it: a verb comes last or is followed by little words, a noun has a verb about it."""
    if position + 1 < len(tokens):
        return tokens[position + 1].content or _is_auxiliary(tokens[position + 1], language)
    # "Who designed the Harbour *bridge*", not "When was the Harbour *opened*"; elsewhere the noun stands before, or has a capital.
    return language == DEFAULT and not any(_is_auxiliary(word, language) for word in tokens[:article])


def _is_auxiliary(word: Word, language: str) -> bool:
    return word.folded in listed(language, "auxiliary")


# Chinese.


def _han_pieces(question: str) -> list[Span]:
    """Pieces between marks and joining words, each with an asking word; a piece without one opens the one behind it."""
    found: list[Span] = []
    for sentence in _sentences(question):
        text = sentence.of(question)
        borders = [0, *(match.start() for match in _ZH_BORDER.finditer(text) if match.start()), len(text)]
        open_at, asked = 0, False
        for start, end in pairwise(borders):
            if not _han_asks(text[start:end]) or _only_asks(text[start:end]):
                continue
            if asked:
                found.append(_trimmed(question, open_at + sentence.start, start + sentence.start))
                open_at = start
            asked = True
        if asked:
            found.append(_trimmed(question, open_at + sentence.start, sentence.end))
    return [_without_joining(question, span) for span in found if span.end > span.start]


def _without_joining(question: str, span: Span) -> Span:
    match = re.match(r"(?:以及|并且|还有|和|又|且)", span.of(question))
    return Span(span.start + match.end(), span.end) if match else span


def _han_asks(text: str) -> bool:
    tokens = words(text, _CHINESE)
    asking = any(word in text for word in (*listed(_CHINESE, "which"), *listed(_CHINESE, "yes_no")))
    return asking or bool(hits(phrase_groups(_CHINESE, "ask"), text, tokens))


def _only_asks(text: str) -> bool:
    """ "谁" of "谁和谁一起": an asking word alone is no part."""
    plain = _without_joining(text, Span(0, len(text))).of(text).strip(_EDGE)
    return plain in {*listed(_CHINESE, "which"), "谁", "哪里"}


def _han_texts(question: str, pieces: list[Span]) -> list[str]:
    plain = [piece.of(question) for piece in pieces]
    subject = _han_subject(plain[0])
    texts = [plain[0] + "？"]
    for index, text in enumerate(plain[1:], 1):
        between = question[pieces[index - 1].end : pieces[index].start]
        texts.append(_han_carried(text, subject, new_sentence="？" in between or "?" in between) + "？")
    return texts


def _han_carried(text: str, subject: str, *, new_sentence: bool) -> str:
    for pronoun in listed(_CHINESE, "parts.pronouns"):
        if text.startswith(pronoun):
            rest = text[len(pronoun) :]
            return subject + rest if rest.startswith("的") else f"{subject}的{rest}" if subject else rest
    if not subject or subject in text or (new_sentence and _ask_place(text) > 1):
        return text
    return f"{subject}的{text}" if _ask_place(text) > 1 else f"{subject}{text}"


def _ask_place(text: str) -> int:
    """Where the asking word starts, a verb or a small word before it not counted."""
    tokens = words(text, _CHINESE)
    places = [tokens[hit.first].span.start for hit in hits(phrase_groups(_CHINESE, "ask"), text, tokens)]
    places += [text.find(word) for word in listed(_CHINESE, "which") if word in text]
    return min(places, default=0)


def _han_subject(text: str) -> str:
    """What stands before the asking phrase or "的": "望江楼" of "望江楼的高度是多少"."""
    head = re.split("[，,、]", text)[0]
    if head.startswith(_ZH_WHO):
        return _han_object(head)
    end = _ask_place(head) or len(head)
    found = head[:end].split("的")[0]
    for hit in list_hits(_CHINESE, "fillers", found, words(found, _CHINESE)):
        if hit.last == len(words(found, _CHINESE)) - 1:
            found = found[: words(found, _CHINESE)[hit.first].span.start]
    changed = True
    while changed:
        changed = False
        for word in ("是", "在", "由", "于", "为", "有", "被", "从", "一共", "总共", "请问", "建于", "位于", "成立于"):
            if found.endswith(word) and len(found) > len(word):
                found, changed = found[: -len(word)], True
    return found.removeprefix("请问").strip(_EDGE)


def _han_object(text: str) -> str:
    """What a "who" question is about: "2022年的松河杯" of "谁赢得了2022年的松河杯"; "" when its verb has no end to be seen."""
    _, done, rest = text.partition("了")
    if done:
        return rest.strip(_EDGE)
    _, copula, rest = text.partition("是")
    return rest.split("的")[0].strip(_EDGE) if copula else ""
