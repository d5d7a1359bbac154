from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import Cancelled, CorpusError
from guard_desk.formats import load_corpus
from guard_desk.progress import Progress, RunContext

Make = Callable[[str, bytes | str], Path]
LINE = '{"id":"%s","text":"The pump delivers twelve litres."}\n'


def many(count: int) -> str:
    return "".join(LINE % number for number in range(count))


@pytest.mark.parametrize("packed", [False, True])
def test_progress_counts_the_bytes_on_disk(make: Make, packed: bool) -> None:
    data = many(40_000).encode()
    path = make("a.jsonl", gzip.compress(data) if packed else data)
    seen: list[Progress] = []
    load_corpus(path, ctx=RunContext(on_progress=seen.append))
    assert len(seen) >= 2
    assert [item.done for item in seen] == sorted(item.done for item in seen)
    assert {(item.stage, item.total, item.unit) for item in seen} == {("load", path.stat().st_size, "bytes")}
    assert seen[-1].fraction == 1.0


def test_a_cancel_stops_between_chunks(make: Make) -> None:
    ctx = RunContext()
    ctx.on_progress = lambda _: ctx.token.cancel()
    with pytest.raises(Cancelled):
        load_corpus(make("a.jsonl", many(40_000)), ctx=ctx)


def test_the_digest_tells_any_change(make: Make) -> None:
    first = load_corpus(make("a.jsonl", many(3))).corpus.digest
    assert load_corpus(make("b.jsonl", many(3))).corpus.digest == first
    assert load_corpus(make("c.jsonl", many(4))).corpus.digest != first
    assert load_corpus(make("d.jsonl", many(3).replace("twelve", "eleven"))).corpus.digest != first


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_cut_gzip_keeps_what_came_before(make: Make, keep: float) -> None:
    packed = gzip.compress("".join(LINE % hash(str(n)) for n in range(3000)).encode())
    result = load_corpus(make("a.jsonl.gz", packed[: int(len(packed) * keep)]))
    assert 0 < len(result.corpus) < 3000
    assert [item.line for item in result.skipped] == [None]
    assert "truncated" in result.skipped[0].reason


def test_a_gzip_damaged_in_the_middle_keeps_what_came_before(make: Make) -> None:
    packed = bytearray(gzip.compress("".join(LINE % hash(str(n)) for n in range(3000)).encode()))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = b"\xff" * 40
    result = load_corpus(make("a.jsonl.gz", bytes(packed)))
    assert len(result.corpus) > 100
    assert [item.line for item in result.skipped if item.line is None] == [None]


def test_gzip_of_several_members_and_padding(make: Make) -> None:
    packed = gzip.compress((LINE % "a").encode()) + gzip.compress((LINE % "b").encode()) + b"\0" * 100
    result = load_corpus(make("a.jsonl", packed))
    assert ([p.id for p in result.corpus.passages], result.skipped) == (["a", "b"], ())


def test_a_cut_table_leaves_out_the_cut_row(make: Make) -> None:
    packed = gzip.compress(("id,text\n" + "".join(f"{n},row {n * n * 7919}\n" for n in range(3000))).encode())
    result = load_corpus(make("a.csv.gz", packed[:-2000]))
    assert all(p.text == f"row {int(p.id) ** 2 * 7919}" for p in result.corpus.passages)


def test_paths_that_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CorpusError, match="not found"):
        load_corpus(tmp_path / "missing.jsonl")
    with pytest.raises(CorpusError, match="null"):
        load_corpus(str(tmp_path) + "/a\0b")
    (tmp_path / "home.jsonl").write_text(LINE % "a", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert len(load_corpus("~/home.jsonl").corpus) == 1


def test_a_file_that_cannot_be_read_any_more(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make("a.jsonl", many(60_000))
    real_open = Path.open

    class Breaking(io.BufferedReader):
        passes = 0

        def seek(self, *args: int) -> int:
            Breaking.passes += 1
            return super().seek(*args)

        def read(self, size: int | None = -1) -> bytes:
            if Breaking.passes == 2 and self.tell() > 1_000_000:
                raise OSError(5, "Input/output error")
            return super().read(size)

    monkeypatch.setattr(Path, "open", lambda self, *args: Breaking(real_open(self, "rb", buffering=0)))
    result = load_corpus(path)
    assert 1000 < len(result.corpus) < 60_000
    assert "reading stopped: Input/output error" in result.skipped[-1].reason


def workbook(inside: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(inside, "x")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7", "PDF"),
        (workbook("xl/workbook.xml"), "Excel"),
        (workbook("word/document.xml"), "Word"),
        (workbook("a.txt"), "ZIP"),
        (b"PAR1xxxx", "Parquet"),
        (b"SQLite format 3\0xxx", "SQLite"),
        (bytes(range(1, 30)) * 20, "binary"),
    ],
)
def test_other_kinds_of_files_are_refused_by_name(make: Make, data: bytes, words: str) -> None:
    with pytest.raises(CorpusError, match=words):
        load_corpus(make("a.dat", data))


@pytest.mark.parametrize(
    ("name", "words"), [("ragas", "Ragas"), ("nonsense", "Known: jsonl_passages"), ("beir", "is a folder"), ("trace", "not a corpus")]
)
def test_a_format_that_does_not_fit_is_told(make: Make, name: str, words: str) -> None:
    with pytest.raises(CorpusError, match=words):
        load_corpus(make("a.jsonl", LINE % "a"), format=name)


def test_a_forced_format_is_used(make: Make) -> None:
    path = make("a.jsonl", LINE % "a")
    assert load_corpus(path, format="plain_text").corpus.passages[0].text == (LINE % "a").strip()


def test_a_saved_trace_is_no_corpus(make: Make) -> None:
    with pytest.raises(CorpusError, match="saved trace"):
        load_corpus(make("a.json", '{"guard_desk_trace": 1, "trace": {}}'))
