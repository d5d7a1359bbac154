"""How numbers are written in the window: ".70", "+.053", "1,204"."""

from __future__ import annotations


def share(value: float) -> str:
    """A probability: two decimals, three where the third counts; ".70", ".455", "1.00"."""
    text = f"{value:.3f}"
    text = text[:-1] if text.endswith("0") else text
    return text.removeprefix("0") if value < 1 else text


def signed(value: float, decimals: int = 3) -> str:
    """A difference of probabilities with its sign: "+.053", "−.120"."""
    return f"{'−' if value < 0 else '+'}{abs(value):.{decimals}f}".replace("0.", ".", 1)


def count(value: int) -> str:
    """A count with thousands set apart: "1,204"."""
    return f"{value:,}"


def change(value: int) -> str:
    """A change of a count with its sign: "+180", "−1,204", "0"."""
    return f"{'−' if value < 0 else '+' if value else ''}{abs(value):,}"


def counted(number: int, one: str, many: str = "") -> str:
    """A count with its word: "1 flip", "4 flips", "0 breaks"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
