from __future__ import annotations

import pytest

from guard_desk import lang
from guard_desk.text.support.language import patterns, phrases
from guard_desk.text.support.quotes import find_quotes, quoted_words
from guard_desk.text.support.refusal import is_refusal
from guard_desk.text.support.vague import find_vague


@pytest.mark.parametrize("code", lang.codes())
@pytest.mark.parametrize("name", ["refusal_strong", "refusal_weak", "vague", "passive"])
def test_every_pattern_compiles(code: str, name: str) -> None:
    assert isinstance(patterns(f"verify.{name}", code), tuple)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "I don't have enough information to answer that."),
        ("en", "I don’t have enough information to answer that."),
        ("en", "Insufficient."),
        ("en", "The supplied passages do not say how long call recordings are kept."),
        ("en", "There is not enough evidence in the context to determine the price."),
        ("en", "The documents provided don't mention a deadline."),
        ("en", "I cannot answer this question from the passages."),
        ("en", "This cannot be determined from the given text."),
        ("en", "The salary is not mentioned in the provided passages."),
        ("en", "No information about the salary is given in the sources."),
        ("en", "I do not know."),
        ("en", "None of the passages states who signed it."),
        ("zh", "根据现有资料，无法确定保修期的长度。"),
        ("zh", "提供的文档中没有提到价格。"),
        ("zh", "信息不足，无法回答。"),
        ("zh", "我不知道。"),
        ("de", "Dazu enthalten die vorliegenden Texte keine Angabe."),
        ("de", "Das lässt sich anhand der Texte nicht beantworten."),
        ("de", "Die Quellen nennen keinen Preis."),
        ("fr", "Les passages fournis ne précisent pas la date."),
        ("fr", "Je ne sais pas."),
        ("fr", "Il n'y a pas assez d'informations pour répondre."),
        ("es", "Los pasajes no indican el precio."),
        ("es", "No hay suficiente información para responder."),
        ("ta", "இதற்குப் போதுமான தகவல் இல்லை."),
    ],
)
def test_refusals(code: str, sentence: str) -> None:
    assert is_refusal(sentence, (code,))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "The shuttle does not stop at the depot."),
        ("en", "Gift cards cannot be returned."),
        ("en", "The lease does not mention pets."),
        ("en", "No visitors are allowed after ten."),
        ("en", "Each store manager receives 3 keys."),
        ("zh", "试用账号不能导出数据。"),
        ("zh", "用户无法修改密码。"),
        ("de", "Das Hotel nimmt keine Hunde auf."),
        ("fr", "Le musée n'ouvre pas le lundi."),
        ("es", "El hotel no admite perros."),
    ],
)
def test_denials_of_facts_are_no_refusals(code: str, sentence: str) -> None:
    assert not is_refusal(sentence, (code,))


@pytest.mark.parametrize(
    ("code", "answer", "expected"),
    [
        ("en", "According to a recent report, costs rose.", ["According to a recent report"]),
        ("en", "As mentioned earlier, tickets can be exchanged.", ["As mentioned earlier"]),
        ("en", "As stated in the agreement, the paint is safe.", ["As stated in the agreement"]),
        ("en", "Some experts say that prices will fall.", ["Some experts say that"]),
        ("en", "It is widely known that prices fall.", ["It is widely known that"]),
        ("en", "According to the passages, costs rose.", []),
        ("en", "Costs rose because of steel prices.", []),
        ("de", "Laut einem Bericht, stiegen die Kosten.", ["Laut einem Bericht"]),
        ("de", "Wie bereits erwähnt, sind Karten umtauschbar.", ["Wie bereits erwähnt"]),
        ("fr", "Selon un rapport récent, les coûts ont augmenté.", ["Selon un rapport récent"]),
        ("es", "Según un informe reciente, los costes subieron.", ["Según un informe reciente"]),
        ("zh", "如前所述，门票可以更换。", ["如前所述"]),
        ("zh", "根据某份报告，成本上升。", ["根据某份报告"]),
    ],
)
def test_vague_phrases(code: str, answer: str, expected: list[str]) -> None:
    assert [span.of(answer) for span in find_vague(answer, (code,), lambda reference: False)] == expected


def test_a_reference_that_the_passages_have_is_not_vague() -> None:
    answer = "According to the annual report, costs rose."
    assert find_vague(answer, ("en",), lambda reference: "report" in reference) == ()


def test_quotes_need_some_length() -> None:
    answer = 'The "pilot" said: "the doors are closed at nine" and «on ne passe plus par ici».'
    assert [span.of(answer) for span in find_quotes(answer)] == ['"the doors are closed at nine"', "«on ne passe plus par ici»"]
    assert quoted_words('"The doors, are  Closed."') == "the doors are closed"


def test_phrases_are_folded_and_longest_first() -> None:
    found = phrases("verify.yes", "en")
    assert found == tuple(sorted(found, key=lambda phrase: (-len(phrase), phrase)))
    assert "that's correct" in found
