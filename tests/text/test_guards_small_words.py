"""Small words and signs that make another fact of the same words: the smallest pairs that once merged, and some that must."""

from __future__ import annotations

import pytest

from guard_desk.records.decision import Guard
from guard_desk.text.guards.verdict import merge_verdict


@pytest.mark.parametrize(
    ("a", "b", "guard"),
    [
        ("The kiosk is open from Monday to Friday.", "The kiosk is open on Monday and Friday.", Guard.DATE),
        ("Trains run between 6:00 and 9:00.", "Trains run at 6:00 and 9:00.", Guard.DATE),
        ("周一至周五开放。", "周一和周五开放。", Guard.DATE),
        ("El museo abre de lunes a viernes.", "El museo abre lunes y viernes.", Guard.DATE),
        ("The hall is open from 1 May.", "The hall is open on 1 May.", Guard.DATE),
        ("The rent rose by 5%.", "The rent rose to 5%.", Guard.DIRECTION),
        ("Die Gebühr steigt um 5 Euro.", "Die Gebühr steigt auf 5 Euro.", Guard.DIRECTION),
        ("房租涨了5%。", "房租涨到5%。", Guard.DIRECTION),
        ("The museum is a gift of the city.", "The museum is a gift to the city.", Guard.DIRECTION),
        ("El tren sale de Vigo.", "El tren sale a Vigo.", Guard.DIRECTION),
        ("The bridge is being built.", "The bridge has been built.", Guard.STATUS),
        ("The clinic treats patients.", "The clinic treated patients.", Guard.STATUS),
        ("The bakery sells bread.", "The bakery sold bread.", Guard.STATUS),
        ("The blood group is A+.", "The blood group is A-.", Guard.IDENTIFIER),
        ("C is used.", "C++ is used.", Guard.IDENTIFIER),
        ("Press the + key.", "Press the - key.", Guard.IDENTIFIER),
    ],
)
def test_small_words_and_signs_keep_texts_apart(a: str, b: str, guard: Guard) -> None:
    verdict = merge_verdict(a, b)
    assert (verdict.merge, verdict.guard) == (False, guard)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The works are Panurge (1913) and Amadis (1922).", "The works are Panurge (1922) and Amadis (1913)."),
        ("He served from 2000 to 2001 and from 2005 to 2013.", "He served from 2000 to 2005 and from 2001 to 2013."),
        ("As of 2005, the town's population is 283.", "As of 283, the town's population is 2005."),
        ("He lives with his brother Raúl Castro and Che Guevara.", "He lives with his brother Raúl Che Guevara and Castro."),
        ("James Mac as Victor Stein and Daniel Rad as Igor sing.", "James Mac as Daniel Rad and Victor Stein as Igor sing."),
        (
            "It is the main river of Laconia and of much of Arcadia, in Greece.",
            "It is the main river of Greece and of much of Arcadia, in Laconia.",
        ),
        ("The remote Norwegian islands of Svalbard are cold.", "The remote Svalbard islands of Norwegian are cold."),
        ("It receives training, weapons, and financial support.", "It receives financial, weapons, and training support."),
        ("They have a studio, without an audience or a laugh track.", "They have a laugh, without an audience or a studio track."),
        ("It came in Telugu and Hindi along with the Tamil version.", "It came in Telugu and Tamil along with the Hindi version."),
        ("It was number one on the Hot 100 in 2013.", "It was number one on the Hot 2013 in 100."),
    ],
)
def test_what_stands_in_a_list_or_a_name_keeps_its_place(a: str, b: str) -> None:
    assert not merge_verdict(a, b, similarity=1.0).merge


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("They sell rock and pop music.", "They sell pop and rock music."),
        ("It stars Ann Lee, Bo Kim and Cy Day.", "It stars Cy Day, Bo Kim and Ann Lee."),
        ("In 1985, the play closed in Rome.", "The play closed in Rome in 1985."),
        ("- Keep the lid’s seal dry.\n- Turn the lid — gently.", "Keep the lid's seal dry. Turn the lid - gently"),
        ("The lid is made\nof hard steel.", "The lid is made of hard steel."),
    ],
)
def test_lists_and_layout_may_differ(a: str, b: str) -> None:
    assert merge_verdict(a, b, similarity=1.0).merge


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The heater of the pool uses 4 kW.", "The pool's heater uses 4 kW."),
        ("It is forbidden to swim in the reservoir.", "Swimming in the reservoir is prohibited."),
        ("Il est interdit de stationner ici.", "Le stationnement est interdit ici."),
        ("The office is open from 9:00 to 17:00.", "The office is open 9:00–17:00."),
        ("The server rejects uploads.", "Uploads are rejected by the server."),
        ("Choose A - not B.", "Choose A – not B."),
    ],
)
def test_grammar_alone_keeps_nothing_apart(a: str, b: str) -> None:
    assert merge_verdict(a, b).merge
