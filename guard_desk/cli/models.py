"""models: what is installed, and fetching one."""

from __future__ import annotations

import argparse

from guard_desk.cli.terminal import out, progress, say
from guard_desk.errors import InputError
from guard_desk.models.fetch import InstalledModel, add_model
from guard_desk.models.registry import installed_models


def models(options: argparse.Namespace) -> int:
    """List the models, or add one."""
    if options.action is None:
        for model in installed_models():
            out(_line(model) + "\n")
        return 0
    if not options.spec:
        raise InputError("models add needs a name, a file or an address.", remedy="For example: guard-desk models add smollm2")
    with progress() as ctx:
        model = add_model(options.spec, ctx)
    say("added: " + _line(model))
    return 0


def _line(model: InstalledModel) -> str:
    hash_state = "known" if model.known else "not known to Guard Desk"
    size = f"{model.size_bytes / 2**20:.0f} MiB"
    return (
        f"{model.name}  {model.kind}, {size}, {model.revision or 'no revision'}, runs on {model.device}\n"
        f"    from {model.source}, at {model.path}\n    sha256 {model.sha256} ({hash_state})"
    )
