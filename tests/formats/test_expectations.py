"""The acceptance set of good and bad files: a small one of our own, and the large one where it lies beside the project."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.formats.expectations import problems

ROWS = [
    {"id": "a", "text": "The pump delivers 12 litres.", "version": "2"},
    {"id": "b", "text": "备份保留 7 天。"},
    {"id": "c", "text": "கோப்புகள் நகலெடுக்கப்படும்."},
]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)


def expect(format_name: str, passages: Any, *skipped: tuple[int | None, str], error: str | None = None, **extra: Any) -> dict[str, Any]:
    left_out = [{"line": line, "reason_contains": reason} for line, reason in skipped]
    return {"format": format_name, "questions": 0, "passages": passages, "skipped": left_out, "error_contains": error, **extra}


REFUSED = "unknown"
FILES: dict[str, tuple[bytes | str, dict[str, Any]]] = {
    "utf8.jsonl": (LINES, expect("jsonl_passages", 3, encoding="utf-8")),
    "bom.jsonl": (b"\xef\xbb\xbf" + LINES.encode(), expect("jsonl_passages", 3, encoding="utf-8-sig")),
    "utf16.jsonl": (b"\xff\xfe" + LINES.encode("utf-16-le"), expect("jsonl_passages", 3, encoding="utf-16-le")),
    "utf16be.jsonl": (b"\xfe\xff" + LINES.encode("utf-16-be"), expect("jsonl_passages", 3, encoding="utf-16-be")),
    "gb.jsonl": ('{"id":"z","text":"年假须提前两周申请。"}\n'.encode("gb18030"), expect("jsonl_passages", 1, encoding="gb18030")),
    "cp1252.csv": ("id,text\r\n1,Café crème costs €4\r\n".encode("cp1252"), expect("csv_passages", 1, encoding="cp1252", contains=["€4"])),
    "crlf.jsonl": (LINES.replace("\n", "\r\n"), expect("jsonl_passages", 3)),
    "u2028.jsonl": ('{"id":"u","text":"a\u2028b\u2029c\u0085d"}\n', expect("jsonl_passages", 1, contains=["a\u2028b\u2029c\u0085d"])),
    "Prüf 测试 (1).jsonl": (LINES, expect("jsonl_passages", 3)),
    "array.json": (json.dumps(ROWS, indent=1), expect("json_passages", 3)),
    "cut.json": (json.dumps(ROWS)[:-30], expect("json_passages", 2, (None, "truncated"))),
    "blank_lines.jsonl": ("\n" + LINES + " \n\t\n\n", expect("jsonl_passages", 3)),
    "one_bad_line.jsonl": (LINES + '{"id": "x", "te\n' + '{"id":"d","text":"x"}\n', expect("jsonl_passages", 4, (4, "json"))),
    "garbage.jsonl": ('{"id":"g","text":"good"} more\n' + LINES, expect("jsonl_passages", 3, (1, "json"))),
    "no_text.jsonl": (
        LINES + '{"id":"x"}\n{"id":"y","text":null}\n{"id":"z","text":" "}\n',
        expect("jsonl_passages", 3, (4, "text"), (5, "text"), (6, "empty")),
    ),
    "types.jsonl": (
        '{"id":17,"text":"fine"}\n{"id":"w","text":42}\n["x"]\n"y"\nnull\n3.5\n',
        expect("jsonl_passages", 1, (2, "text"), (3, "object"), (4, "object"), (5, "object"), (6, "object")),
    ),
    "same_ids.jsonl": (
        '{"id":7,"text":"a"}\n{"id":"7","text":"b"}\n',
        expect("jsonl_passages", 2, renamed=[{"line": 2, "from": "7", "to": "7#2"}]),
    ),
    "deep.jsonl": (LINES + '{"id":"d","text":"x","m":' + "[" * 5000 + "]" * 5000 + "}\n", expect("jsonl_passages", 3, (4, "nest"))),
    "very_deep.json": ("[" * 200_000, expect(REFUSED, 0, error="nest")),
    "half.jsonl": ('{"id":"u","text":"half \\ud83d emoji"}\n', expect("jsonl_passages", 1, contains=["half \ud83d emoji"])),
    "nul.jsonl": (b'{"id":"b","text":"raw \x00"}\n' + LINES.encode(), expect("jsonl_passages", 3, (1, "control"))),
    "hidden.jsonl": ('{"id":"c","text":"\u202eab\u202c\u200b"}\n', expect("jsonl_passages", 1, contains=["\u202eab\u202c\u200b"])),
    "only_bad.jsonl": ("{bad\n{worse\n", expect(REFUSED, 0, error="json")),
    "empty.jsonl": ("", expect(REFUSED, 0, error="empty")),
    "only_bom.jsonl": (b"\xef\xbb\xbf", expect(REFUSED, 0, error="empty")),
    "picture.jsonl": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), expect(REFUSED, 0, error="binary")),
    "quoted.csv": ('id,text\r\nq,"one\ntwo, three"\r\nr,\r\n', expect("csv_passages", 1, (4, "empty"), contains=["one\ntwo, three"])),
    "formula.csv": ('id,text\r\nf,"=HYPERLINK(""x"")"\r\n', expect("csv_passages", 1, contains=['=HYPERLINK("x")'])),
    "semicolon.csv": ('\ufeffid;text;quelle\r\nd;"Text; mehr";a\r\n', expect("csv_passages", 1, contains=["Text; mehr"], sources=["a"])),
    "short_row.csv": ("id,text\ns\nt,whole,extra\n", expect("csv_passages", 1, (2, "column"))),
    "no_column.csv": ("id,amount\n1,20\n", expect(REFUSED, 0, error="column")),
    "table.tsv": ('id\ttext\nt\tA "quoted" word.\n', expect("tsv_passages", 1)),
    "tagged.txt": (
        "[source=official][doc=a.example/x][date=2026-03] The fee is 24.\nNo tags.\n",
        expect("tagged_lines", 2, sources=["a.example/x"]),
    ),
    "plain.txt": ("One line\nof a paragraph.\n\n\nAnother.\n", expect("plain_text", 2, contains=["One line\nof a paragraph."])),
    "packed.jsonl.gz": (gzip.compress(LINES.encode()), expect("jsonl_passages", 3)),
    "unmarked.jsonl": (gzip.compress(LINES.encode()), expect("jsonl_passages", 3)),
}


@pytest.mark.parametrize("name", FILES)
def test_own_file(name: str, tmp_path: Path) -> None:
    data, expected = FILES[name]
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    assert problems(path, expected) == []


def test_shared_files(tmp_path: Path) -> None:
    generator = Path(__file__).resolve().parents[3] / "shared" / "cases" / "files" / "make_files.py"
    if not generator.is_file():
        pytest.skip("the acceptance set is not beside the project")
    subprocess.run([sys.executable, str(generator), str(tmp_path)], check=True, stdout=subprocess.DEVNULL)
    table = json.loads((tmp_path / "expectations.json").read_text(encoding="utf-8"))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        table.pop("unreadable.jsonl")  # root may read everything
    failed = {name: found for name, expected in table.items() if (found := problems(tmp_path / name, expected))}
    assert len(table) > 60
    assert failed == {}
