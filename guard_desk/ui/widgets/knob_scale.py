"""How the values of a knob lie along a slider. No Qt in here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from guard_desk.policy import Knob

_FINE = 1000
"""Positions of a logarithmic slider."""

_WIDE = 150
"""A range whose ends are further apart than this factor is logarithmic, so that small values can be hit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnobScale:
    """Range and step of a number knob, and the slider positions 0..`positions` that stand for it."""

    low: float
    high: float
    step: float
    whole: bool

    @classmethod
    def of(cls, knob: Knob) -> KnobScale:
        """The scale of a knob."""
        low = 0.0 if knob.low is None else float(knob.low)
        high = low + 1.0 if knob.high is None else float(knob.high)
        return cls(low=low, high=high, step=knob.step or (1.0 if knob.type is int else 0.01), whole=knob.type is int)

    @property
    def logarithmic(self) -> bool:
        """Whether equal ways on the slider are equal factors."""
        return self.low > 0 and self.high / self.low > _WIDE

    @property
    def positions(self) -> int:
        """The last position; on a linear slider each position is one step."""
        return _FINE if self.logarithmic else max(1, round((self.high - self.low) / self.step))

    @property
    def decimals(self) -> int:
        """Decimals that a spin box must be able to show: one more than the step has, for values set elsewhere."""
        return 0 if self.whole else max(0, -math.floor(math.log10(self.step))) + 1

    def position(self, value: float) -> int:
        """The slider position nearest to a value."""
        if self.logarithmic:
            return round(_FINE * math.log(max(value, self.low) / self.low) / math.log(self.high / self.low))
        return round((value - self.low) / self.step)

    def value(self, position: int) -> float:
        """The value at a slider position: on a step, or of two figures where values are smaller than a step."""
        if not self.logarithmic:
            return self.exact(self.low + position * self.step)
        raw = self.low * (self.high / self.low) ** (position / _FINE)
        return self.exact(round(raw / self.step) * self.step if raw > self.step else float(f"{raw:.2g}"))

    def nudged(self, value: float, steps: int) -> float:
        """The value some steps further, within the range."""
        return self.exact(value + steps * self.step)

    def exact(self, value: float) -> float:
        """A value within the range, whole where it must be, without the dust of floating point."""
        inside = min(self.high, max(self.low, value))
        return round(inside) if self.whole else round(inside, 10)
