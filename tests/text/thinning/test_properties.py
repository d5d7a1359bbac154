"""A measure of one property does not answer a question for another; a measure or a year names no colour, person, place or calling."""

from __future__ import annotations

import pytest

from tests.stages.test_thin import run
from tests.text.thinning.test_reading import read


@pytest.mark.parametrize(
    ("question", "right", "other", "leader"),
    [
        ("Who is Mira Holt?", "Mira Holt is a lawyer.", "Mira Holt is 45 years old.", "lawyer"),
        ("Who is Mira Holt?", "Mira Holt is a lawyer.", "Mira Holt was born in 1980.", "lawyer"),
        ("What does Mira Holt do?", "Mira Holt is a lawyer.", "Mira Holt is 45 years old.", "lawyer"),
        ("What is Mira Holt's profession?", "Mira Holt is a lawyer by profession.", "Mira Holt is 45 years old.", "lawyer"),
        ("What colour is the flag?", "The flag is blue.", "The flag is 3 m long.", "blue"),
        ("What colour is the flag?", "The flag is blue.", "The flag was designed in 1987.", "blue"),
        ("What is the colour of the tower?", "The tower is painted red.", "The tower is 12 metres wide.", "red"),
        ("Welche Farbe hat die Flagge?", "Die Flagge ist blau.", "Die Flagge ist 3 Meter lang.", "blau"),
        ("De quelle couleur est le drapeau ?", "Le drapeau est bleu.", "Le drapeau mesure 3 mètres.", "bleu"),
        ("¿De qué color es la bandera?", "La bandera es azul.", "La bandera mide 3 metros.", "azul"),
        ("旗子是什么颜色？", "旗子是蓝色的。", "旗子长3米。", "蓝"),
        ("Wer ist Mira Holt?", "Mira Holt ist Anwältin.", "Mira Holt ist 45 Jahre alt.", "Anw"),
        ("Qui est Mira Holt ?", "Mira Holt est avocate.", "Mira Holt a 45 ans.", "avocate"),
        ("¿Quién es Mira Holt?", "Mira Holt es abogada.", "Mira Holt tiene 45 años.", "abogada"),
        ("米拉是谁？", "米拉是律师。", "米拉45岁。", "律师"),
        ("Where is the office?", "The office is in Torvik.", "The office has 45 rooms.", "Torvik"),
        ("How high is the tower?", "The tower is 80 metres high.", "The tower is 12 metres wide.", "80"),
        ("How high is the tower?", "The tower measures 80 metres.", "The tower is 12 metres thick.", "80"),
        ("How high is the tower?", "The tower is 80 metres tall.", "The tower is 12 metres in diameter.", "80"),
        ("How high is the tower?", "The tower is 80 metres high.", "The tower stands at a distance of 12 metres from the river.", "80"),
        ("What is the height of the tower?", "The height of the tower is 80 metres.", "The diameter of the tower is 12 metres.", "80"),
        ("How tall is Jon Vesk?", "Jon Vesk is 180 cm tall.", "Jon Vesk lives 3 km away from the lake.", "180"),
        ("How wide is the canal?", "The canal is 20 m wide.", "The canal is 3 m deep.", "20"),
        ("How deep is the well?", "The well is 60 m deep.", "The well is 2 m across.", "60"),
        ("How long is the bridge?", "The bridge is 340 m long.", "The bridge is 12 m wide.", "340"),
        ("How long is the bridge?", "The bridge is 340 m long.", "The bridge is 40 years old.", "340"),
        ("How long is the wall?", "The wall has a length of 340 m.", "The wall is 2 m thick.", "340"),
        ("How thick is the wall?", "The wall is 2 m thick.", "The wall is 340 m long.", "2 m"),
        ("How far is Torvik from Harwick?", "Torvik is 30 km from Harwick.", "Torvik is 200 m high.", "30"),
        ("How old is the bridge?", "The bridge is 40 years old.", "The bridge took 3 years to build.", "40"),
        ("How old is Mira Holt?", "Mira Holt is 45 years old.", "Mira Holt has worked for 12 years.", "45"),
        ("How old is Mira Holt?", "Mira Holt is 45 years old.", "Mira Holt has 3 children.", "45"),
        ("How heavy is the bell?", "The bell weighs 300 kg.", "The bell was cast in 1987.", "300"),
        ("How fast is the train?", "The train runs at 200 km/h.", "The train is 200 m long.", "200 km"),
        ("How hot is the spring?", "The water of the spring is 40 °C hot.", "The spring is 12 m deep.", "40"),
        ("How big is the park?", "The park has an area of 12 hectares.", "The park opened in 1987.", "12"),
        ("Wie hoch ist der Turm?", "Der Turm ist 80 Meter hoch.", "Der Turm ist 12 Meter breit.", "80"),
        ("Wie hoch ist der Turm?", "Der Turm ist 80 Meter hoch.", "Der Turm wurde 1987 gebaut.", "80"),
        ("Wie hoch ist der Turm?", "Der Turm ist 80 Meter hoch.", "Der Turm hat 300 Stufen.", "80"),
        ("Wie hoch ist der Turm?", "Der Turm misst 80 Meter.", "Der Turm ist 12 Meter dick.", "80"),
        ("Wie groß ist der Park?", "Der Park umfasst 12 Hektar.", "Der Park wurde 1987 angelegt.", "12"),
        ("Wie lang ist die Brücke?", "Die Brücke ist 340 Meter lang.", "Die Brücke ist 12 Meter breit.", "340"),
        ("Wie alt ist die Brücke?", "Die Brücke ist 40 Jahre alt.", "Die Brücke war 3 Monate lang gesperrt.", "40"),
        ("Wie alt ist Mira Holt?", "Mira Holt ist 45 Jahre alt.", "Mira Holt arbeitet seit 12 Jahren in Torvik.", "45"),
        ("Wie schwer ist die Glocke?", "Die Glocke wiegt 300 kg.", "Die Glocke ist 2 Meter hoch.", "300"),
        ("Quelle est la hauteur de la tour ?", "La tour mesure 80 mètres de haut.", "La tour fait 12 mètres de large.", "80"),
        ("Quelle est la hauteur de la tour ?", "La tour mesure 80 mètres de haut.", "La largeur de la tour est de 12 mètres.", "80"),
        ("Quelle est la longueur du pont ?", "Le pont mesure 340 mètres de long.", "Le pont fait 12 mètres de large.", "340"),
        ("Quel âge a Mira Holt ?", "Mira Holt a 45 ans.", "Mira Holt travaille depuis 12 ans.", "45"),
        ("¿Qué altura tiene la torre?", "La torre mide 80 metros de alto.", "La torre mide 12 metros de ancho.", "80"),
        ("¿Cuál es la longitud del puente?", "El puente mide 340 metros de largo.", "El puente mide 12 metros de ancho.", "340"),
        ("¿Cuánto mide de alto la torre?", "La torre mide 80 metros de alto.", "La torre mide 12 metros de ancho.", "80"),
        ("塔有多高？", "塔高80米。", "塔宽12米。", "80"),
        ("塔有多高？", "塔的高度是80米。", "塔建于1987年。", "80"),
        ("这座桥有多长？", "这座桥长340米。", "这座桥宽12米。", "340"),
    ],
)
def test_the_leader_is_of_the_asked_property(question: str, right: str, other: str, leader: str) -> None:
    lines = [f"[source=blog][doc=a.example/1] {right}", f"[source=official][doc=b.example/1] {other}"]
    for pool in (lines, lines[::-1]):
        result = run(question, pool)
        assert result.leader is not None
        assert leader in result.leader


@pytest.mark.parametrize(
    ("question", "line", "stated"),
    [
        ("How high is the tower?", "The tower is 12 metres wide and 80 metres high.", ["80 metres"]),
        ("How wide is the tower?", "Tower: height 80 m, width 12 m.", ["12 m"]),
        ("How high is the tower?", "The 12 metre wide tower reaches 80 metres.", ["80 metres"]),
        ("How high is the tower?", "The tower measures 80 metres.", ["80 metres"]),
        ("How high is the fee for a boat?", "The fee for a boat of 12 metres length is 5 euro.", ["5 euro"]),
        ("How long is the trail?", "The trail covers a distance of 12 km.", ["12 km"]),
        ("How long is the warranty?", "The warranty is valid for 3 years.", ["3 years"]),
        ("How old is Mira Holt?", "Mira Holt has been mayor for 12 years.", []),
        ("How old is the castle?", "The castle has stood for 800 years.", ["800 years"]),
        ("How old is the bridge?", "The bridge is 340 m long and 40 years old.", ["40 years"]),
        ("Wie hoch ist das Limit?", "Das Limit liegt bei 2000 Anfragen.", ["2000"]),
        ("Wie hoch ist das Limit?", "Das Limit beträgt 2000.", ["2000"]),
        ("Wie hoch ist der Turm?", "Der Turm wurde 1987 gebaut, 12 Meter breit.", []),
        ("Wie lange ist die Brücke gesperrt?", "Die Brücke ist 3 Monate lang gesperrt.", ["3 Monate"]),
        ("塔有多宽？", "塔高80米宽12米。", ["12米"]),
        ("塔有多高？", "塔高80米。", ["80米"]),
        ("塔有多高？", "塔身80米高，12米宽。", ["80米"]),
        ("Who is Mira Holt?", "Mira Holt is a 45-year-old lawyer.", ["45-year-old lawyer"]),
    ],
)
def test_what_a_line_measures(question: str, line: str, stated: list[str]) -> None:
    assert read(question, line)[0] == stated
