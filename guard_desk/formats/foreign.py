"""Files of other tools and other kinds: recognised and refused by name, never misread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from guard_desk.errors import CorpusError

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[\[\]{}]', re.DOTALL)
_OBJECTS = 20

# First bytes (at an offset) of files that are not text.
_MAGIC = (
    (0, b"%PDF", "a PDF document", "Save its text as .txt or Markdown first."),
    (0, b"\x89PNG", "a PNG picture (binary)", "Open a text or JSON file."),
    (0, b"\xff\xd8\xff", "a JPEG picture (binary)", "Open a text or JSON file."),
    (0, b"GIF8", "a GIF picture (binary)", "Open a text or JSON file."),
    (8, b"WEBP", "a WebP picture (binary)", "Open a text or JSON file."),
    (0, b"PAR1", "a Parquet file", "Export it as JSON Lines or CSV first (pandas: DataFrame.to_json(orient='records', lines=True))."),
    (0, b"ARROW1", "an Arrow file", "Export it as JSON Lines or CSV first (datasets: Dataset.to_json)."),
    (0, b"SQLite format 3\0", "an SQLite database", "Export the table as CSV first."),
    (0, b"\xd0\xcf\x11\xe0", "an old Office document (.xls, .doc)", "Save it as CSV or plain text first."),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it first."),
    (0, b"Rar!", "a RAR archive", "Unpack it first."),
    (0, b"BZh", "a bzip2 file", "Unpack it first, or pack it with gzip."),
    (0, b"\xfd7zXZ\0", "an xz file", "Unpack it first, or pack it with gzip."),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard file", "Unpack it first, or pack it with gzip."),
    (257, b"ustar", "a tar archive", "Unpack it and open the folder or file inside."),
    (0, b"\x7fELF", "a program", "Open a text or JSON file."),
    (0, b"MZ\x90", "a program", "Open a text or JSON file."),
    (0, b"\x93NUMPY", "a NumPy array", "Vectors are given beside a corpus; open the file with the texts."),
    (0, b"{\\rtf", "an RTF document", "Save it as plain text first."),
)
_ZIP_KINDS = (
    (b"xl/", "an Excel workbook (.xlsx)", "Save the sheet as CSV first."),
    (b"word/", "a Word document (.docx)", "Save it as plain text or Markdown first."),
    (b"ppt/", "a PowerPoint file (.pptx)", "Save its text first."),
    (b"mimetypeapplication/epub", "an EPUB book", "Save its text first."),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file", "Save it as CSV or plain text first."),
)


def refuse_binary(path: Path, head: bytes) -> None:
    """Refuse what is no text. Call it before decoding.

    :raises CorpusError: naming the kind of file.
    """
    for offset, magic, name, remedy in _MAGIC:
        if head[offset : offset + len(magic)] == magic:
            raise CorpusError(f"this is {name}, not a text format that Guard Desk reads.", path=path, remedy=remedy)
    if head.startswith(b"PK\x03\x04"):
        name, remedy = next(
            ((n, r) for mark, n, r in _ZIP_KINDS if mark in head), ("a ZIP archive", "Unpack it and open the folder or file inside.")
        )
        raise CorpusError(f"this is {name}, not a text format that Guard Desk reads.", path=path, remedy=remedy)


def refuse_control_text(path: Path, head: str) -> None:
    """Refuse text of which much is control characters.

    :raises CorpusError: when one in ten characters is one.
    """
    control = sum(1 for ch in head if (ch < " " and ch not in "\t\r\n\f\x1b") or ch == "\x7f")
    if control > 3 and control * 10 > len(head):
        raise CorpusError(
            "this is a binary file, not a text format that Guard Desk reads.", path=path, remedy="Open a text, Markdown, CSV or JSON file."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Names of one JSON object: its own, and those of objects inside it."""

    own: frozenset[str]
    inner: frozenset[str] = frozenset()

    def has(self, *names: str) -> bool:
        """Whether the object itself has all of these."""
        return self.own.issuperset(names)

    def any_of(self, *names: str) -> bool:
        """Whether the object or one inside it has one of these."""
        return any(name in self.own or name in self.inner for name in names)


def peek_objects(head: str) -> Iterator[Keys]:
    """Keys of the first outermost objects of a JSON text that may be cut anywhere, whatever lists they stand in."""
    depth = 0
    own: set[str] = set()
    inner: set[str] = set()
    found = 0
    for token in _TOKEN.finditer(head):
        sign = token.group()
        if sign == "{":
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield Keys(own=frozenset(own), inner=frozenset(inner))
                own, inner, found = set(), set(), found + 1
                if found == _OBJECTS:
                    return
        elif token.group(2) and depth:
            (own if depth == 1 else inner).add(token.group(1))
    if own:
        yield Keys(own=frozenset(own), inner=frozenset(inner))


def _ragas(keys: Keys) -> bool:
    return (
        keys.has("user_input")
        or any(name in keys.own for name in ("retrieved_contexts", "retrived_contexts", "reference_contexts"))
        or keys.has("question", "contexts")
    )


def _ragtruth(keys: Keys) -> bool:
    return keys.has("source_id", "source_info") or keys.has("source_id", "response", "labels")


def _lettucedetect(keys: Keys) -> bool:
    return keys.has("prompt", "answer", "labels") or keys.has("answer", "labels", "context", "task_type")


def _langchain(keys: Keys) -> bool:
    return keys.has("lc", "kwargs") or keys.has("page_content") or keys.has("pageContent")


def _llamaindex(keys: Keys) -> bool:
    node = keys.any_of("class_name", "relationships", "excluded_embed_metadata_keys") and keys.any_of("id_", "node_id", "text_template")
    return "docstore/data" in keys.own or (node and not keys.has("page_content")) or keys.has("node", "score")


def _haystack(keys: Keys) -> bool:
    document = keys.has("content") and bool(keys.own & {"blob", "sparse_embedding", "dataframe"})
    old = keys.has("content", "content_type", "meta")
    return document or old or (keys.has("documents", "query") and bool(keys.own & {"data", "answer"}))


def _openinference(keys: Keys) -> bool:
    otlp = bool(keys.own & {"resourceSpans", "resource_spans"})
    named = any(
        name.startswith(("openinference.", "retrieval.documents", "attributes.openinference", "attributes.retrieval"))
        for name in keys.own | keys.inner
    )
    return otlp or named or (keys.has("attributes", "context") and keys.any_of("span_id", "spanId"))


def _ragchecker(keys: Keys) -> bool:
    return (
        (keys.has("results") and keys.any_of("retrieved_context", "gt_answer"))
        or keys.has("retrieved_context")
        or keys.has("query", "gt_answer")
    )


def _promptfoo(keys: Keys) -> bool:
    return keys.has("evalId") or (keys.has("results") and keys.any_of("promptIdx", "testIdx")) or keys.has("promptIdx", "testIdx")


def _deepeval(keys: Keys) -> bool:
    parts = ("actual_output", "actualOutput", "retrieval_context", "retrievalContext", "expected_output", "expectedOutput")
    wrapped = bool(keys.own & {"testCases", "test_cases", "goldens"}) and keys.any_of("input")
    return (keys.has("input") and any(name in keys.own for name in parts)) or wrapped


_TOOLS: tuple[tuple[str, Callable[[Keys], bool]], ...] = (
    ("LlamaIndex", _llamaindex),
    ("LangChain", _langchain),
    ("OpenInference", _openinference),
    ("promptfoo", _promptfoo),
    ("RAGChecker", _ragchecker),
    ("DeepEval", _deepeval),
    ("Ragas", _ragas),
    ("RAGTruth", _ragtruth),
    ("LettuceDetect", _lettucedetect),
    ("Haystack", _haystack),
)
FOREIGN_NAMES = {name.casefold(): name for name, _ in _TOOLS}


def tool_of(objects: Iterable[Keys]) -> str | None:
    """The tool whose file this is, by the keys of its objects; None when it is none that we know."""
    for keys in objects:
        for name, is_it in _TOOLS:
            if is_it(keys):
                return name
    return None


def not_yet(name: str, path: Path | None) -> CorpusError:
    """The error for a known format that is not read yet."""
    return CorpusError(
        f"this is {'an' if name[0] in 'AEIO' else 'a'} {name} file; Guard Desk does not read that format yet.",
        path=path,
        remedy="Write its passages as JSON Lines with 'id' and 'text' (or CSV with these columns), "
        "or as a case file *.guarddesk.json with 'question', 'answer' and 'passages'.",
    )
