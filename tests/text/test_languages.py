"""Languages by script and stop words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard_desk.text.languages import detect, dominant_script, is_cjk, script_shares, with_data


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The refund is paid within 14 days.", "en"),
        ("Der Zuschuss beträgt höchstens 12500 Euro.", "de"),
        ("Le café du musée ferme à 18 h le dimanche.", "fr"),
        ("Combien coûte l'inscription ?", "fr"),
        ("La sede está en Logroño.", "es"),
        ("快递柜保管包裹 20 天", "zh"),
        ("நூலகத்தின் கிளை எங்கே உள்ளது?", "ta"),
        ("これはテストです。", "ja"),
        ("Привет, мир", "ru"),
        ("한국어 문장입니다", "ko"),
        ("14 days.", "en"),
        ("| Free | Pro | 3 |", "en"),
        ("", "en"),
    ],
)
def test_main_language(text: str, language: str) -> None:
    assert detect(text)[0] == language


def test_a_mixed_text_gives_both() -> None:
    text = "The office is closed on Sundays and it opens at nine. 办公室周日关闭，九点开门，请提前预约。"
    assert set(detect(text)) == {"en", "zh"}


def test_a_few_latin_words_in_chinese_add_nothing() -> None:
    assert detect("访问令牌由 API 在一小时后过期，需要重新登录系统") == ("zh",)


def test_dominant_script() -> None:
    assert dominant_script(["a short one", "文件保留三十天，之后自动删除，不可恢复。"]) == "Han"
    assert dominant_script(["12", ""]) == "Latin"
    assert dominant_script(["நூலகம்", "tiny"]) == "Tamil"


def test_only_languages_with_data_remain() -> None:
    assert with_data(("ru", "de")) == ("de",)
    assert with_data(("ru",)) == ("en",)


def test_is_cjk() -> None:
    assert is_cjk("文")
    assert is_cjk("の")
    assert not is_cjk("a")
    assert not is_cjk("한")


@given(st.text(max_size=200))
def test_laws(text: str) -> None:
    languages = detect(text)
    assert languages
    assert len(set(languages)) == len(languages)
    shares = script_shares(text)
    assert not shares or abs(sum(share for _, share in shares) - 1) < 1e-6
