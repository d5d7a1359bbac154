from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard_desk.progress import RunContext
from guard_desk.protocols import Analyzer
from guard_desk.records.answer import Action, AnswerState, ClaimState, Finding, Kind, Label, Severity, Verified
from guard_desk.records.corpus import Passage, Query
from guard_desk.stages.verify import verify_answer
from guard_desk.text.analyze import analyze_text

DEV = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "verify_dev.jsonl").read_bytes().split(b"\n") if line.strip()]
MORE = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "verify_more.jsonl").read_bytes().split(b"\n") if line.strip()]
VALUE_KINDS = {"date", "time", "number", "unit", "money", "percent", "entity", "identifier"}
FILLER = (
    "The weather in the valley stayed calm for most of the season. Farmers walked along the river and talked about ordinary matters. "
    "A small boat rested beside the wooden pier. Children played near the old mill while music drifted over the fields. "
)


def verified(passages: Sequence[Passage], answer: Any, question: str = "", analyzer: Analyzer | None = None) -> Verified:
    ctx = RunContext()

    def facts(text: str | None) -> Any:
        if text is None:
            return None
        return analyze_text(text) if analyzer is None else analyzer.analyze([text], ctx)[0]

    return verify_answer(
        Query(text=question),
        passages,
        [facts(passage.text) for passage in passages],
        [facts(passage.title) for passage in passages],
        answer,
        analyzer,
        ctx,
    )


def check(texts: Sequence[str], answer: Any, question: str = "") -> Verified:
    return verified([Passage(id=f"p{number}", text=text) for number, text in enumerate(texts)], answer, question)


def kinds(result: Verified) -> list[str]:
    return sorted({str(finding.kind) for finding in result.spans})


# The acceptance cases


def case_passages(case: dict[str, Any]) -> list[Passage]:
    return [Passage(id=item["id"], text=item["text"], title=item.get("title")) for item in case["passages"]]


def matches(gold: dict[str, Any], found: Finding, offset: int) -> bool:
    start, end = gold["start"] + offset, gold["end"] + offset
    shared = min(end, found.end) - max(start, found.start)
    if shared <= 0:
        return False
    if gold["kind"] in VALUE_KINDS and str(found.kind) in VALUE_KINDS:
        return shared / (max(end, found.end) - min(start, found.start)) >= 0.5 or (found.start <= start and end <= found.end)
    return True


def scores(
    prefix: str = "", filler: bool = False, analyzer: Analyzer | None = None, cases: Sequence[dict[str, Any]] = DEV
) -> tuple[float, float, float]:
    """Share of right actions, F1 of spans by overlap, agreement of kinds."""
    right = hits = missed = extra = agreed = 0
    for case in cases:
        passages = case_passages(case)
        if filler:
            passages = [*passages[:1], Passage(id="filler", text=FILLER * 210), *passages[1:]]
        result = verified(passages, prefix + case["answer"], case["query"], analyzer)
        right += str(result.action) == case["action"]
        unused = list(result.spans)
        for gold in case["spans"]:
            hit = next((item for item in unused if matches(gold, item, len(prefix))), None)
            missed += hit is None
            if hit is not None:
                unused.remove(hit)
                hits += 1
                agreed += str(hit.kind) == gold["kind"]
        extra += len(unused)
    return right / len(cases), 2 * hits / (2 * hits + missed + extra), agreed / max(1, hits)


def test_acceptance_cases() -> None:
    action, span, kind = scores()
    assert (action, span) >= (0.99, 0.98)
    assert kind >= 0.97


def test_more_cases() -> None:
    action, span, kind = scores(cases=MORE)
    assert (action >= 0.97, span >= 0.94, kind >= 0.9) == (True, True, True), (action, span, kind)


def test_acceptance_cases_after_an_emoji_and_a_windows_line_end() -> None:
    action, span, _ = scores(prefix="\U0001f680\r\n")
    assert (action, span) >= (0.99, 0.98)


def test_acceptance_cases_among_filler() -> None:
    action, span, _ = scores(filler=True)
    assert (action, span) >= (0.99, 0.98)


@pytest.mark.models
def test_acceptance_cases_with_the_embedded_names() -> None:
    from guard_desk.models.spacy_analyzer import load_analyzer

    action, span, _ = scores(analyzer=load_analyzer("en"))
    assert (action, span) >= (0.99, 0.98)


def test_the_wrong_sentence_at_the_end_of_a_long_answer() -> None:
    passages = ["The sender makes 5 attempts, waits 30 seconds between them and then gives up.", FILLER]
    answer = FILLER * 8 + "The sender waits 45 seconds between attempts."
    result = check(passages, answer, "How many retries are made?")
    assert [finding.text for finding in result.spans] == ["45 seconds"]


# What a finding says


def test_a_finding_names_the_value_found_instead() -> None:
    (finding,) = check(["Backups of the ledger are kept for 7 days."], "Backups of the ledger are kept for 30 days.").spans
    assert (finding.text, finding.kind, finding.label, finding.severity) == ("30 days", Kind.NUMBER, Label.CONTRADICTED, Severity.HIGH)
    assert finding.note == "passages say 7 days"
    assert [(item.passage_id, item.text) for item in finding.evidence] == [("p0", "7 days")]


def test_a_conflict_shows_both_sides() -> None:
    (finding,) = check(["The sensor weighs 3.1 kg.", "The sensor weighs 2.8 kg."], "The sensor weighs 3.1 kg.").spans
    assert (finding.kind, finding.label) == (Kind.CONFLICT, Label.CONFLICT)
    assert [(item.passage_id, item.text) for item in finding.evidence] == [("p0", "3.1 kg"), ("p1", "2.8 kg")]


def test_a_misattributed_citation_names_the_right_passage() -> None:
    passages = [Passage(id="a-1", text="Pets need written consent."), Passage(id="a-2", text="Bicycles are kept in the cellar.")]
    (finding,) = verified(passages, "Pets need written consent [a-2].").spans
    assert (finding.text, finding.kind, finding.label) == ("[a-2]", Kind.CITATION, Label.MISATTRIBUTED)
    assert finding.evidence[0].passage_id == "a-1"


def test_claims_carry_their_support() -> None:
    result = check(
        ["The unit is led by Dagny Moe.", "The unit is based in Brekkevik."],
        "The unit is led by Dagny Moe. The unit is based in Brekkevik.",
    )
    assert [(claim.state, {item.passage_id for item in claim.evidence}) for claim in result.claims] == [
        (ClaimState.SUPPORTED, {"p0"}),
        (ClaimState.SUPPORTED, {"p1"}),
    ]
    assert [(support.text, [item.passage_id for item in support.evidence]) for support in result.supports] == [
        ("Dagny Moe", ["p0"]),
        ("Brekkevik", ["p1"]),
    ]


def test_a_claim_is_carried_by_the_passage_that_agrees() -> None:
    (claim,) = check([*LINKS], "Links never expire by themselves, so there is no window to extend.").claims
    assert (claim.state, [item.passage_id for item in claim.evidence]) == (ClaimState.SUPPORTED, ["p0"])


def test_every_passage_that_states_a_value_supports_it() -> None:
    result = check(["Leave is 12 days.", "Leave is 12 days for all staff."], "Leave is 12 days.")
    assert [item.passage_id for item in result.supports[0].evidence] == ["p0", "p1"]


# States


@pytest.mark.parametrize("answer", [None, 7, b"bytes", ["text"]])
def test_input_that_is_no_text(answer: object) -> None:
    result = check(["A text."], answer)
    assert (result.state, result.action) == (AnswerState.INPUT_ERROR, Action.REVIEW)
    assert [(item.kind, item.start, item.end, item.severity) for item in result.spans] == [(Kind.INPUT_ERROR, 0, 0, Severity.HIGH)]


@pytest.mark.parametrize("answer", ["", "  \n\t", "\u200b \u200b"])
def test_an_empty_answer(answer: str) -> None:
    result = check(["A text."], answer)
    assert result.action is (Action.REVIEW if not answer.strip() else result.action)
    assert all(item.start <= item.end <= len(answer) for item in result.spans)


def test_no_passages() -> None:
    result = check([], "The sensor weighs 3.1 kg.")
    assert (result.state, kinds(result)) == (AnswerState.INPUT_ERROR, ["input_error"])


def test_a_refusal_is_a_state_of_its_own() -> None:
    result = check(["The report lists revenue."], "I don't have enough information to answer that.", "What is the salary?")
    assert (result.state, result.action, result.spans) == (AnswerState.REFUSAL, Action.PROCEED, ())
    assert {claim.state for claim in result.claims} == {ClaimState.NOT_CHECKED}


def test_a_refusal_beside_a_wrong_statement_is_no_refusal() -> None:
    result = check(
        ["The tower is 48 metres high."],
        "The tower is 58 metres high. The passages do not say when it was built.",
        "How high is the tower?",
    )
    assert (result.state, [item.text for item in result.spans]) == (AnswerState.CHECKED, ["58 metres"])


# One line a rule: question, passages, answer, kinds of findings

LINKS = (
    "A link never expires by itself. It stays valid, so there is no 30-day window to extend.",
    "Links expire after 30 days, and you extend the window in a minute.",
)

RULES: list[tuple[str, list[str], str, list[str]]] = [
    ("Is smoking allowed?", ["Smoking is not allowed on the upper deck."], "Smoking is allowed on the upper deck.", ["negation"]),
    ("Is smoking allowed?", ["Smoking is not allowed on the upper deck."], "Smoking is prohibited on the upper deck.", []),
    ("Can I bring a dog?", ["Dogs may not be brought into the hall."], "No, dogs may not be brought into the hall.", []),
    ("Does the pump need oil?", ["The pump is self-priming and needs no oil."], "The pump is self-priming.", []),
    ("Does the pump need oil?", ["The pump is self-priming and needs no oil."], "The pump needs oil.", ["negation"]),
    ("Was it inspected?", ["The bridge has never been inspected."], "The bridge has been inspected.", ["negation"]),
    ("Are refunds possible?", ["Tickets are non-refundable."], "Tickets are not refundable.", []),
    ("Are refunds possible?", ["Tickets are non-refundable."], "Tickets are refundable.", ["negation"]),
    ("Is the work paid?", ["The internship is unpaid."], "The internship is paid.", ["negation"]),
    ("Is the work paid?", ["The internship is unpaid."], "The internship is not paid.", []),
    ("Is it open?", ["The gate is closed at night."], "The gate is open at night.", ["negation"]),
    ("Which systems?", ["The client does not support Linux. It supports Windows."], "The client supports Windows.", []),
    ("Wird Bargeld angenommen?", ["Bargeld wird an der Kasse nicht angenommen."], "Bargeld wird an der Kasse angenommen.", ["negation"]),
    ("Wird Bargeld angenommen?", ["Bargeld wird an der Kasse nicht angenommen."], "An der Kasse wird kein Bargeld angenommen.", []),
    ("Est-il ouvert ?", ["Le musée n'est pas ouvert le lundi."], "Le musée est ouvert le lundi.", ["negation"]),
    ("会员可以转让吗？", ["会员资格不可以转让给他人。"], "会员资格可以转让给他人。", ["negation"]),
    ("会员可以转让吗？", ["会员资格不可以转让给他人。"], "会员资格不能转让给他人。", []),
    ("会员可以转让吗？", ["会员资格不可以转让给他人。"], "可以。", ["negation"]),
    ("会员可以转让吗？", ["会员资格不可以转让给他人。"], "不可以。", []),
    ("Is copper more efficient than steel, true or false?", ["Copper is more efficient than steel."], "True.", []),
    ("Is copper more efficient than steel, true or false?", ["Copper is more efficient than steel."], "False.", ["negation"]),
    ("Is copper less efficient than steel, true or false?", ["Copper is more efficient than steel."], "True.", ["negation"]),
    ("Is the limit 30 MB?", ["The upload limit is 25 MB."], "Yes.", ["negation"]),
    ("Is the limit 30 MB?", ["The upload limit is 25 MB."], "No, the upload limit is 25 MB.", []),
    (
        "Who trained whom?",
        ["Captain Ruiz trained Officer Hale in navigation."],
        "Officer Hale trained Captain Ruiz in navigation.",
        ["role"],
    ),
    (
        "Who trained whom?",
        ["Captain Ruiz trained Officer Hale in navigation."],
        "Officer Hale was trained by Captain Ruiz in navigation.",
        [],
    ),
    (
        "Who trained whom?",
        ["Captain Ruiz trained Officer Hale in navigation."],
        "Captain Ruiz was trained by Officer Hale in navigation.",
        ["role"],
    ),
    ("Where does it go?", ["The train runs from Alder to Birch every hour."], "The train runs from Birch to Alder every hour.", ["role"]),
    ("谁收购了谁？", ["海蓝科技收购了山岳软件。"], "山岳软件收购了海蓝科技。", ["role"]),
    ("谁收购了谁？", ["海蓝科技收购了山岳软件。"], "山岳软件被海蓝科技收购了。", []),
    (
        "What did they do?",
        ["On Monday the crew painted the hull and repaired the mast."],
        "The crew repaired the mast and painted the hull on Monday.",
        [],
    ),
    (
        "How do I reset it?",
        ["Hold the button until the light blinks."],
        "Hold the button until the light blinks. Then contact the vendor for a replacement unit.",
        ["claim"],
    ),
    ("Who gets a discount?", ["Students receive a discount on all tickets."], "Students get reduced prices on every ticket.", []),
    ("如何重置？", ["长按复位键直到指示灯闪烁。"], "长按复位键直到指示灯闪烁。之后请联系厂商更换新设备。", ["claim"]),
    ("Who is the mayor?", ["The mayor is Ilse Brandt."], "The mayor is Karl Brandt.", ["entity"]),
    ("Who is the mayor?", ["The mayor is Ilse Brandt.", "Karl Oster is the mayor."], "The mayor is Ilse Brandt.", ["conflict"]),
    ("Who won?", ["The French team won the cup."], "The Italian team won the cup.", ["entity"]),
    ("When is it?", ["The fair starts on 3 May 2027."], "The fair starts on May 4, 2027.", ["date"]),
    ("How heavy?", ["The copper model weighs 3 kg.", "The steel model weighs 4 kg."], "The copper model weighs 3 kg.", []),
    ("How heavy?", ["The copper model weighs 3 kg.", "The steel model weighs 4 kg."], "The copper model weighs 4 kg.", ["number"]),
    ("How tall?", ["The tower is 40 metres tall. It was built by a crew of 12."], "The tower was built by 40 workers.", ["number"]),
    ("Price?", ["The tour costs 40 euros for adults and 20 euros for children."], "The tour costs 20 euros for adults.", ["money"]),
    (
        "Price?",
        ["The tour costs 40 euros for adults and 20 euros for children."],
        "Adults pay 40 euros for the tour and children 20 euros.",
        [],
    ),
    (
        "Quote?",
        ["The captain said that the harbour was closed."],
        'The captain said: "I will never sail to this harbour again."',
        ["citation"],
    ),
    (
        "Quote?",
        ['The captain said: "The harbour is closed until further notice."'],
        "He said “the harbour is closed until further notice”.",
        [],
    ),
    ("How many?", ["The depot has 12 buses and 30 drivers."], "The depot has 30 buses.", ["number"]),
    ("Which version?", ["Version 4.2 fixed the leak."], "Version 4.3 fixed the leak.", ["identifier"]),
    ("How many visitors came?", ["The museum welcomed 12,300 visitors in 2025."], "12.3k visitors came to the museum in 2025.", []),
    ("How much was raised?", ["The round raised $2.5bn from pension funds."], "It raised 2.5 billion dollars.", []),
    ("Wie viele Zimmer?", ["Das Hotel hat 1.250 Zimmer auf zwölf Etagen."], "Das Hotel hat 1250 Zimmer auf 12 Etagen.", []),
    ("Combien ça coûte ?", ["Le billet coûte 12,50 € par personne."], "Le billet coûte 12,5 euros par personne.", []),
    ("¿Cuánto pesa?", ["El paquete pesa 1,5 kg."], "El paquete pesa 1500 gramos.", []),
    ("多少人参加？", ["共有一百二十人参加了培训。"], "培训共有 120 人参加。", []),
    ("多少钱？", ["门票每张八十元。"], "门票每张 80 元。", []),
    ("多少钱？", ["门票每张八十元。"], "门票每张 18 元。", ["money"]),
    ("何时截止？", ["报名截止日期为2027年3月1日。"], "报名截止到 2027 年 3 月 11 日。", ["date"]),
    ("几点？", ["商店晚上九点关门。"], "商店 21:00 关门。", []),
    ("几点？", ["商店晚上九点关门。"], "商店 20:00 关门。", ["time"]),
    ("How long is the warranty?", ["The warranty runs for 24 months from purchase."], "The warranty lasts two years from purchase.", []),
    (
        "How long is the warranty?",
        ["The warranty runs for 24 months from purchase."],
        "The warranty lasts three years from purchase.",
        ["number"],
    ),
    ("How fast?", ["The link runs at 1 Gbit/s."], "The link runs at 1000 Mbit/s.", []),
    ("How hot?", ["Heat the oven to 200 °C."], "Heat the oven to 200 °F.", ["unit"]),
    ("How far?", ["The trail is 5 km long."], "The trail is 5 miles long.", ["unit"]),
    ("What share?", ["Three quarters of the voters agreed."], "75% of the voters agreed.", []),
    ("What share?", ["A quarter of the voters agreed."], "40% of the voters agreed.", ["percent"]),
    ("When was it built?", ["The mill was built in the 1890s."], "The mill was built in 1920.", ["date"]),
    (
        "When is payday?",
        ["Salaries are paid on the last working day of the month."],
        "Salaries are paid on the last working day of each month.",
        [],
    ),
    ("When does it open?", ["The pool opens at half past seven."], "The pool opens at 7:30.", []),
    ("When does it open?", ["The pool opens at noon."], "The pool opens at 12 pm.", []),
    ("When does it open?", ["The pool opens at noon."], "The pool opens at 11 am.", ["time"]),
    ("Wann öffnet das Bad?", ["Das Bad öffnet um halb acht."], "Das Bad öffnet um 7:30 Uhr.", []),
    ("Who signed?", ["The treaty was signed by Ambassador Lena Okafor."], "Ambassador Okafor signed the treaty.", []),
    ("Who signed?", ["The treaty was signed by Ambassador Lena Okafor."], "Lena Okafor signed the treaty.", []),
    ("Who signed?", ["The treaty was signed by Ambassador Lena Okafor."], "Lena Adeyemi signed the treaty.", ["entity"]),
    ("Who built it?", ["The Norland Rail Authority built the tunnel."], "The NRA built the tunnel.", []),
    ("Which agency?", ["The grant comes from the European Union."], "The EU pays the grant.", []),
    ("Wer leitet das Amt?", ["Das Bauamt wird von Frau Dr. Jana Ebers geleitet."], "Jana Ebers leitet das Bauamt.", []),
    ("Wer leitet das Amt?", ["Das Bauamt wird von Frau Dr. Jana Ebers geleitet."], "Tim Ebers leitet das Bauamt.", ["entity"]),
    ("Qui dirige ?", ["Le port est dirigé par Hélène Aubry."], "Le port est dirigé par Helene Aubry.", []),
    ("Qui dirige ?", ["Le port est dirigé par Hélène Aubry."], "Le port est dirigé par Paul Aubry.", ["entity"]),
    ("¿Quién ganó?", ["El premio lo ganó Inés Robledo."], "Inés Robledo ganó el premio.", []),
    ("谁负责？", ["项目由王丽华负责。"], "王丽华负责该项目。", []),
    ("谁负责？", ["项目由王丽华负责。"], "项目由王丽娟负责。", ["entity"]),
    ("Which file?", ["Settings live in config/app.yaml."], "Settings live in config/main.yaml.", ["identifier"]),
    ("Which port?", ["The service listens on port 8443."], "The service listens on port 8433.", ["number"]),
    ("Which function?", ["Call `retry_with_backoff()` to retry."], "Call `retry_with_backoff()` to retry.", []),
    ("Which function?", ["Call `retry_with_backoff()` to retry."], "Call `retry_with_jitter()` to retry.", ["identifier"]),
    ("Which error?", ["Error E-204 means the disk is full."], "Error E-240 means the disk is full.", ["identifier"]),
    ("Which mail?", ["Write to help@orlen-desk.example for support."], "Write to info@orlen-desk.example for support.", ["identifier"]),
    ("Is it waterproof?", ["The lamp is waterproof down to 10 metres."], "The lamp isn't waterproof.", ["negation"]),
    ("Can minors join?", ["Minors cannot join without a guardian."], "Minors can join without a guardian.", ["negation"]),
    ("Darf man parken?", ["Parken ist vor dem Tor nicht erlaubt."], "Parken ist vor dem Tor erlaubt.", ["negation"]),
    ("能退款吗？", ["打开包装后不予退款。"], "打开包装后可以退款。", ["negation"]),
    ("Does it log?", ["The agent never sends telemetry to the vendor."], "The agent sends telemetry to the vendor.", ["negation"]),
    ("Does it log?", ["The agent never sends telemetry to the vendor."], "The agent does not send telemetry to the vendor.", []),
    ("Is there a fee?", ["There is no fee for the first transfer."], "The first transfer is free.", []),
    ("Who teaches whom?", ["Professor Adler supervises Dr. Quinn."], "Dr. Quinn supervises Professor Adler.", ["role"]),
    ("Who supplies whom?", ["Kelm Steel supplies Varga Motors with axles."], "Varga Motors supplies Kelm Steel with axles.", ["role"]),
    (
        "Which calls which?",
        ["The scheduler calls the worker through the queue."],
        "The worker calls the scheduler through the queue.",
        ["role"],
    ),
    ("Qui a battu qui ?", ["Lormont a battu Vernay en finale."], "Vernay a battu Lormont en finale.", ["role"]),
    (
        "What's in the box?",
        ["The box contains a cable and a manual."],
        "The box contains a cable and a manual. It also includes a spare battery.",
        ["claim"],
    ),
    (
        "How to clean?",
        ["Wipe the screen with a dry cloth."],
        "Wipe the screen with a dry cloth. Avoid using alcohol because it damages the coating.",
        ["claim"],
    ),
    ("What does the plan cover?", ["The plan covers dental and eye care."], "The plan covers dental care and eye care.", []),
    ("What does the plan cover?", ["The plan covers dental and eye care."], "Both dental and eye care are covered by the plan.", []),
    (
        "What happened?",
        ["The ferry ran aground near Holm at dawn; nobody was hurt."],
        "The ferry ran aground near Holm at dawn. No one was injured.",
        [],
    ),
    ("Why late?", ["The train was late because of a signal fault."], "A signal fault delayed the train.", []),
    (
        "What are the steps?",
        ["First unplug the device, then remove the lid, and finally replace the filter."],
        "1. Unplug the device.\n2. Remove the lid.\n3. Replace the filter.",
        [],
    ),
    ("What changed?", ["Prices rose from 10 to 12 euros in May."], "Prices rose by 20 percent from 10 to 12 euros in May.", ["percent"]),
    ("Where is it?", ["The archive is in room B12 on the second floor."], "The archive is in room B12 on the 2nd floor.", []),
    ("Where is it?", ["The archive is in room B12 on the second floor."], "The archive is in room B12 on the third floor.", ["number"]),
    ("How long?", ["Data is kept for 30 days.", "Backups of data are kept for 90 days."], "Data is kept for 30 days.", []),
    ("How long?", ["Logs are kept for 30 days.", "Logs are kept for 60 days."], "Logs are kept for 30 days.", ["conflict"]),
    (
        "Population?",
        ["In 2020 the town had 5,000 residents.", "In 2024 the town had 6,000 residents."],
        "In 2020 the town had 5,000 residents.",
        [],
    ),
    (
        "Population?",
        ["In 2020 the town had 5,000 residents.", "In 2024 the town had 6,000 residents."],
        "The town had 5,000 residents in 2020 and 6,000 in 2024.",
        [],
    ),
    ("How deep?", ["The lake is 45 m deep."], "Experts agree that the lake is 45 m deep.", ["vague"]),
    ("How deep?", ["The lake is 45 m deep."], "Studies show that the lake is 45 m deep.", ["vague"]),
    ("How deep?", ["The 2024 survey found that the lake is 45 m deep."], "According to the survey, the lake is 45 m deep.", []),
    ("How deep?", ["The lake is 45 m deep."], "As noted above, the lake is 45 m deep.", ["vague"]),
    ("How deep?", ["The lake is 45 m deep."], "The documents provided do not mention the depth of the lake.", []),
    ("How deep?", ["The lake is 45 m deep."], "Unknown.", []),
    ("Wie tief?", ["Der See liegt im Norden."], "Das geht aus den Texten nicht hervor.", []),
    ("Quelle profondeur ?", ["Le lac est au nord."], "Les documents ne donnent pas cette information.", []),
    ("¿Qué profundidad?", ["El lago está al norte."], "Los textos no indican la profundidad.", []),
    ("多深？", ["湖在北部。"], "文中没有提到湖的深度。", []),
    ("எவ்வளவு?", ["பேருந்து கட்டணம் பத்து ரூபாய்."], "பேருந்து கட்டணம் 10 ரூபாய்.", []),
    ("எவ்வளவு?", ["பேருந்து கட்டணம் பத்து ரூபாய்."], "பேருந்து கட்டணம் 12 ரூபாய்.", ["money"]),
    # What two sentences of one passage say together, another passage may deny: a conflict, no contradiction.
    ("Do links expire?", [*LINKS], "Links never expire by themselves, so there is no window to extend.", ["conflict"]),
    ("Do links expire?", [LINKS[0]], "Links never expire by themselves, so there is no window to extend.", []),
    ("Do links expire?", [LINKS[1]], "Links never expire by themselves, so there is no window to extend.", ["negation"]),
    ("A trial?", ["There is no 30-day trial."], "There is a 30-day trial.", ["negation"]),
    ("A trial?", ["There is no 30-day trial."], "There is no trial.", []),
]


@pytest.mark.parametrize(("question", "passages", "answer", "expected"), RULES, ids=[f"{row[2][:40]}-{','.join(row[3])}" for row in RULES])
def test_rules(question: str, passages: list[str], answer: str, expected: list[str]) -> None:
    assert kinds(check(passages, answer, question)) == expected


@pytest.mark.parametrize("answer", ["It has 3, " * 3_000, "It weighs 3 kg [p0]. " * 2_000], ids=["values of one sentence", "citations"])
@pytest.mark.timeout(60)  # what grows with the square of the answer does not come back by then
def test_long_answers_of_one_thing_come_back(answer: str) -> None:
    assert check(["It weighs 3 kg."], answer).state == "checked"


# Laws

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=200)
WORDS = st.lists(
    st.sampled_from(
        [
            "The",
            "sensor",
            "weighs",
            "3.1 kg",
            "not",
            "7 days",
            "[p0]",
            "[9]",
            "“quoted words that nobody said here”",
            "Oona Farrell",
            "\r\n",
            "🚀",
            "| a |",
            "```",
            "不能",
            "试用账号",
            "二十天",
            "$25",
            "June 1",
            "unless",
            "according to a report,",
            "Yes.",
            ".",
            "。",
            "- ",
            "1. ",
            "\u200b",
            "É",
            "15:00",
            "%",
        ]
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=120, deadline=None)
@given(answer=st.one_of(TEXTS, WORDS), passages=st.lists(st.one_of(TEXTS, WORDS), min_size=1, max_size=4), question=st.one_of(TEXTS, WORDS))
def test_spans_lie_in_the_answer_and_nothing_raises(answer: str, passages: list[str], question: str) -> None:
    result = check(passages, answer, question)
    for item in (*result.spans, *result.claims, *result.supports):
        assert 0 <= item.start <= item.end <= max(len(answer), 0)
        if not (isinstance(item, Finding) and item.kind is Kind.INPUT_ERROR):
            assert answer[item.start : item.end] == item.text
    for finding in result.spans:
        for evidence in finding.evidence:
            assert passages[int(evidence.passage_id[1:])][evidence.start : evidence.end] == evidence.text
    assert [item.start for item in result.spans] == sorted(item.start for item in result.spans)
    assert result.counts.high + result.counts.medium + result.counts.low == len(result.spans)
    assert check(passages, answer, question) == result


@settings(max_examples=40, deadline=None)
@given(case=st.sampled_from(DEV), where=st.integers(0, 3))
def test_filler_never_changes_a_verdict(case: dict[str, Any], where: int) -> None:
    passages = case_passages(case)
    padded = [*passages[:where], Passage(id="filler", text=FILLER * 40), *passages[where:]]
    plain, with_filler = verified(passages, case["answer"], case["query"]), verified(padded, case["answer"], case["query"])
    assert [(item.start, item.end, item.kind) for item in plain.spans] == [(item.start, item.end, item.kind) for item in with_filler.spans]
