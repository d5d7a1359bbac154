"""Trains the answer finder. The same command goes on where it was stopped.

    python packaging/judge/answer_train.py --rows FOLDER --out FOLDER [--passes 100000] [--start judge] [--stop-at 06:00]

`--rows` is what `answer_generate.py` wrote. `--start judge` begins with the additions of the shipped judge, `--start base` with nothing.
`--out` gets `checkpoint.pt` every five minutes and at the end, and `log.jsonl`.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from answer_batches import AnswerEncoder, EncodedAnswer
from answer_model import RANK, AnswerNet, span_losses
from answer_rows import read_rows
from batches import epoch_order
from model import load_base, parameter_groups
from train import LOG_STEPS, Folder, save, stopper

from guard_desk.models.embedded import embedded_folder
from guard_desk.models.judges.network import WEIGHTS, judge_folder, load_tokenizer

EVERY_S = 300.0
DEV_ROWS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """What a run does.

    :param passes: examples until the rate is zero.
    :param start: "judge" or "base".
    :param warm: share of the steps in which the rate rises.
    """

    start: str = "judge"
    rank: int = RANK
    passes: int = 100_000
    batch: int = 32
    rate: float = 1e-3
    warm: float = 0.05
    decay: float = 0.01
    longest: int = 160
    seed: int = 0

    @property
    def steps(self) -> int:
        """Batches until the end."""
        return max(1, self.passes // self.batch)

    def rate_at(self, step: int) -> float:
        """Linear warm-up, then linear decay to zero."""
        rise = max(1, round(self.warm * self.steps))
        return self.rate * min((step + 1) / rise, max(0.0, (self.steps - step) / max(1, self.steps - rise)))


class AnswerRun:
    """A network in training. `step` counts batches; everything that decides the next step is in `state`."""

    def __init__(self, network: AnswerNet, encoder: AnswerEncoder, rows: Sequence[EncodedAnswer], plan: AnswerPlan) -> None:
        self.network, self.encoder, self.rows, self.plan = network, encoder, rows, plan
        self.optimizer = torch.optim.AdamW(parameter_groups(network, plan.decay), lr=plan.rate_at(0), fused=True)
        self.step = 0
        self._epoch: tuple[int, list[list[int]]] | None = None

    def advance(self) -> float:
        """One batch. :returns: its loss."""
        batch = self.encoder.collate([self.rows[row] for row in self._batch()])
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate_at(self.step)
        self.network.train()
        loss = span_losses(*self.network(batch.ids, batch.types, batch.mask, batch.first, batch.last), batch.gold).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.network.trained().values()), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        return loss.item()

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
            "plan": asdict(self.plan),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint.

        :raises ValueError: when it was made with another network, batch size, seed or length; the number of passes may differ.
        """
        for name in ("start", "rank", "batch", "seed", "longest"):
            if state["plan"][name] != getattr(self.plan, name):
                raise ValueError(f"the checkpoint has {name} {state['plan'][name]!r}, the command {getattr(self.plan, name)!r}")
        self.network.load_trained(state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.step = int(state["step"])


def held_loss(run: AnswerRun, rows: Sequence[EncodedAnswer], batch: int = 64) -> dict[str, float]:
    """On rows that were not trained on: the mean loss, how often the best span is a right one, and how often "no answer" is told."""
    run.network.eval()
    ordered = sorted(rows, key=lambda row: len(row.ids))
    losses: list[float] = []
    right: list[bool] = []
    silent: list[bool] = []
    with torch.inference_mode():
        for start in range(0, len(ordered), batch):
            part = run.encoder.collate(ordered[start : start + batch])
            spans, null = run.network(part.ids, part.types, part.mask, part.first, part.last)
            losses += span_losses(spans, null, part.gold).tolist()
            best, place = spans.flatten(1).max(1)
            answered = part.gold.flatten(1).any(1)
            hit = part.gold.flatten(1).gather(1, place[:, None]).squeeze(1)
            right += hit[answered].tolist()
            silent += ((null > best) == ~answered).tolist()
    return {"loss": sum(losses) / len(losses), "best_span": sum(right) / max(1, len(right)), "answered": sum(silent) / len(silent)}


def checkpoint(run: AnswerRun, folder: Folder, held: Sequence[EncodedAnswer]) -> None:
    """Measure and write the state."""
    folder.log(step=run.step, **{name: round(value, 4) for name, value in held_loss(run, held).items()})
    save(folder.checkpoint, run.state())


def train(run: AnswerRun, folder: Folder, held: Sequence[EncodedAnswer], stop: Callable[[], bool], every_s: float = EVERY_S) -> None:
    """Batches until the plan ends or `stop` says so."""
    saved = logged = time.monotonic()
    losses: list[float] = []
    while run.step < run.plan.steps and not stop():
        losses.append(run.advance())
        if run.step % (4 * LOG_STEPS) == 0:
            now = time.monotonic()
            pace = round(len(losses) * run.plan.batch / (now - logged), 1)
            folder.log(step=run.step, of=run.plan.steps, per_second=pace, loss=round(sum(losses) / len(losses), 4))
            losses, logged = [], now
        if time.monotonic() - saved > every_s:
            checkpoint(run, folder, held)
            saved = logged = time.monotonic()
    checkpoint(run, folder, held)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stop-at", help="time of the day, HH:MM")
    names = ("start", "rank", "passes", "batch", "rate", "seed", "longest")
    for name in names:
        default = getattr(AnswerPlan(), name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    arguments = parser.parse_args()
    plan = AnswerPlan(**{name: getattr(arguments, name) for name in names})
    stop = stopper(arguments.stop_at)
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    arguments.out.mkdir(parents=True, exist_ok=True)
    folder = Folder(arguments.out)
    network = AnswerNet(load_base()[0], rank=plan.rank)
    if plan.start == "judge":
        network.start_from(judge_folder() / WEIGHTS)
    encoder = AnswerEncoder(load_tokenizer(embedded_folder("minilm")), plan.longest)
    rows = encoder.encode(list(read_rows(arguments.rows / "train.jsonl")))
    held = encoder.encode(list(read_rows(arguments.rows / "calibration.jsonl")))
    held = held[:: max(1, len(held) // DEV_ROWS)]
    run = AnswerRun(network, encoder, rows, plan)
    if folder.checkpoint.exists():
        run.restore(torch.load(folder.checkpoint, weights_only=True))
    manifest = hashlib.sha256((arguments.rows / "manifest.json").read_bytes()).hexdigest()
    tokens = round(sum(len(row.ids) for row in rows) / len(rows), 1)
    folder.log(step=run.step, of=plan.steps, rows=len(rows), held=len(held), tokens=tokens, manifest=manifest, plan=asdict(plan))
    train(run, folder, held, stop)


if __name__ == "__main__":
    main()
