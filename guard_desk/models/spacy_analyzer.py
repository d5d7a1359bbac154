"""Names of persons, bodies and places by spaCy, added to what the rules of `text/` find, and what its grammar ties together.

Only the name finder and the parser of a pipeline are loaded (and the vectors they listen to), from its data folder by path: the
package's own code never runs. The parser waits for the first text whose relations are asked for. English ships as a pinned
package whose files are known by hash; packages for other languages are used when they are installed.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk import lang as language_data
from guard_desk.errors import InputError, MissingModelError, ModelError
from guard_desk.models import spacy_relations
from guard_desk.models.embedded import catalogue, embedded_folder, package_folder
from guard_desk.models.hashes import sha256_of
from guard_desk.models.spacy_names import NameFinder, understood
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Span
from guard_desk.records.evidence import ModelInfo, Relation, TextFacts
from guard_desk.text.analyze import analyze_text
from guard_desk.text.entities import Found, clean_entities
from guard_desk.text.languages import detect
from guard_desk.text.names import Entity
from guard_desk.text.sentences import sentences

logger = logging.getLogger("guard_desk.models")

ENGLISH = "en_core_web_sm"

# Changes whenever the rules around the model change what it gives for the same text.
RULES = "1"

# A batch is at most this many texts and characters: about 250 ms on one laptop core.
BATCH_TEXTS = 64
BATCH_CHARACTERS = 12_000
# Longer texts are read in pieces that end with a sentence; spaCy's memory grows with the length of a text.
_PIECE = 8_000
_KEPT_TEXTS = 20_000
_KEPT_RELATIONS = 2_000
_KEPT_PIPES = ("ner", "transformer")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG_RULE = re.compile(r"[^\w\s]{40,}")


@dataclass(slots=True)
class _Pipeline:
    """One spaCy pipeline, loaded when the first text needs it."""

    name: str
    folder: Path
    nlp: Any = None
    finder: NameFinder | None = None
    grammar: Any = None

    def load(self) -> None:
        """:raises ModelError: when spaCy cannot read the folder."""
        if self.nlp is not None:
            return
        self.nlp = self._loaded(lambda config: {*_KEPT_PIPES, *(("tok2vec",) if _listens(config) else ())})
        if self.nlp.pipe_names == ["ner"] and understood(self.nlp.get_pipe("ner")):
            self.finder = NameFinder(self.nlp.get_pipe("ner"))

    def load_grammar(self) -> None:
        """:raises ModelError: when spaCy cannot read the folder."""
        if self.grammar is None:
            self.grammar = self._loaded(lambda _: {*spacy_relations.COMPONENTS, "transformer"})

    def _loaded(self, kept: Callable[[Any], set[str]]) -> Any:
        import spacy

        try:
            config = spacy.util.load_config(self.folder / "config.cfg")
            chosen = kept(config)
            others = [name for name in config["nlp"]["pipeline"] if name not in chosen]
            return spacy.util.load_model_from_path(self.folder, exclude=others)
        except (OSError, ValueError, KeyError) as exc:
            raise ModelError(f"spaCy cannot load {self.folder}: {exc}") from exc

    @property
    def has_grammar(self) -> bool:
        """Whether the pipeline has a parser on the disk."""
        return (self.folder / "parser" / "model").is_file()

    def relations(self, texts: Sequence[str], language: str) -> Iterator[tuple[Relation, ...]]:
        """What grammar ties together in each text."""
        for document in self.grammar.pipe(map(_readable, texts), batch_size=BATCH_TEXTS):
            yield spacy_relations.relations(document, language)

    def entities(self, texts: Sequence[str]) -> Iterator[tuple[Found, ...]]:
        """The entities of each text with their labels."""
        if self.finder is not None:
            documents = [self.nlp.make_doc(_readable(text)) for text in texts]
            for document, names in zip(documents, self.finder.names(documents), strict=True):
                yield tuple(Found(_characters(document, first, end), label) for first, end, label in names)
            return
        for document in self.nlp.pipe(map(_readable, texts), batch_size=BATCH_TEXTS):
            yield tuple(Found(Span(entity.start_char, entity.end_char), entity.label_) for entity in document.ents)


@dataclass(slots=True)
class SpacyAnalyzer:
    """Typed values, cues and facts of texts, with spaCy's entities. Implements `protocols.Analyzer`.

    :param pipelines: by language code; a text in a language without one is read by the rules alone.
    :param language: the language that texts are taken to be in; None finds it for each text.
    """

    pipelines: dict[str, _Pipeline]
    model: ModelInfo
    language: str | None = None
    _known: OrderedDict[str, tuple[Entity, ...]] = field(default_factory=OrderedDict, repr=False)
    _tied: OrderedDict[str, tuple[Relation, ...]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @property
    def info(self) -> ModelInfo:
        """Which model and rules give the facts."""
        return self.model

    def analyze(self, texts: Sequence[str], ctx: RunContext) -> tuple[TextFacts, ...]:
        """Facts of each text, aligned with `texts`; entities of texts read before are remembered.

        :raises Cancelled: between batches; finished ones are remembered.
        :raises ModelError: when spaCy cannot load a pipeline.
        """
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._known]
            for language in tuple(self.pipelines):
                self._read_language(language, [text for text in missing if self._language(text) == language], ctx)
        results = []
        for index, text in enumerate(texts):
            if index % BATCH_TEXTS == 0:
                ctx.check()
            results.append(analyze_text(text, self._languages(text), self._known.get(text, ())))
        return tuple(results)

    def relations(self, texts: Sequence[str], ctx: RunContext) -> tuple[tuple[Relation, ...], ...]:
        """What grammar ties together in each text, aligned with `texts`; empty where no parser reads its language.

        :raises Cancelled: between batches; finished ones are remembered.
        :raises ModelError: when spaCy cannot load the English parser.
        """
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._tied]
            for language, pipeline in tuple(self.pipelines.items()):
                if pipeline.has_grammar:
                    self._parse(pipeline, language, [text for text in missing if self._language(text) == language], ctx)
        return tuple(self._tied.get(text, ()) for text in texts)

    def _parse(self, pipeline: _Pipeline, language: str, texts: Sequence[str], ctx: RunContext) -> None:
        if texts:
            ctx.check()
            pipeline.load_grammar()
        for batch in _batches(texts):
            ctx.check()
            pieces = [(text, piece) for text in batch for piece in _pieces(text)]
            found: dict[str, list[Relation]] = {text: [] for text in batch}
            results = pipeline.relations([text[piece.start : piece.end] for text, piece in pieces], language)
            for (text, piece), tied in zip(pieces, results, strict=True):
                found[text] += [_moved(relation, piece.start) for relation in tied]
            for text, gathered in found.items():
                self._tied[text] = tuple(gathered)
            while len(self._tied) > _KEPT_RELATIONS:
                self._tied.popitem(last=False)

    def _read_language(self, language: str, texts: Sequence[str], ctx: RunContext) -> None:
        """As `_read`; an optional pipeline that does not load is left out, so that the rules go on alone."""
        try:
            self._read(self.pipelines[language], texts, ctx)
        except ModelError as exc:
            if language == "en" or language == self.language:
                raise
            logger.warning("Names in %s are found by rules alone: %s", language, exc)
            del self.pipelines[language]

    def _language(self, text: str) -> str:
        return self.language or detect(text)[0]

    def _languages(self, text: str) -> tuple[str, ...] | None:
        """A language that was asked for comes first, whatever the text looks like."""
        return None if self.language is None else (self.language, *(code for code in detect(text) if code != self.language))

    def _read(self, pipeline: _Pipeline, texts: Sequence[str], ctx: RunContext) -> None:
        """Find and remember the entities of texts, batch by batch."""
        if texts:
            ctx.check()
            pipeline.load()
        for batch in _batches(texts):
            ctx.check()
            pieces = [(text, piece) for text in batch for piece in _pieces(text)]
            found: dict[str, list[Found]] = {text: [] for text in batch}
            results = pipeline.entities([text[piece.start : piece.end] for text, piece in pieces])
            for (text, piece), entities in zip(pieces, results, strict=True):
                found[text] += [Found(Span(at.span.start + piece.start, at.span.end + piece.start), at.label) for at in entities]
            for text, gathered in found.items():
                self._remember(text, clean_entities(text, gathered))

    def _remember(self, text: str, entities: tuple[Entity, ...]) -> None:
        self._known[text] = entities
        while len(self._known) > _KEPT_TEXTS:
            self._known.popitem(last=False)


def _listens(config: Any) -> bool:
    """Whether the name finder hears the pipeline's shared vectors; most have vectors of their own."""
    return "Tok2VecListener" in str(config["components"].get("ner", {}))


def _characters(document: Any, first: int, end: int) -> Span:
    return Span(document[first].idx, document[end - 1].idx + len(document[end - 1]))


def _moved(relation: Relation, by: int) -> Relation:
    """A relation of a piece, in offsets of the whole text."""
    if not by:
        return relation
    subject, value = (Span(span.start + by, span.end + by) for span in (relation.subject, relation.value))
    return replace(relation, subject=subject, value=value)


def _readable(text: str) -> str:
    """What spaCy can read in the place of a text; offsets stay.

    It takes no lone surrogates, and its tokenizer needs quadratic time for a long run of marks ("-----").
    """
    text = _LONE_SURROGATE.sub("\ufffd", text)
    return _LONG_RULE.sub(lambda run: " " * len(run[0]), text)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _pieces(text: str) -> Iterator[Span]:
    """Parts of a long text that end with a sentence, or after 8,000 characters where a sentence is longer."""
    if len(text) <= _PIECE:
        yield Span(0, len(text))
        return
    start = last = 0
    for sentence in sentences(text):
        if sentence.end - start > _PIECE and last > start:
            yield from _cut(start, last)
            start = last
        last = sentence.end
    yield from _cut(start, len(text))


def _cut(start: int, end: int) -> Iterator[Span]:
    for position in range(start, end, _PIECE):
        yield Span(position, min(position + _PIECE, end))


def load_analyzer(lang: str = "en") -> SpacyAnalyzer:
    """The analyzer, loaded once a process; spaCy itself is imported when the first text is read.

    :param lang: "en" (every text by its own language), another code, an installed spaCy package, or a path to a pipeline.
    :raises MissingModelError: when the package is not installed.
    :raises ModelHashError: when a file of the embedded pipeline differs from the one we know.
    :raises InputError: for a language that nothing is known about.
    """
    return loaded("en" if lang == ENGLISH else lang)


@cache
def loaded(lang: str) -> SpacyAnalyzer:
    """One analyzer a language, whichever of its names was used."""
    if lang == "en":
        pipelines = {"en": _Pipeline(ENGLISH, embedded_folder(ENGLISH)), **_installed()}
        return _analyzer(pipelines, None)
    if lang in language_data.codes():
        return _analyzer({code: pipeline for code, pipeline in _installed().items() if code == lang}, lang)
    folder = _given_folder(lang)
    return _analyzer({(code := _language_of(folder)): _Pipeline(folder.name, folder)}, code)


def _analyzer(pipelines: dict[str, _Pipeline], language: str | None) -> SpacyAnalyzer:
    names = "+".join(pipeline.name for pipeline in pipelines.values()) or "rules"
    weights = ",".join(sha256_of(_weights(pipeline)) for pipeline in pipelines.values())
    detail = str(catalogue()[ENGLISH]["detail"]) if "en" in pipelines else "Names are found by rules alone." if not pipelines else ""
    revision = f"{RULES}-{language_data.digest()[:12]}-{weights[:12]}"
    info = ModelInfo(name=names, revision=revision, weights=weights, device="cpu" if pipelines else "", detail=detail)
    return SpacyAnalyzer(pipelines=pipelines, model=info, language=language)


def _weights(pipeline: _Pipeline) -> Path:
    """:raises ModelError: for a pipeline without a name finder."""
    file = pipeline.folder / "ner" / "model"
    if not file.is_file():
        raise ModelError(f"The spaCy pipeline {pipeline.folder} has no name finder (ner/model); choose one that has.")
    return file


def _installed() -> dict[str, _Pipeline]:
    """Pipelines of other languages whose package is installed; the packages are named in the language data."""
    found = {}
    for code in language_data.codes():
        for package in language_data.entry(code, "language.spacy"):
            folder = _data_folder(package)
            if folder is not None and code != "en" and code not in found:
                found[code] = _Pipeline(package, folder)
    return found


def _data_folder(package: str) -> Path | None:
    """The folder inside an installed package that holds the pipeline's config."""
    folder = package_folder(package)
    if folder is None:
        return None
    return next((file.parent for file in sorted(folder.glob("*/config.cfg"))), folder if (folder / "config.cfg").is_file() else None)


def _given_folder(name: str) -> Path:
    path = Path(name).expanduser()
    if (path / "config.cfg").is_file():
        return path
    if name.isidentifier():
        folder = _data_folder(name)
        if folder is not None:
            return folder
        if "_" in name:
            raise MissingModelError(name, command=f"pip install {name}", detail="no such package is installed")
    raise InputError(
        f"lang = {name!r} is no language that is known here.",
        remedy=f"Use one of {', '.join(language_data.codes())}, an installed spaCy package, or the path of a pipeline folder.",
    )


def _language_of(folder: Path) -> str:
    import spacy

    return str(spacy.util.load_config(folder / "config.cfg")["nlp"]["lang"])
