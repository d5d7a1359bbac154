"""Whatever the bytes: passages, or an error that says what to do. Never another exception, never a hang."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus
from guard_desk.records.corpus import Format, LoadResult

NAMES = ("a.jsonl", "a.json", "a.csv", "a.tsv", "a.md", "a.txt", "a.guarddesk.json", "a", "a.jsonl.gz")
SEEDS = (
    b'{"id":"a","text":"one","metadata":{"k":[1,{"x":null}]}}\n{"id":"b","text":"\xe5\xa4\xa9 \\ud83d"}\n',
    json.dumps([{"id": n, "text": f"text {n}", "source": "s"} for n in range(4)]).encode(),
    b'id,text,source\r\n1,"quoted\r\nline",a\r\n2,plain,b\r\n',
    b"---\ntitle: x\n---\n# A\n\ntext\n\n```\ncode\n\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    b"[source=official][doc=a[1]][date=2025-01] text\n[source=blog][doc=b text\n",
    b'{"question":"Q?","answer":"A","passages":["x",{"id":"b","text":"y"}],"labels":{"b":true},"judgements":[{"id":"b","relevant":1}]}',
    gzip.compress(b'{"id":"a","text":"one"}\n' * 50),
    '{"id":"a","text":"one"}\n'.encode("utf-16"),
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file with some bytes taken out, put in, or changed."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        data[at : at + draw(st.integers(0, 6))] = draw(
            st.binary(max_size=4) | st.sampled_from([b'"', b"[", b"}", b"\n", b"\r", b",", b"\\", b"\0"])
        )
    return bytes(data)


def outcome(path: Path, chosen: Format | None = None) -> LoadResult | CorpusError:
    try:
        return load_corpus(path, format=chosen)
    except CorpusError as error:
        return error


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40, deadline=None)
@given(data=st.binary(max_size=200) | damaged())
def test_passages_or_a_clear_error(name: str, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        result = outcome(path)
        if isinstance(result, CorpusError):
            assert (result.path, bool(result.remedy)) == (str(path), True)
        else:
            assert len(result.corpus) > 0
            assert all(passage.text.strip() and passage.id.strip() for passage in result.corpus.passages)


@pytest.mark.parametrize("chosen", [item for item in Format if item not in (Format.TRACE, Format.BEIR, Format.MARKDOWN_FOLDER)])
@settings(max_examples=40, deadline=None)
@given(data=damaged())
def test_any_forced_format(chosen: Format, data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.dat"
        path.write_bytes(data)
        result = outcome(path, chosen)
        assert not isinstance(result, CorpusError) or result.path == str(path)
