"""Trains the judge. The same command goes on where it was stopped.

    python packaging/judge/train.py --rows FOLDER --out FOLDER [--adapt lora] [--passes 400000] [--stop-at 06:00]

`--rows` is what `generate.py` wrote. `--out` gets `checkpoint.pt` every ten minutes and at the end (weights, optimizer, random state,
step), `best.pt` (the checkpoint with the lowest loss on dev) and `log.jsonl`. The end is reached after `--passes` examples; SIGTERM or
`--stop-at` end early with a checkpoint. A longer `--passes` for an existing folder goes on with the rate that the longer plan has there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from batches import Encoded, collate, encode, epoch_order
from model import JudgeNet, load_base, masked_losses, parameter_groups
from rows import QUESTIONS, UNKNOWN, read_rows

RATES = {"full": 2e-4, "lora": 1e-3}
EVERY_S = 600.0
LOG_STEPS = 25
DEV_ROWS = 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does.

    :param passes: examples until the rate is zero.
    :param rate: the highest learning rate; the default of `adapt` when 0.
    :param warm: share of the steps in which the rate rises.
    :param smoothing: label smoothing.
    """

    adapt: str = "lora"
    passes: int = 400_000
    batch: int = 32
    rate: float = 0.0
    warm: float = 0.06
    decay: float = 0.01
    smoothing: float = 0.1
    longest: int = 128
    seed: int = 0

    @property
    def steps(self) -> int:
        """Batches until the end."""
        return max(1, self.passes // self.batch)

    def rate_at(self, step: int) -> float:
        """Linear warm-up, then linear decay to zero."""
        top, rise = self.rate or RATES[self.adapt], max(1, round(self.warm * self.steps))
        return top * min((step + 1) / rise, max(0.0, (self.steps - step) / max(1, self.steps - rise)))


class Run:
    """A network in training. `step` counts batches; everything that decides the next step is in `state`."""

    def __init__(self, network: JudgeNet, rows: Sequence[Encoded], plan: Plan) -> None:
        self.network, self.rows, self.plan = network, rows, plan
        self.optimizer = torch.optim.AdamW(parameter_groups(network, plan.decay), lr=plan.rate_at(0), fused=True)
        self.step = 0
        self.best = float("inf")
        self._epoch: tuple[int, list[list[int]]] | None = None

    def advance(self) -> dict[str, float]:
        """One batch.

        :returns: the loss of each question that the batch asks.
        """
        batch = collate([self.rows[row] for row in self._batch()])
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate_at(self.step)
        self.network.train()
        logits = self.network(batch.ids, batch.types, batch.mask)
        losses = masked_losses(logits, batch.labels, self.plan.smoothing)
        # Each question weighs as many rows as ask it, so that a rare one does not shake the others.
        known = {question: int((batch.labels[:, QUESTIONS.index(question)] != UNKNOWN).sum()) for question in losses}
        torch.stack([losses[question] * known[question] for question in losses]).sum().div(len(batch.labels)).backward()
        torch.nn.utils.clip_grad_norm_(list(self.network.trained().values()), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        return {question: loss.item() for question, loss in losses.items()}

    def _batch(self) -> list[int]:
        per_epoch = -(-len(self.rows) // self.plan.batch)
        epoch = self.step // per_epoch
        if self._epoch is None or self._epoch[0] != epoch:
            self._epoch = (epoch, epoch_order([len(row.ids) for row in self.rows], self.plan.batch, self.plan.seed, epoch))
        return self._epoch[1][self.step % per_epoch]

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds."""
        return {
            "weights": {name: value.detach().clone() for name, value in self.network.trained().items()},
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "step": self.step,
            "best": self.best,
            "plan": asdict(self.plan),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint.

        :raises ValueError: when it was made with another network, batch size, seed or length; the number of passes may differ.
        """
        for name in ("adapt", "batch", "seed", "longest"):
            if state["plan"][name] != getattr(self.plan, name):
                raise ValueError(f"the checkpoint has {name} {state['plan'][name]!r}, the command {getattr(self.plan, name)!r}")
        self.network.load_trained(state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.step, self.best = int(state["step"]), float(state["best"])


def save(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint; a crash while writing leaves the former one."""
    partial = path.with_suffix(".partial")
    torch.save(dict(state), partial)
    partial.replace(path)


def dev_loss(network: JudgeNet, rows: Sequence[Encoded], batch: int = 64) -> dict[str, float]:
    """The mean loss of each question on rows that were not trained on, without smoothing."""
    network.eval()
    sums: dict[str, list[float]] = {}
    ordered = sorted(rows, key=lambda row: len(row.ids))
    with torch.inference_mode():
        for start in range(0, len(ordered), batch):
            part = collate(ordered[start : start + batch])
            logits = network(part.ids, part.types, part.mask)
            for question, loss in masked_losses(logits, part.labels, 0.0).items():
                count = int((part.labels[:, QUESTIONS.index(question)] != UNKNOWN).sum())
                total = sums.setdefault(question, [0.0, 0.0])
                total[0] += float(loss) * count
                total[1] += count
    return {question: total / count for question, (total, count) in sums.items()}


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a run lives."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """The last state."""
        return self.path / "checkpoint.pt"

    @property
    def best(self) -> Path:
        """The state with the lowest loss on dev."""
        return self.path / "best.pt"

    def log(self, **values: Any) -> None:
        """One JSON line, on stdout as well."""
        line = json.dumps({"time": time.strftime("%H:%M:%S"), **values})
        print(line, flush=True)
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")


def checkpoint(run: Run, folder: Folder, dev: Sequence[Encoded]) -> None:
    """Measure on dev and write the state, and the best one."""
    losses = dev_loss(run.network, dev)
    mean = sum(losses.values()) / max(1, len(losses))
    folder.log(step=run.step, dev={question: round(loss, 4) for question, loss in losses.items()}, dev_mean=round(mean, 4))
    improved = mean < run.best
    run.best = min(mean, run.best)
    save(folder.checkpoint, run.state())
    if improved:
        save(folder.best, run.state())


def train(run: Run, folder: Folder, dev: Sequence[Encoded], stop: Callable[[], bool], every_s: float = EVERY_S) -> None:
    """Batches until the plan ends or `stop` says so."""
    saved = logged = time.monotonic()
    measured = -1
    losses: list[dict[str, float]] = []
    while run.step < run.plan.steps and not stop():
        losses.append(run.advance())
        if run.step % LOG_STEPS == 0:
            now = time.monotonic()
            folder.log(
                step=run.step,
                of=run.plan.steps,
                rate=round(run.plan.rate_at(run.step), 7),
                per_second=round(len(losses) * run.plan.batch / (now - logged), 1),
                loss=dict(_means(losses)),
            )
            losses, logged = [], now
        if time.monotonic() - saved > every_s:
            checkpoint(run, folder, dev)
            saved = logged = time.monotonic()
            measured = run.step
    if measured != run.step:
        checkpoint(run, folder, dev)


def _means(losses: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, float]]:
    for question in QUESTIONS:
        found = [values[question] for values in losses if question in values]
        if found:
            yield question, round(sum(found) / len(found), 4)


def stopper(stop_at: str | None) -> Callable[[], bool]:
    """Says stop after SIGTERM, or at a time of the day ("06:00") that is still to come when the run starts."""
    told: list[bool] = []
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))
    end = float("inf")
    if stop_at:
        hour, minute = (int(part) for part in stop_at.split(":"))
        now = time.localtime()
        seconds = ((hour - now.tm_hour) * 60 + minute - now.tm_min) * 60 - now.tm_sec
        end = time.monotonic() + seconds % 86_400
    return lambda: bool(told) or time.monotonic() >= end


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stop-at", help="time of the day, HH:MM")
    parser.add_argument("--threads", type=int, default=1)
    for name in ("adapt", "passes", "batch", "rate", "seed", "longest"):
        default = getattr(Plan(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    arguments = parser.parse_args()
    plan = Plan(**{name: getattr(arguments, name) for name in ("adapt", "passes", "batch", "rate", "seed", "longest")})
    stop = stopper(arguments.stop_at)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(plan.seed)
    arguments.out.mkdir(parents=True, exist_ok=True)
    folder = Folder(arguments.out)
    encoder, tokenizer = load_base()
    rows = encode(list(read_rows(arguments.rows / "train.jsonl")), tokenizer, plan.longest)
    dev = encode(list(read_rows(arguments.rows / "dev.jsonl")), tokenizer, plan.longest)
    dev = dev[:: max(1, len(dev) // DEV_ROWS)]
    run = Run(JudgeNet(encoder, plan.adapt), rows, plan)
    if folder.checkpoint.exists():
        run.restore(torch.load(folder.checkpoint, weights_only=True))
    folder.log(
        step=run.step,
        of=plan.steps,
        rows=len(rows),
        dev_rows=len(dev),
        tokens=round(sum(len(row.ids) for row in rows) / len(rows), 1),
        manifest=hashlib.sha256((arguments.rows / "manifest.json").read_bytes()).hexdigest(),
        plan=asdict(plan),
    )
    train(run, folder, dev, stop)


if __name__ == "__main__":
    main()
