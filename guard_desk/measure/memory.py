"""How much memory this process takes, from the operating system."""

from __future__ import annotations

import sys
from pathlib import Path


def resident_bytes() -> int:
    """Memory held now; the peak where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.exists():
        import resource

        return int(status.read_text().split()[1]) * resource.getpagesize()
    return peak_bytes()


def peak_bytes() -> int:
    """The most memory held so far; 0 where the system does not tell (Windows)."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024
