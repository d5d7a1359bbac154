"""What requests to a server take: tokens, money, and when asking on is of no use."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from guard_desk.errors import RemoteError
from guard_desk.models.remote.client import RemoteClient
from guard_desk.records.judging import JudgeSettings, Spent

# So many failures in a row in the same words: the others would fail too.
SAME_FAILURES = 5
# These speak of one passage, however often they come.
_OF_A_PASSAGE = frozenset({413, 422})


def cost_of(settings: JudgeSettings, input_tokens: int, output_tokens: int) -> float | None:
    """In the currency of the prices, which are for a million tokens; a price that is not given counts as free beside one that is."""
    if settings.price_input is None and settings.price_output is None:
        return None
    return (input_tokens * (settings.price_input or 0.0) + output_tokens * (settings.price_output or 0.0)) / 1e6


def estimated_tokens(text: str) -> int:
    """Counted with the app's encoding; a server's own count differs a little."""
    from guard_desk.models.registry import token_counter

    return token_counter().count(text)


@dataclass(slots=True, kw_only=True)
class Tally:
    """What one call of `judge` took; written by several threads.

    :param client: counts the requests.
    :param waiting: requests that have no reply yet, or were left behind.
    """

    settings: JudgeSettings
    client: RemoteClient | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    waiting: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, change: int) -> None:
        """Count requests that wait for a reply."""
        with self._lock:
            self.waiting += change

    def add(self, input_tokens: int, output_tokens: int, estimated: bool) -> None:
        """Count the tokens of a reply."""
        with self._lock:
            self.input_tokens += input_tokens
            self.output_tokens += output_tokens
            self.estimated |= estimated

    def spent(self) -> Spent:
        """So far."""
        with self._lock:
            tokens, output, estimated = self.input_tokens, self.output_tokens, self.estimated or self.waiting > 0
        requests = 0 if self.client is None else self.client.sent
        cost = cost_of(self.settings, tokens, output)
        return Spent(requests=requests, input_tokens=tokens, output_tokens=output, cost=cost, estimated=estimated)


@dataclass(slots=True)
class Failures:
    """Says when what is left need not be asked; written by several threads.

    :param final: the error that it would meet too.
    """

    final: RemoteError | None = None
    _last: str = ""
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, outcome: object) -> None:
        """Take one more outcome, in the order in which they come in."""
        with self._lock:
            if not isinstance(outcome, RemoteError) or outcome.status in _OF_A_PASSAGE:
                self._last, self._count = "", 0
                return
            self._count = self._count + 1 if outcome.cause == self._last else 1
            self._last = outcome.cause
            if outcome.repeats or self._count >= SAME_FAILURES:
                self.final = self.final or outcome
