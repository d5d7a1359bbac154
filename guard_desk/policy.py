"""Every knob that changes a result: its default, range, unit and one sentence of description.

Sliders, `--help`, TOML comments and validation all read the fields below; nothing else describes a knob.
A policy is frozen; `Policy().with_value("thin.half_life_days", 90)` gives a changed copy.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from guard_desk import resources
from guard_desk.errors import PolicyError


class Strategy(StrEnum):
    """How passages are grouped and selected; all on the same encoder, filters and budget."""

    TOPK = "topk"
    MMR = "mmr"
    NAIVE_DEDUP = "naive_dedup"
    EXACT = "exact"
    SIEVE = "sieve"
    SIEVE_MMR = "sieve_mmr"


class ThinMode(StrEnum):
    """What thinning may take out of the prompt."""

    OFF = "off"
    CAP = "cap"
    SUPPORT = "support"


class AnswerMode(StrEnum):
    """How an answer is asked for."""

    ONCE = "once"
    ROUNDS = "rounds"
    ROUNDS_OR_LEADER = "rounds_or_leader"


def knob(
    default: Any,
    description: str,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    unit: str = "",
    pattern: str = "",
) -> Any:
    """A policy field that carries its own description, range (inclusive), step and unit."""
    return field(
        default=default,
        metadata={"description": description, "low": low, "high": high, "step": step, "unit": unit, "pattern": pattern},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The four thresholds of the route rule. They belong to one judge and are not portable to another.

    The defaults are the published recipe's values. All comparisons are strict.
    """

    injection_max: float = knob(0.70, "Exclude a passage whose injection answer is above this.", low=0, high=1, step=0.01)
    contradicts_min: float = knob(
        0.70, "Treat as conflicting a passage whose contradiction answer is above this.", low=0, high=1, step=0.01
    )
    relevant_min: float = knob(
        0.45, "Exclude a passage whose relevance answer is below this (the relevance floor).", low=0, high=1, step=0.01
    )
    evidence_min: float = knob(0.55, "Include a passage whose evidence answer is above this.", low=0, high=1, step=0.01)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievePolicy:
    """Knobs of retrieval."""

    pool: int = knob(50, "Passages that are retrieved, judged and shown.", low=1, high=1000, step=1, unit="passages")


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupPolicy:
    """Knobs of de-duplication."""

    similarity_floor: float = knob(0.86, "Passages less similar than this (cosine) are never merged.", low=0, high=1, step=0.01)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Weight of a line by the kind of its source."""

    official: float = knob(1.0, "Weight of an official source.", low=0, high=1, step=0.05)
    report: float = knob(0.8, "Weight of a report.", low=0, high=1, step=0.05)
    news: float = knob(0.6, "Weight of news.", low=0, high=1, step=0.05)
    blog: float = knob(0.4, "Weight of a blog.", low=0, high=1, step=0.05)
    forum: float = knob(0.3, "Weight of a forum post.", low=0, high=1, step=0.05)
    social: float = knob(0.2, "Weight of a social media post.", low=0, high=1, step=0.05)
    unknown: float = knob(0.3, "Weight of a source whose kind is missing or not known.", low=0, high=1, step=0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinPolicy:
    """Knobs of thinning under conflict."""

    mode: ThinMode = knob(ThinMode.CAP, "off; cap: capped lines leave the prompt; support: only the leader's strongest lines.")
    half_life_days: float = knob(730.0, "Age at which a dated line counts half.", low=1, high=36500, step=10, unit="days")
    undated_recency: float = knob(0.5, "Recency of a line whose date is missing, malformed or in the future.", low=0, high=1, step=0.05)
    hedged_strength: float = knob(0.8, 'How much a hedged line ("I think ...") counts beside a plain one.', low=0, high=1, step=0.05)
    cap_per_source: int = knob(1, "Lines of one source that count for one value.", low=1, high=50, step=1, unit="lines")
    cap_per_domain: int = knob(2, "Lines of one domain that count for one value.", low=1, high=100, step=1, unit="lines")
    contested_margin: float = knob(0.1, "Two leading scores closer than this share are contested.", low=0, high=1, step=0.01)
    negation_penalty: float = knob(1.0, "How much of a negating line's weight is taken from the value it denies.", low=0, high=5, step=0.1)
    max_support_lines: int = knob(12, "Most lines kept for the leading value.", low=1, high=200, step=1, unit="lines")
    as_of: str | None = knob(
        None,
        "Day that ages are counted from, YYYY-MM-DD; none = the newest date of the evidence not after the run date.",
        pattern=r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?",
    )
    reliability: Reliability = field(default_factory=Reliability)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblePolicy:
    """Knobs of the prompt."""

    strategy: Strategy = knob(Strategy.SIEVE_MMR, "How passages are grouped and selected.")
    k: int = knob(6, "Most passages (or groups) in the prompt, both blocks together.", low=1, high=200, step=1, unit="passages")
    budget_tokens: int = knob(
        3000, "Most tokens of passages in the prompt, sources and notes included.", low=1, high=1000000, step=50, unit="tokens"
    )
    mmr_lambda: float = knob(
        0.7, "MMR: 1 = similarity to the question only, 0 = difference from what is chosen only.", low=0, high=1, step=0.05
    )
    similarity_floor: float = knob(
        0.0, "Passages less similar to the question than this (cosine) do not fill places.", low=-1, high=1, step=0.01
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratePolicy:
    """Knobs of the answer. They act when an answer is written, never on one that is there."""

    mode: AnswerMode = knob(
        AnswerMode.ONCE,
        "once: the whole prompt; rounds: with 1, 2, 4, ... passages until the answer repeats; rounds_or_leader: the leading value where it "
        "never does.",
    )
    max_rounds: int = knob(5, "Most rounds: with 5, the last one holds 16 passages.", low=1, high=12, step=1, unit="rounds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All knobs.

    :param thresholds: None means the judge's own.
    :param thresholds_for: mark of the judge that the thresholds were set for (`measure.portability.threshold_mark`), no knob;
        None = not known, or no judge in particular (the recipe's).
    """

    retrieve: RetrievePolicy = field(default_factory=RetrievePolicy)
    dedup: DedupPolicy = field(default_factory=DedupPolicy)
    thresholds: Thresholds | None = None
    thresholds_for: str | None = None
    thin: ThinPolicy = field(default_factory=ThinPolicy)
    assemble: AssemblePolicy = field(default_factory=AssemblePolicy)
    generate: GeneratePolicy = field(default_factory=GeneratePolicy)

    def value(self, path: str) -> Any:
        """The value at a dotted path; None for a threshold that is the judge's own.

        :raises PolicyError: for an unknown path.
        """
        knob_at(path)
        node: Any = self
        for part in path.split("."):
            node = getattr(node, part) if node is not None else None
        return node

    def with_value(self, path: str, value: Any, *, base: Thresholds | None = None, judge: str | None = None) -> Policy:
        """A copy with one knob changed. Text is read as the knob's type.

        :param base: the thresholds in force where this policy has none of its own (the judge's).
        :param judge: the mark of that judge. It is noted with the first threshold that is changed; thresholds that were
            set for another judge stay that one's, since the others of the four still are.
        :raises PolicyError: for an unknown path, a wrong type or a value out of range.
        """
        checked = knob_at(path).check(value)
        changed: Policy = _replaced(self, path.split("."), checked, base or Thresholds())
        first = self.thresholds is None and changed.thresholds is not None
        return changed.kept_for(judge) if first and base is not None else changed

    def with_values(self, values: Mapping[str, Any], *, base: Thresholds | None = None, judge: str | None = None) -> Policy:
        """A copy with several knobs changed; see `with_value`."""
        policy = self
        for path, value in values.items():
            policy = policy.with_value(path, value, base=base, judge=judge)
        return policy

    def kept_for(self, judge: str | None) -> Policy:
        """A copy whose thresholds count as set for this judge."""
        return replace(self, thresholds_for=judge if self.thresholds is not None else None)

    def with_own_thresholds(self) -> Policy:
        """A copy that leaves the thresholds to the judge."""
        return replace(self, thresholds=None, thresholds_for=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """What is known of one knob."""

    path: str
    type: type
    default: Any
    description: str
    unit: str
    low: float | None
    high: float | None
    step: float | None
    pattern: str
    optional: bool

    @property
    def choices(self) -> tuple[str, ...]:
        """Allowed words of a knob that is a choice; else empty."""
        return tuple(self.type) if issubclass(self.type, StrEnum) else ()

    def check(self, value: Any) -> Any:
        """The value in the knob's type.

        :raises PolicyError: naming the value and what is allowed.
        """
        if self.optional and (value is None or value == "none"):
            return None
        try:
            converted = self._convert(value)
        except (TypeError, ValueError) as exc:
            raise PolicyError(f"{self.path} = {value!r} is not {self.allowed}.") from exc
        outside = (self.low is not None and converted < self.low) or (self.high is not None and converted > self.high)
        if outside or (self.pattern and not re.fullmatch(self.pattern, converted)):
            raise PolicyError(f"{self.path} = {value!r} is not {self.allowed}.")
        return converted

    def _convert(self, value: Any) -> Any:
        if isinstance(value, bool):
            raise TypeError("a yes/no is no number")
        if self.type is int:
            number = float(value)
            if number != int(number):
                raise ValueError("not a whole number")
            return int(number)
        if self.type is float:
            number = float(value)
            if number != number or number in (float("inf"), float("-inf")):
                raise ValueError("not a finite number")
            return number
        return self.type(value)

    @property
    def allowed(self) -> str:
        """What may stand here, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.type is str:
            return "a date YYYY-MM-DD" + (" or none" if self.optional else "")
        kind = "a whole number" if self.type is int else "a number"
        return f"{kind} from {self.low:g} to {self.high:g}" if self.low is not None and self.high is not None else kind


_SECTIONS: tuple[tuple[str, type], ...] = (
    ("retrieve", RetrievePolicy),
    ("dedup", DedupPolicy),
    ("thresholds", Thresholds),
    ("thin", ThinPolicy),
    ("thin.reliability", Reliability),
    ("assemble", AssemblePolicy),
    ("generate", GeneratePolicy),
)


@cache
def knobs() -> tuple[Knob, ...]:
    """Every knob, in the order of the stages."""
    return tuple(_walk())


def _walk() -> Iterator[Knob]:
    for prefix, section in _SECTIONS:
        for item in fields(section):
            if "description" not in item.metadata:
                continue
            meta = item.metadata
            kind = type(item.default) if item.default is not None else str
            yield Knob(
                path=f"{prefix}.{item.name}",
                type=kind,
                default=item.default,
                description=meta["description"],
                unit=meta["unit"],
                low=meta["low"],
                high=meta["high"],
                step=meta["step"],
                pattern=meta["pattern"],
                optional=item.default is None,
            )


@cache
def knob_at(path: str) -> Knob:
    """The knob at a dotted path.

    :raises PolicyError: for an unknown path, naming near ones.
    """
    for candidate in knobs():
        if candidate.path == path:
            return candidate
    near = [k.path for k in knobs() if k.path.rsplit(".", 1)[-1] == path.rsplit(".", 1)[-1]] or [k.path for k in knobs()]
    raise PolicyError(f"There is no knob {path!r}.", remedy="Known: " + ", ".join(near) + ".")


def _replaced(node: Any, parts: list[str], value: Any, base: Thresholds) -> Any:
    name = parts[0]
    if len(parts) == 1:
        return replace(node, **{name: value})
    child = getattr(node, name)
    if child is None:
        child = base
    return replace(node, **{name: _replaced(child, parts[1:], value, base)})


def presets() -> tuple[str, ...]:
    """Names of the shipped policies, which `load_policy` takes like a file."""
    return tuple(sorted(path.stem for path in resources.path("policies").glob("*.toml")))


def load_policy(path: Path | str) -> Policy:
    """Read a policy file (TOML), or a shipped policy by its name.

    :raises PolicyError: naming the file and the knob.
    """
    source = resources.path("policies", f"{path}.toml") if str(path) in presets() and not Path(path).exists() else Path(path)
    try:
        data = tomllib.loads(source.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as exc:
        remedy = f"Give a policy file, or one of: {', '.join(presets())}."
        raise PolicyError(f"the policy cannot be read: {exc}.", path=path, remedy=remedy) from exc
    try:
        values = dict(_flatten(data))
        judge = _judge_name(values.pop(_MADE_FOR, None))
        return Policy().with_values(values).kept_for(judge)
    except PolicyError as exc:
        raise PolicyError(exc.cause, path=path, remedy=exc.remedy) from exc


_MADE_FOR = "thresholds.judge"


def _judge_name(value: Any) -> str | None:
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise PolicyError(f"{_MADE_FOR} = {value!r} is no name of a judge.", remedy="Leave the line out when it is not known.")
    return value


def _flatten(node: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value) if type(value).__name__ in ("date", "datetime") else value


def policy_toml(policy: Policy) -> str:
    """The policy as TOML, each knob under its description and range."""
    lines: list[str] = []
    section = ""
    for item in knobs():
        head, name = item.path.rsplit(".", 1)
        value = policy.value(item.path)
        if head == "thresholds" and policy.thresholds is None:
            continue
        if head != section:
            section = head
            lines += ["", f"[{head}]"] if lines else [f"[{head}]"]
            if head == "thresholds" and policy.thresholds_for:
                lines += [
                    "# The judge that they were set for; thresholds are not portable to another.",
                    f"judge = {_toml(policy.thresholds_for)}",
                ]
        lines.append(f"# {item.description} ({item.allowed}{', ' + item.unit if item.unit else ''})")
        lines.append(f"# {name} = none" if value is None else f"{name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    # A JSON string is a TOML string, escapes included.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
