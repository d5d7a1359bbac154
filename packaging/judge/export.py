"""Writes the trained part of a checkpoint as the files that the app can load.

    python packaging/judge/export.py --checkpoint FOLDER/best.pt --rows FOLDER --out FOLDER

`judge.safetensors` holds the additions (or layers) and the heads in bfloat16; `judge.json` says what they belong to: the base and its
hash, how they were trained, the hashes of the rows and of everything that the rows were made from, and the licences. No pickles.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from model import HEAD_WIDTH, OUTPUTS, RANK
from safetensors.torch import save_file

from guard_desk.models.embedded import catalogue

BASE = "minilm"
READABLE = 0o644


def export(state: Mapping[str, Any], manifest: bytes, out: Path) -> dict[str, Any]:
    """Write both files.

    :param state: a checkpoint of `train.py`.
    :param manifest: the bytes of the manifest of the rows that it was trained on.
    :returns: what `judge.json` says.
    """
    out.mkdir(parents=True, exist_ok=True)
    weights = out / "judge.safetensors"
    save_file({name: value.to(torch.bfloat16).contiguous() for name, value in state["weights"].items()}, weights)
    # The library makes it readable by its owner alone, and so it would lie in the repository and the package.
    weights.chmod(READABLE)
    rows = json.loads(manifest)
    entry = catalogue()[BASE]
    described = {
        "base": BASE,
        "base_sha256": entry["files"][entry["weights"]],
        "outputs": OUTPUTS,
        "head_width": HEAD_WIDTH,
        "rank": RANK if state["plan"]["adapt"] == "lora" else None,
        "plan": state["plan"],
        "step": state["step"],
        "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "manifest_sha256": hashlib.sha256(manifest).hexdigest(),
        "rows_sha256": {side: rows[side]["sha256"] for side in ("train", "dev")},
        "read": rows["read"],
        "licences": rows["licences"],
    }
    (out / "judge.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    (out / "judge.json").chmod(READABLE)
    return described


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    state = torch.load(arguments.checkpoint, weights_only=True)
    described = export(state, (arguments.rows / "manifest.json").read_bytes(), arguments.out)
    print(arguments.out / "judge.safetensors", described["weights_sha256"][:12], (arguments.out / "judge.safetensors").stat().st_size)


if __name__ == "__main__":
    main()
