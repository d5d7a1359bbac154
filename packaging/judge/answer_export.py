"""Writes the trained part of a checkpoint as the files of `resources/answers`.

    python packaging/judge/answer_export.py --checkpoint FOLDER/checkpoint.pt --rows FOLDER --out FOLDER

`weights.safetensors` holds the additions and the span head in bfloat16; `answers.json` says what they belong to: the base and its hash,
how they were trained, the hashes of the rows and of everything that the rows were made from, and the licences. Its calibration is
neutral until `answer_calibrate.py` has fitted it. No pickles.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from answer_rows import CALIBRATION_TITLES, SIDES, TEST_TITLES
from export import BASE, READABLE
from safetensors.torch import save_file

from guard_desk.models.answers.network import DESCRIPTION, WEIGHTS
from guard_desk.models.embedded import catalogue


def export(state: Mapping[str, Any], manifest: bytes, out: Path) -> dict[str, Any]:
    """Write both files.

    :param state: a checkpoint of `answer_train.py`.
    :param manifest: the bytes of the manifest of the rows that it was trained on.
    :returns: what `answers.json` says.
    """
    out.mkdir(parents=True, exist_ok=True)
    weights = out / WEIGHTS
    save_file({name: value.to(torch.bfloat16).contiguous() for name, value in state["weights"].items()}, weights)
    weights.chmod(READABLE)
    rows = json.loads(manifest)
    entry = catalogue()[BASE]
    described = {
        "base": BASE,
        "base_sha256": entry["files"][entry["weights"]],
        "plan": state["plan"],
        "step": state["step"],
        "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "manifest_sha256": hashlib.sha256(manifest).hexdigest(),
        "rows_sha256": {side: rows[side]["sha256"] for side in SIDES},
        "calibration_titles": sorted(CALIBRATION_TITLES),
        "test_titles": sorted(TEST_TITLES),
        "read": rows["read"],
        "licences": rows["licences"],
        "calibration": {"temperature": 1.0, "null": 0.0},
    }
    write_description(out, described)
    return described


def write_description(folder: Path, described: Mapping[str, Any]) -> None:
    """Write `answers.json`."""
    (folder / DESCRIPTION).write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    (folder / DESCRIPTION).chmod(READABLE)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    state = torch.load(arguments.checkpoint, weights_only=True)
    described = export(state, (arguments.rows / "manifest.json").read_bytes(), arguments.out)
    print(arguments.out / WEIGHTS, described["weights_sha256"][:12], (arguments.out / WEIGHTS).stat().st_size)


if __name__ == "__main__":
    main()
