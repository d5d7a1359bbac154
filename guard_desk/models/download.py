"""Downloads a file over http(s); a second try goes on where the first one stopped."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from guard_desk.errors import ModelError
from guard_desk.progress import RunContext

_BLOCK = 1 << 18
_TIMEOUT_S = 30


def download(url: str, part: Path, ctx: RunContext, *, stage: str) -> Path:
    """Fetch a URL into `part` and return it when it is complete.

    What is there from a former try is kept when the server still has the same file (by its ETag or date).

    :raises ModelError: when the server refuses or the connection breaks; the part stays for the next try.
    :raises Cancelled: between blocks; the part stays.
    """
    note = part.with_name(part.name + ".json")
    start, validator = _resume_point(url, part, note)
    request = urllib.request.Request(url, headers={"User-Agent": "guard-desk"})
    if start:
        request.add_header("Range", f"bytes={start}-")
        request.add_header("If-Range", validator)
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
            _store(response, url, part, note, start, ctx, stage)
    except urllib.error.HTTPError as exc:
        if exc.code == 416:  # the part is longer than the file: it belongs to another one
            part.unlink(missing_ok=True)
        raise ModelError(f"{url} cannot be downloaded: the server answered {exc.code} {exc.reason}.") from exc
    except (OSError, http.client.HTTPException) as exc:
        raise ModelError(f"{url} cannot be downloaded: {exc}. Run the same command again to go on.") from exc
    note.unlink(missing_ok=True)
    return part


def _resume_point(url: str, part: Path, note: Path) -> tuple[int, str]:
    """Bytes that are there already, and the sign that the server's file is still the same; (0, "") to start anew."""
    try:
        known = json.loads(note.read_text(encoding="utf-8"))
        size = part.stat().st_size
    except (OSError, ValueError):
        return 0, ""
    if known.get("url") != url or not known.get("validator"):
        return 0, ""
    return size, str(known["validator"])


def _store(response: Any, url: str, part: Path, note: Path, start: int, ctx: RunContext, stage: str) -> None:
    resumed = response.status == 206
    done = start if resumed else 0
    length = response.headers.get("Content-Length")
    total = done + int(length) if length else None
    etag = response.headers.get("ETag") or ""
    # A weak ETag must not be used to join parts.
    validator = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified") or ""
    note.write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")
    with part.open("ab" if resumed else "wb") as target:
        ctx.report(stage, done, total, unit="bytes")
        while block := response.read(_BLOCK):
            target.write(block)
            done += len(block)
            ctx.report(stage, done, total, unit="bytes")
    if total is not None and done < total:
        raise ModelError(f"{url} broke off after {done:,} of {total:,} bytes. Run the same command again to go on.")
