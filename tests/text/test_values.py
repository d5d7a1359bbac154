"""Values by meaning: equal, different, other unit, over languages and formats."""

from __future__ import annotations

import pytest

from guard_desk.records.evidence import Bound, Value, ValueKind
from guard_desk.text.values import Relation, compare, find_values


def only(text: str, lang: str = "en") -> Value:
    """The one value of a text."""
    values = find_values(text, (lang,))
    assert len(values) == 1, [(value.text, value.canonical) for value in values]
    return values[0]


EQUAL = [
    ("en", "1,500 people", "1500 people"),
    ("en", "1,500 people", "1 500 people"),
    ("en", "1,500 people", "1\u202f500 people"),
    ("en", "fifteen hundred people", "1,500 people"),
    ("en", "1.5 thousand people", "1.5k people"),
    ("en", "one thousand five hundred people", "1'500 people"),
    ("en", "12,50,000 voters", "1.25 million voters"),
    ("en", "5 lakh", "500,000"),
    ("en", "two hundred and five files", "205 files"),
    ("en", "twenty-one days", "21 days"),
    ("en", "a dozen eggs", "12 eggs"),
    ("en", "half a million users", "500,000 users"),
    ("en", "two-thirds of the members", "two thirds of the members"),
    ("en", "half of the members", "50 % of the members"),
    ("en", "a quarter of the staff", "25 percent of the staff"),
    ("en", "the fourth floor", "the 4th floor"),
    ("en", "12%", "12 percent"),
    ("en", "12%", "12 per cent"),
    ("en", "12%", "12 pct"),
    ("en", "3 × 10⁸ m/s", "3e8 m/s"),
    ("en", "1½ cups", "1.5 cups"),
    ("en", "10k requests", "10,000 requests"),
    ("en", "7 days", "one week"),
    ("en", "7 days", "168 hours"),
    ("en", "for a week", "for one week"),
    ("en", "14 days", "a fortnight"),
    ("en", "1 hour", "60 minutes"),
    ("en", "an hour and a half", "90 minutes"),
    ("en", "one and a half hours", "90 minutes"),
    ("en", "half an hour", "30 minutes"),
    ("en", "2 hours 17 minutes", "137 minutes"),
    ("en", "two years", "24 months"),
    ("en", "a 14-day trial", "two weeks"),
    ("en", "0.9 m", "90 cm"),
    ("en", "5 km", "5000 metres"),
    ("en", "500 mg", "0.5 g"),
    ("en", "250 ms", "0.25 s"),
    ("en", "1.5 g per day", "1500 mg per day"),
    ("en", "12 litres per minute", "12 L/min"),
    ("en", "25MB", "25 MB"),
    ("en", "100 Mb/s", "100 Mbit/s"),
    ("en", "100 Mbps", "12.5 MB/s"),
    ("en", "32 °F", "0 °C"),
    ("en", "minus 5 degrees Celsius", "−5 °C"),
    ("en", "1.022 MeV", "1022 keV"),
    ("en", "5.2 billion kilometres", "5,200,000,000 km"),
    ("en", "$2.5M", "$2,500,000"),
    ("en", "$2.5M", "2.5 million dollars"),
    ("en", "€84.6m", "84.6 million euros"),
    ("en", "EUR 18", "€18"),
    ("en", "18 EUR", "18 euros"),
    ("en", "US$40", "$40"),
    ("en", "£5", "5 pounds sterling"),
    ("en", "4 million Canadian dollars", "C$4 million"),
    ("en", "4 March 2027", "March 4, 2027"),
    ("en", "4 March 2027", "2027-03-04"),
    ("en", "4th of March 2027", "Mar. 4, 2027"),
    ("en", "04/03/2027", "4 March 2027"),
    ("en", "03/04/2027", "4 March 2027"),
    ("en", "in March 2027", "2027-03"),
    ("en", "the third quarter of 2027", "Q3 2027"),
    ("en", "in the nineties of Q3 2027", "2027 Q3"),
    ("en", "3 pm", "15:00"),
    ("en", "9:10 p.m.", "21:10"),
    ("en", "midnight", "00:00"),
    ("en", "noon", "12:00"),
    ("en", "14:00 UTC", "15:00 CET"),
    ("en", "version 3.14.2", "v3.14.2"),
    ("en", "error E1042", "e1042"),
    ("en", "twice a day", "two times a day"),
    ("en", "between 3 and 5 days", "3-5 days"),
    ("en", "3 to 5 days", "three to five days"),
    ("en", "at least 12 characters", "no fewer than 12 characters"),
    ("en", "at least 12 characters", "12 characters or more"),
    ("en", "up to 6 parts", "no more than 6 parts"),
    ("en", "Do not take more than 6 tablets", "at most 6 tablets"),
    ("en", "must not exceed 100 MB", "at most 100 MB"),
    ("en", "exceeds 100 MB", "larger than 100 MB"),
    ("en", "no later than 15 May", "by 15 May"),
    ("en", "15 May at the latest", "by 15 May"),
    ("en", "5 ft 3 in", "63 inches"),
    ("en", "98.6 degrees Fahrenheit", "37 °C"),
    ("en", "250F", "250 °F"),
    ("en", "100 km/h", "100 kilometres per hour"),
    ("en", "half past nine in the evening", "21:30"),
    ("en", "12:30 am", "00:30"),
    ("en", "nineteen ninety-seven", "in 1997"),
    ("en", "FY2027", "fiscal year 2027"),
    ("en", "the first half of 2027", "H1 2027"),
    ("en", "the fourth of July 2027", "4 July 2027"),
    ("en", "€2-4 million", "between 2 and 4 million euros"),
    ("en", "once a week", "one time a week"),
    ("en", "a year's notice", "12 months"),
    ("en", "300 basis points", "3 percentage points"),
    ("en", "1 h 30 min", "90 minutes"),
    ("en", "version 2", "v2.0"),
    ("de", "im dritten Stock", "im 3. Stock"),
    ("de", "1,5 Mrd. €", "1.500 Mio. Euro"),
    ("fr", "1 M€", "1 million d'euros"),
    ("fr", "le premier mars 2027", "1er mars 2027"),
    ("fr", "10 Mo", "10 MB"),
    ("zh", "三十分钟", "半小时"),
    ("zh", "十分钟", "10 分钟"),
    ("zh", "九成", "90%"),
    ("zh", "每秒 100 兆比特", "100 Mb/s"),
    ("zh", "零下五度", "-5 度"),
    ("zh", "2.5 版", "版本 2.5"),
    ("zh", "¥120", "120 元"),
    ("zh", "20日", "20 日"),
    ("ta", "2027 மார்ச் 4", "4 மார்ச் 2027"),
    ("de", "1.500 Personen", "1500 Personen"),
    ("de", "1.250,50 Euro", "1250,50 €"),
    ("de", "2,5 Mio. Euro", "2.500.000 Euro"),
    ("de", "sechzehn Wochen", "16 Wochen"),
    ("de", "einundzwanzig Tage", "21 Tage"),
    ("de", "anderthalb Stunden", "90 Minuten"),
    ("de", "eine halbe Stunde", "30 Minuten"),
    ("de", "zwei Drittel der Mitglieder", "2/3 der Mitglieder"),
    ("de", "12 Prozent", "12 %"),
    ("de", "4. März 2027", "04.03.2027"),
    ("de", "4. März 2027", "2027-03-04"),
    ("de", "14 Uhr", "14:00"),
    ("de", "14.30 Uhr", "14:30"),
    ("de", "14 Uhr 30", "14:30"),
    ("de", "drittes Quartal 2027", "Q3 2027"),
    ("de", "höchstens 6 Wochen", "nicht mehr als 6 Wochen"),
    ("fr", "1\u202f500 salariés", "1500 salariés"),
    ("fr", "12 500 €", "12500 euros"),
    ("fr", "3,2 millions d'abonnés", "3 200 000 abonnés"),
    ("fr", "1,25 million d'euros", "1 250 000 €"),
    ("fr", "quatre-vingt-dix-sept pages", "97 pages"),
    ("fr", "vingt et un jours", "21 jours"),
    ("fr", "une heure et demie", "90 minutes"),
    ("fr", "une semaine", "7 jours"),
    ("fr", "12 pour cent", "12 %"),
    ("fr", "le 4 mars 2027", "04/03/2027"),
    ("fr", "le 1er mars 2027", "2027-03-01"),
    ("fr", "à 14h30", "14:30"),
    ("fr", "ferme à 18 h", "18:00"),
    ("fr", "troisième trimestre 2027", "T3 2027"),
    ("fr", "au moins 12 mois", "12 mois ou plus"),
    ("es", "1.500 personas", "1500 personas"),
    ("es", "treinta y dos archivos", "32 archivos"),
    ("es", "dos mil quinientos euros", "2.500 €"),
    ("es", "media hora", "30 minutos"),
    ("es", "12 por ciento", "12 %"),
    ("es", "4 de marzo de 2027", "04/03/2027"),
    ("es", "a las 9 de la mañana", "9:00"),
    ("es", "a las 3 de la tarde", "15:00"),
    ("es", "como máximo 6 meses", "hasta 6 meses"),
    ("zh", "三十二个文件", "32 个文件"),
    ("zh", "一千五百人", "1500 人"),
    ("zh", "三十万元", "300,000 元"),
    ("zh", "1.5亿美元", "150,000,000 美元"),
    ("zh", "百分之九", "9%"),
    ("zh", "七天", "7 天"),
    ("zh", "七天", "一周"),
    ("zh", "一个半小时", "90 分钟"),
    ("zh", "半小时", "30 分钟"),
    ("zh", "两年半", "30 个月"),
    ("zh", "备份保留３０天", "备份保留 30 天"),
    ("zh", "2027年1月5日", "2027-01-05"),
    ("zh", "二〇二七年一月五日", "2027-01-05"),
    ("zh", "2027年第三季度", "2027 年三季度"),
    ("zh", "下午三点", "15:00"),
    ("zh", "下午三点一刻", "15:15"),
    ("zh", "上午十点半", "10:30"),
    ("zh", "凌晨两点", "凌晨 2 点"),
    ("zh", "至多三名", "不超过 3 名"),
    ("zh", "至少三名", "三名以上"),
    ("zh", "3至5天", "3-5天"),
    ("zh", "三分之二", "2/3"),
    ("zh", "重启两次", "重启 2 次"),
    ("ta", "காலை எட்டு மணிக்குத்", "காலை 8 மணிக்கு"),
    ("ta", "மூன்று நாட்கள்", "3 நாட்கள்"),
]

DIFFERENT = [
    ("en", "32 files", "320 files"),
    ("en", "$25", "$250"),
    ("en", "June 1", "June 15"),
    ("en", "1.5%", "15%"),
    ("en", "1.022 MeV", "1.032 MeV"),
    ("en", "1.5 hours", "80 minutes"),
    ("en", "30 June 2027", "30 July 2027"),
    ("en", "2027-04-03", "2027-03-04"),
    ("en", "02:30 UTC", "14:30 UTC"),
    ("en", "Tuesday", "Thursday"),
    ("en", "the third floor", "the fourth floor"),
    ("en", "Q3 2027", "Q4 2027"),
    ("en", "E1042", "E1024"),
    ("en", "v2.1.0", "v2.1.1"),
    ("en", "Set page_max_age", "Set page_max_ttl"),
    ("en", "Use --force", "Use --yes"),
    ("en", "limits.prod.yaml", "limits.stage.yaml"),
    ("en", "/v1/invoices", "/v2/invoices"),
    ("en", "eth0", "eth1"),
    ("en", "3-5 days", "3-6 days"),
    ("en", "3-5 days", "7 days"),
    ("en", "half of the members", "60 % of the members"),
    ("en", "12 litres per minute", "15 L/min"),
    ("en", "6 months", "90 days"),
    ("de", "sechs Wochen", "sechzehn Wochen"),
    ("de", "4.11.2027", "14.11.2027"),
    ("fr", "trois jours", "deux jours"),
    ("fr", "15 janvier 2027", "15 juin 2027"),
    ("zh", "十五天", "五天"),
    ("zh", "2026年10月1日", "2025年10月1日"),
    ("zh", "上午十点半", "上午九点半"),
    ("zh", "20000 元", "2000 元"),
]

UNIT = [
    ("en", "100 Mb/s", "100 MB/s"),
    ("en", "8 MB/s", "8 Mbit/s"),
    ("en", "8 kg", "8 lb"),
    ("en", "85 metres", "85 feet"),
    ("en", "90 litres", "90 gallons"),
    ("en", "10 mg", "10 micrograms"),
    ("en", "5 mg per kilogram", "5 µg per kilogram"),
    ("en", "12 kWh", "12 kW"),
    ("en", "7 days", "7 weeks"),
    ("en", "7 days", "7 months"),
    ("en", "$40 million", "€40 million"),
    ("en", "4 million Canadian dollars", "4 million US dollars"),
    ("en", "5 percent", "5 percentage points"),
    ("en", "20 °C", "20 °F"),
    ("en", "5 working days", "5 days"),
    ("zh", "5 个工作日", "5 天"),
    ("zh", "100 美元", "100 欧元"),
    ("de", "10 Euro", "10 Franken"),
]

PARTIAL = [
    ("en", "in June 2026", "15 June 2026"),
    ("en", "in 2026", "2026-06-15"),
    ("en", "June 15", "15 June 2026"),
    ("en", "Q2 2026", "June 2026"),
    ("en", "Monday", "15 June 2026"),
    ("en", "30 days", "one month"),
    ("en", "a year", "365 days"),
    ("en", "4 days", "3-5 days"),
    ("en", "1 GB", "1,024 MB"),
    ("en", "15 degrees", "15 °C"),
    ("zh", "12月20日", "20日"),
    ("en", "10 miles", "16 km"),
    ("en", "version 3.14", "version 3.14.2"),
    ("en", "the 1990s", "in 1994"),
    ("zh", "2027年", "2027年1月5日"),
]

BOUND = [
    ("en", "up to 50 GB", "50 GB or more"),
    ("en", "at least 8 characters", "at most 8 characters"),
    ("en", "above 80 euros", "below 80 euros"),
    ("en", "about 3 kg", "3 kg"),
    ("en", "before 15 May", "after 15 May"),
    ("zh", "至少需要三名成员", "至多需要三名成员"),
    ("de", "mindestens 6 Wochen", "höchstens 6 Wochen"),
    ("fr", "plus de 12 €", "moins de 12 €"),
    ("es", "al menos 6 meses", "como máximo 6 meses"),
]

INCOMPARABLE = [
    ("en", "40 metres", "40 employees"),
    ("en", "40 metres", "12 kg"),
    ("en", "21:10", "2021"),
    ("en", "third floor", "3 floors"),
    ("en", "Monday", "2026"),
    ("en", "E1042", "$25"),
]


@pytest.mark.parametrize(
    ("lang", "left", "right", "relation"),
    [
        (*row, relation)
        for rows, relation in (
            (EQUAL, Relation.EQUAL),
            (DIFFERENT, Relation.DIFFERENT),
            (UNIT, Relation.UNIT),
            (PARTIAL, Relation.PARTIAL),
            (BOUND, Relation.BOUND),
            (INCOMPARABLE, Relation.INCOMPARABLE),
        )
        for row in rows
    ],
)
def test_relation(lang: str, left: str, right: str, relation: Relation) -> None:
    a, b = only(left, lang), only(right, lang)
    assert compare(a, b) is relation, (a, b)
    assert compare(b, a) is relation


@pytest.mark.parametrize(
    ("lang", "text", "spans"),
    [
        ("en", "The plant employs 460 employees for 45 days.", ["460", "45 days"]),
        ("en", "1. Drain it.\n2. Wait until 0.", ["0"]),
        ("en", "rose from 6.1% to 7.4%", ["6.1%", "7.4%"]),
        ("en", "from 14:00 to 14:30 UTC", ["14:00", "14:30"]),
        ("en", "open 10 am to 6 pm", ["10 am", "6 pm"]),
        ("en", "open 10-11 pm", ["10", "11 pm"]),
        ("en", "3-5 March 2027", ["3", "5 March 2027"]),
        ("en", "2027-03-04T14:30:00Z", ["2027-03-04", "14:30:00Z"]),
        ("en", "about 3 × 10⁸ m/s in a vacuum", ["3 × 10⁸ m/s"]),
        ("en", "waits 5 seconds [net-2] and 12 L per minute", ["5 seconds", "net-2", "12 L"]),
        ("en", "Once the project has been created, one of the two", ["two"]),
        ("en", "The black one lasts, no one knows, we may march on.", []),
        ("en", "Mail a.b@example.com, see https://x.example/a_b?c=1.", ["a.b@example.com", "https://x.example/a_b?c=1"]),
        ("en", "Call `net.backoff` with maxRetries, C:\\temp\\a.txt and ~/x/y", ["net.backoff", "maxRetries", "C:\\temp\\a.txt", "~/x/y"]),
        ("en", "and/or 24/7 TCP/IP e.g. this", ["24", "7"]),
        ("en", "📈 grew **310** passengers", ["310"]),
        ("en", "25 hours a week at €14 an hour", ["25 hours", "€14"]),
        ("en", "The 2027 congress had 2000 people in 2027.", ["2027", "2000", "2027"]),
        ("zh", "十分重要，一般来说统一使用一个账号。", []),
        ("zh", "16 GB 内存，3 月 5 日前", ["16 GB", "3 月 5 日"]),
        ("en", "hMSH2, CD28-/- and SOD1-mediated loss; 38 W Victoria St", ["hMSH2", "CD28", "SOD1", "38"]),
        ("en", "'Monday': '15:0-20:0'", ["Monday", "15:0", "20:0"]),
        ("en", "better traffic² data", []),
        ("zh", "论坛成立15周年，三部分组成", ["15周年", "三"]),
        ("de", "am 15.05. und um 9–17 Uhr", ["15.05.", "9", "17 Uhr"]),
        ("fr", "à 18 h le dimanche", ["18 h", "dimanche"]),
    ],
)
def test_spans(lang: str, text: str, spans: list[str]) -> None:
    values = find_values(text, (lang,))
    assert [value.text for value in values] == spans
    assert all(text[value.span.start : value.span.end] == value.text for value in values)


@pytest.mark.parametrize(
    ("lang", "text", "kind", "canonical", "noun", "bound"),
    [
        ("en", "employs 1,500 people", ValueKind.NUMBER, "1500", "people", Bound.EXACT),
        ("en", "460 employees", ValueKind.NUMBER, "460", "employee", Bound.EXACT),
        ("en", "more than 6 Tulin tablets a day", ValueKind.NUMBER, "6", "tablet", Bound.MORE_THAN),
        ("en", "listens on port 9301.", ValueKind.NUMBER, "9301", "port", Bound.EXACT),
        ("zh", "端口９３０１", ValueKind.NUMBER, "9301", "端口", Bound.EXACT),
        ("zh", "创建 3 个项目", ValueKind.NUMBER, "3", "项目", Bound.EXACT),
        ("en", "1.25 million euros", ValueKind.MONEY, "1250000 EUR", "", Bound.EXACT),
        ("en", "two weeks", ValueKind.NUMBER, "1209600 s", "", Bound.EXACT),
        ("en", "at most 12 %", ValueKind.PERCENT, "12 %", "", Bound.MOST),
        ("en", "June 1", ValueKind.DATE, "--06-01", "", Bound.EXACT),
        ("en", "at 9:10 pm", ValueKind.TIME, "21:10", "", Bound.EXACT),
        ("en", "on Friday morning", ValueKind.DATE, "-W-5", "", Bound.EXACT),
    ],
)
def test_fields(lang: str, text: str, kind: ValueKind, canonical: str, noun: str, bound: Bound) -> None:
    value = only(text, lang)
    assert (value.kind, value.canonical, value.noun, value.bound) == (kind, canonical, noun, bound)


def test_entities_are_kept_where_no_value_stands() -> None:
    from guard_desk.records.corpus import Span

    text = "Ann paid $25 to Delmar Lines in May 2026."
    values = find_values(
        text,
        ("en",),
        [(Span(0, 3), "PERSON"), (Span(9, 12), "MONEY"), (Span(16, 28), "ORG"), (Span(32, 40), "DATE"), (Span(90, 99), "ORG")],
    )
    assert [(value.text, value.kind.value, value.label) for value in values] == [
        ("Ann", "entity", "PERSON"),
        ("$25", "money", ""),
        ("Delmar Lines", "entity", "ORG"),
        ("May 2026", "date", ""),
    ]


@pytest.mark.parametrize("text", ["马英九2日说", "八2日", "九二2日的会议", "三1月", "百2日", "十9十月"])
def test_numerals_of_two_scripts_side_by_side_are_read_without_a_crash(text: str) -> None:
    for lang in ("zh", "en"):
        assert all(text[value.span.start : value.span.end] == value.text for value in find_values(text, (lang,)))
