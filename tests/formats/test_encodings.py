from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from guard_desk.errors import CorpusError
from guard_desk.formats import load_corpus

Make = Callable[[str, bytes | str], Path]
TEXTS = {
    "cp1252": "Café crème coûte 4 €. Déjà vu à l'été. Größe und Übung, señor.",
    "cp1250": "Zażółć gęślą jaźń. Pompa dostarcza dwanaście litrów na minutę.",
    "cp1251": "Насос подаёт двенадцать литров в минуту. Замена уплотнения каждые 400 часов.",
    "cp1254": "Pompa dakikada on iki litre su sağlar, değişim şarttır, ılık suyla çalışır.",
    "gb18030": "会员积分两年内有效。停车场只接受扫码和银行卡付款。",
    "big5": "會員積分兩年內有效。停車場只接受掃碼和銀行卡付款。",
    "shift_jis": "会員ポイントは二年間有効です。駐車場は現金を受け付けません。",
    "utf-16-le": "The pump delivers 12 litres per minute.",
    "utf-16-be": "会员积分 2 年内有效。 The pump is on.",
}


@pytest.mark.parametrize("name", TEXTS)
def test_an_encoding_without_a_mark_is_found(make: Make, name: str) -> None:
    result = load_corpus(make("a.txt", TEXTS[name].encode(name)))
    assert (result.encoding, result.corpus.passages[0].text) == (name, TEXTS[name])


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_is_no_text(make: Make, mark: str) -> None:
    result = load_corpus(make("a.jsonl", '{"id":"a","text":"ü 天"}\n'.encode(mark)))
    assert [(passage.id, passage.text) for passage in result.corpus.passages] == [("a", "ü 天")]


def test_a_forced_encoding_wins(make: Make) -> None:
    path = make("a.txt", "Größe".encode("cp1252"))
    assert load_corpus(path, encoding="cp1250").encoding == "cp1250"
    assert load_corpus(path, encoding="Windows-1252").corpus.passages[0].text == "Größe"


@pytest.mark.parametrize("name", ["klingon", "rot13", "base64"])
def test_an_unknown_encoding_is_told(make: Make, name: str) -> None:
    with pytest.raises(CorpusError, match=f"{name}.*not known"):
        load_corpus(make("a.txt", "text"), encoding=name)


def test_a_late_umlaut_is_found(make: Make) -> None:
    result = load_corpus(make("a.txt", b"plain words\n\n" * 100_000 + "Größe €4".encode("cp1252")))
    assert (result.encoding, result.corpus.passages[-1].text) == ("cp1252", "Größe €4")


def test_a_line_in_another_encoding_is_listed_and_the_others_stay(make: Make) -> None:
    good = '{"id":"%s","text":"größe Übung"}\n'
    data = (good % "a").encode() + '{"id":"b","text":"größe"}\n'.encode("cp1252") + (good % "c").encode()
    result = load_corpus(make("a.jsonl", data))
    assert result.encoding == "utf-8"
    assert [passage.id for passage in result.corpus.passages] == ["a", "c"]
    assert result.skipped[0].line == 2
    assert "0xf6" in result.skipped[0].reason


def test_half_characters_of_careless_writers_do_not_change_the_encoding(make: Make) -> None:
    result = load_corpus(make("a.jsonl", b'{"id":"w","text":"\xed\xa0\xbd"}\n{"id":"a","text":"one"}\n'))
    assert (result.encoding, len(result.corpus), result.skipped[0].line) == ("utf-8", 1, 1)
