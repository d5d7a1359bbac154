"""Pictures of the window: every view by its name, at 1x and 2x, light and dark, none of them blank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from guard_desk.errors import GuardDeskError
from guard_desk.ui.shots import STATES, VIEWS, draw
from guard_desk.ui.theme import DARK, LIGHT, Mode
from tests.ui.windows import case_file

SIZE = (1280, 720)
COLOURS = 12
"""Fewer would be a plain ground with one line of text at the most."""


@pytest.fixture
def looks(qapp: QApplication) -> Iterator[None]:
    """The application has the looks of before again afterwards."""
    before = qapp.styleSheet(), qapp.palette(), qapp.font()
    yield
    qapp.setStyleSheet(before[0])
    qapp.setPalette(before[1])
    qapp.setFont(before[2])


def _colours(picture: QImage) -> set[int]:
    return {picture.pixel(x, y) for x in range(0, picture.width(), 2) for y in range(0, picture.height(), 2)}


@pytest.mark.usefixtures("looks", "models")
def test_draws_every_view_in_both_modes_at_both_densities(tmp_path: Path) -> None:
    source, out = case_file(tmp_path / "case.guarddesk.json"), tmp_path / "shots"
    written = draw(source, out, modes=(Mode.LIGHT, Mode.DARK), scales=(1, 2), size=SIZE)
    expected = {f"{name}{mode}{scale}.png" for name in (*VIEWS, *STATES) for mode in ("", "-dark") for scale in ("", "@2x")}
    assert {path.name for path in written} == expected
    assert {path.name for path in out.iterdir()} == expected


@pytest.mark.usefixtures("looks", "models")
def test_sizes_and_grounds_are_as_asked_and_nothing_is_blank(tmp_path: Path) -> None:
    source, out = case_file(tmp_path / "case.guarddesk.json"), tmp_path / "shots"
    draw(source, out, modes=(Mode.LIGHT, Mode.DARK), scales=(1, 2), size=SIZE)
    for mode, ground in (("", LIGHT.ground), ("-dark", DARK.ground)):
        window, double = QImage(str(out / f"main_window{mode}.png")), QImage(str(out / f"main_window{mode}@2x.png"))
        assert (window.width(), window.height()) == SIZE
        assert (double.width(), double.height()) == (2 * SIZE[0], 2 * SIZE[1])
        assert window.pixelColor(2, SIZE[1] // 2) == QColor(ground)
        for name in VIEWS:
            assert len(_colours(QImage(str(out / f"{name}{mode}.png")))) > COLOURS, name


@pytest.mark.usefixtures("looks", "models")
def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.guarddesk.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(GuardDeskError):
        draw(broken, tmp_path / "shots", modes=(Mode.LIGHT,), scales=(1,), size=SIZE)
