"""`load_corpus`: a path in, passages and questions out, and everything that was left out listed with line and cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from guard_desk.errors import CorpusError
from guard_desk.formats import beir, foreign
from guard_desk.formats.byte_source import size_of, unreadable
from guard_desk.formats.collect import Collector
from guard_desk.formats.folder import MARKDOWN_ENDINGS, plain_suffix, readable_files
from guard_desk.formats.markdown import read_markdown
from guard_desk.formats.paragraphs import looks_tagged, read_plain_text, read_tagged_lines
from guard_desk.formats.registry import FOLDER_FORMATS, READERS, named_format, recognise
from guard_desk.formats.text_file import TextFile
from guard_desk.progress import RunContext
from guard_desk.records.corpus import Format, LoadResult

_SHOWN = 3
_HELP = "Guard Desk reads JSON Lines, JSON, CSV, TSV, Markdown, text, BEIR folders and case files."


def load_corpus(
    path: Path | str,
    *,
    format: Format | str | None = None,  # noqa: A002 - the name of the public contract
    encoding: str | None = None,
    ctx: RunContext | None = None,
) -> LoadResult:
    """Read a corpus from a file or folder.

    :param path: a file (plain or gzip) or a folder; `~` is the home folder.
    :param format: a name of `Format`; None = recognised by content and ending.
    :param encoding: name of a text encoding; None = found.
    :param ctx: told of progress in bytes, asked about a cancel.
    :returns: passages with unique ids in file order, questions, and what was skipped or renamed.
    :raises CorpusError: when nothing of it can be used, naming file, line and remedy.
    :raises Cancelled: between chunks of a megabyte.
    """
    chosen = named_format(format) if format is not None else None
    place = _expanded(path)
    context = ctx or RunContext()
    if _is_folder(place):
        return _load_folder(place, chosen, encoding, context)
    if chosen in FOLDER_FORMATS:
        raise CorpusError(f"the format {str(chosen)!r} is a folder; this is a file.", path=place, remedy="Choose the folder.")
    return _load_file(place, chosen, encoding, context)


def _expanded(path: Path | str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)  # no home folder: a file may be called ~


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def _load_file(path: Path, chosen: Format | None, encoding: str | None, ctx: RunContext) -> LoadResult:
    into = Collector(ctx, size_of(path))
    with TextFile(path, name=path.name, encoding=encoding, on_bytes=into.on_bytes) as text:
        _refuse_unusable(text)
        _refuse_part_of_beir(text)
        found = chosen or recognise(text)
        reader = READERS.get(found)
        if reader is None:
            raise CorpusError(f"the format {str(found)!r} is not a corpus.", path=path, remedy=_HELP)
        _read(text, into, reader)
        return _finished(into, path, found, text.encoding)


def _read(text: TextFile, into: Collector, reader: Callable[[TextFile, Collector], None]) -> None:
    """Read one file and list its damaged end, if it has one."""
    reader(text, into)
    if text.damage:
        kept = f"; line {text.cut_line} was cut there" if text.cut_line else ""
        into.skip(text.path, None, f"{text.damage}; what came before is kept{kept}")


def _refuse_unusable(text: TextFile) -> None:
    if not text.scan.head.strip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n\f\v"):
        if text.damage:
            raise CorpusError(f"{text.damage}; nothing could be read.", path=text.path, remedy="Get the file again.")
        raise CorpusError("the file is empty.", path=text.path, remedy="Choose a file with passages.")
    foreign.refuse_binary(text.path, text.scan.head)
    foreign.refuse_control_text(text.path, text.head)


def _refuse_part_of_beir(text: TextFile) -> None:
    beside = beir.beir_files(text.path.parent)[0]
    if text.path.name.casefold() in ("queries.jsonl", "queries.jsonl.gz") and beside is not None:
        raise CorpusError(
            "this file holds the questions of a BEIR folder, not passages.", path=text.path, remedy=f"Open the folder {text.path.parent}."
        )


def _finished(into: Collector, path: Path, found: Format, encoding: str) -> LoadResult:
    if not into.passages:
        raise _nothing_left(into, path, found)
    return into.result(path=path, file_format=found, encoding=encoding)


def _nothing_left(into: Collector, path: Path, found: Format) -> CorpusError:
    words = f"no passage could be read from it as {found}"
    if not into.skipped:
        return CorpusError(f"{words}: it holds nothing.", path=path, remedy=_HELP)
    first = into.skipped[0]
    where = f"line {first.line}: " if first.line is not None else ""
    more = f" ({len(into.skipped)} records were left out)" if len(into.skipped) > 1 else ""
    remedy = f"{_HELP} Each record needs a 'text'."
    return CorpusError(f"{words}; {where}{first.reason}{more}.", path=path, line=first.line, remedy=remedy)


def _load_folder(folder: Path, chosen: Format | None, encoding: str | None, ctx: RunContext) -> LoadResult:
    corpus, queries, judgements = beir.beir_files(folder)
    if chosen is Format.BEIR or (chosen is None and corpus is not None):
        if corpus is None:
            raise CorpusError(
                "the folder has no corpus.jsonl.", path=folder, remedy="A BEIR folder holds corpus.jsonl, queries.jsonl and qrels/*.tsv."
            )
        return _load_beir(folder, corpus, queries, judgements, encoding, ctx)
    if chosen not in (None, Format.MARKDOWN_FOLDER):
        raise CorpusError(f"the format {str(chosen)!r} is a file; this is a folder.", path=folder, remedy="Choose the file in it.")
    files = list(readable_files(folder))
    if not files:
        raise _no_files(folder)
    return _load_documents(folder, files, encoding, ctx)


def _no_files(folder: Path) -> CorpusError:
    try:
        names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir())
    except OSError as error:
        return unreadable(folder, error)
    if {"response.jsonl", "source_info.jsonl"} <= {name.casefold().removesuffix(".gz") for name in names}:
        return foreign.not_yet("RAGTruth", folder)
    if not names:
        return CorpusError(
            "the folder is empty: there is no file in it.", path=folder, remedy="Choose a folder with Markdown files, or a file."
        )
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    inner = [name for name in names if name.endswith("/") and beir.beir_files(folder / name)[0]]
    remedy = f"Open the BEIR folder {inner[0]} in it." if inner else "Open one of its files instead, or a folder of Markdown or text files."
    return CorpusError(f"there is no file of Markdown or text in the folder (it has {shown}).", path=folder, remedy=remedy)


def _load_beir(
    folder: Path, corpus: Path, queries: Path | None, judgements: Iterable[Path], encoding: str | None, ctx: RunContext
) -> LoadResult:
    parts = [
        (corpus, beir.read_corpus),
        *([(queries, beir.read_queries)] if queries else []),
        *((path, beir.read_judgements) for path in judgements),
    ]
    into = Collector(ctx, sum(size_of(path) for path, _ in parts))
    found: list[str] = []
    for path, reader in parts:
        name = path.relative_to(folder).as_posix()
        found += _read_part(path, name, encoding, into, lambda _, chosen=reader: chosen)  # type: ignore[misc]
    if queries is None:
        into.skip(folder, None, "the folder has no queries.jsonl: the passages are read, there are no questions")
    return _finished(into, folder, Format.BEIR, _joined(found))


def _load_documents(folder: Path, files: list[tuple[Path, str]], encoding: str | None, ctx: RunContext) -> LoadResult:
    into = Collector(ctx, sum(size_of(path) for path, _ in files))
    found: list[str] = []
    for path, name in files:
        found += _read_part(path, name, encoding, into, _document_reader)
    return _finished(into, folder, Format.MARKDOWN_FOLDER, _joined(found))


def _document_reader(text: TextFile) -> Callable[[TextFile, Collector], None]:
    if plain_suffix(text.name) in MARKDOWN_ENDINGS:
        return read_markdown
    return read_tagged_lines if looks_tagged(text.head) else read_plain_text


def _read_part(
    path: Path,
    name: str,
    encoding: str | None,
    into: Collector,
    reader_of: Callable[[TextFile], Callable[[TextFile, Collector], None]],
) -> list[str]:
    """Read one file of a folder; one that cannot be used is listed and the others go on. Gives its encoding."""
    try:
        with TextFile(path, name=name, encoding=encoding, on_bytes=into.on_bytes) as text:
            _refuse_unusable(text)
            _read(text, into, reader_of(text))
            return [text.encoding]
    except CorpusError as error:
        into.skip(path, error.line, f"{error.cause} {error.remedy}".strip())
        return []


def _joined(names: list[str]) -> str:
    """Each encoding once, in the order met."""
    return ", ".join(dict.fromkeys(names)) or "utf-8"
