"""What the README tells people is what CI does."""

from __future__ import annotations

import re
from pathlib import Path

from guard_desk.cli.parser import build
from guard_desk.policy import knobs

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _commands(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "pip install" in line and "packaging/constraints.txt" in line]


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    first, second = _commands(README)
    ci_first, ci_second = _commands((ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    # The first one opens the window; without a screen CI takes the same run as text, as the README says.
    assert first.removesuffix("guard-desk demo") == ci_first.removesuffix("guard-desk run demo")
    assert second == ci_second


def test_every_verb_of_the_readme_exists() -> None:
    verbs = set(re.findall(r"^    guard-desk ([a-z]+) ", README, flags=re.MULTILINE))
    known = next(action for action in build()._actions if action.dest == "verb").choices
    assert verbs <= set(known)


def test_the_knobs_of_the_readme_exist() -> None:
    paths = {knob.path for knob in knobs()}
    assert set(re.findall(r"--set ([a-z_.]+)=", README)) | set(re.findall(r"with_value\(\"([a-z_.]+)\"", README)) <= paths


def test_the_pictures_of_the_readme_exist() -> None:
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / picture).stat().st_size > 10_000


def test_constraints_pin_every_dependency() -> None:
    pins = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    pinned = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in pins.splitlines() if "==" in line}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = project.split("dependencies = [", 1)[1].split("[project.scripts]", 1)[0]
    wanted = {re.sub(r"[-_.]+", "-", name).lower() for name in re.findall(r'^    "([A-Za-z0-9_.-]+)', block, flags=re.MULTILINE)}
    assert wanted <= pinned
