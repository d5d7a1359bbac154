"""Laws that hold for any text: spans inside, exact slices, order, symmetry, no exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.text.scan import scan
from guard_desk.text.values import Relation, compare, find_values

LANGUAGES = st.lists(st.sampled_from(["en", "zh", "de", "fr", "es", "ta", "xx"]), max_size=3).map(tuple)
PIECES = """
1 1,500 1.500 ３０ ½ ⁸ × ^ % ° $ € £ ¥ EUR USD k M bn one two twenty hundred thousand million half an a and of the quarter third
first day days week hours h min month years m km kg MB/s Mb/s per / - – ~ + . , : ; ( ) [ ] ` `` ' # @ _ -- = \\ e\u0301 2027
2027-03-04 04.03.2027 4/3/2027 March mars März marzo May Q3 Monday 21:10 9 pm noon Uhr heures at least at most more than not between
to or 三 十 百 万 亿 半 两 个 天 小时 元 年 月 日 号 点 分 百分之 至 以上 不超过 周 第 E1042 v2.1 a_b /a/b x.y net.backoff
http://a.b a@b.c 🚀 மணி
"""
WORDS = (*PIECES.split(), "\n", "\u00a0", "\u200b", "\ud800")
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=60),
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(["", " "])), max_size=14).map(
        lambda parts: "".join(piece + gap for piece, gap in parts)
    ),
)


@settings(max_examples=300, deadline=None)
@given(TEXTS, LANGUAGES)
def test_spans_are_inside_in_order_and_exact(text: str, languages: tuple[str, ...]) -> None:
    reached = 0
    for value in find_values(text, languages):
        assert reached <= value.span.start < value.span.end <= len(text)
        assert text[value.span.start : value.span.end] == value.text
        assert value.canonical
        reached = value.span.end


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_compare_is_symmetric_and_reflexive(left: str, right: str) -> None:
    one, two = find_values(left, ("en", "zh")), find_values(right, ("en", "de"))
    for a in one:
        assert compare(a, a) is Relation.EQUAL
        for b in two:
            assert compare(a, b) is compare(b, a)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_value_does_not_depend_on_what_stands_far_before_it(text: str) -> None:
    """Emoji and line breaks put before a text move its spans and change nothing else."""
    prefix = "\U0001f680\r\n\r\n"
    here, there = find_values("\n\n" + text, ("en",)), find_values(prefix + "\n\n" + text, ("en",))
    assert [(value.canonical, value.span.start - 2) for value in here] == [(value.canonical, value.span.start - 7) for value in there]


@given(st.integers(0, 10**9))
def test_numbers_are_equal_in_every_format(number: int) -> None:
    english = f"{number:,}"
    forms = [
        (english, "en"),
        (english.replace(",", " "), "en"),
        (english.replace(",", "'"), "de"),
        (english.replace(",", "."), "de"),
        (english.replace(",", "\u202f"), "fr"),
    ]
    values = [find_values(f"{form} files", (lang,)) for form, lang in forms]
    assert {value[0].canonical for value in values if value and value[0].kind.value == "number"} <= {str(number)}


@pytest.mark.parametrize(
    "piece",
    [
        "9",
        "9 ",
        "a-",
        "1,",
        "1.",
        "111 ",
        "_",
        "aB",
        "/a",
        "ab.",
        "`",
        "one ",
        "one hundred and ",
        "十",
        "百分之",
        "1-",
        "1 h ",
        "2 days and ",
        "$",
        "-",
        "at most ",
        "v1.",
        "1/",
        "zweihundert",
        "half a ",
        "20:",
        "2027年",
        "E1",
        "1e",
        "a=b",
        "[",
        "a\u0301",
        "1 to ",
    ],
)
def test_work_grows_with_length_alone(piece: str) -> None:
    """Hostile repetitions: no deep recursion, and no more tokens read than a small multiple of the text's."""
    text = piece * (4000 // len(piece))
    steps = scan(text)
    assert len(steps) <= len(text)
    values = find_values(text, ("en", "de", "fr", "es", "zh", "ta"))
    assert len(values) <= len(text)
