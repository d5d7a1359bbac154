"""Every check in one command: format, lint, types, import contracts, tests. CI runs exactly this.

python packaging/check.py [pytest arguments]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(sys.executable).parent


def main() -> int:
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    failed = []
    for name, command in (
        ("format", [sys.executable, "-m", "ruff", "format", "--check", "."]),
        ("lint", [sys.executable, "-m", "ruff", "check", "."]),
        ("types", [sys.executable, "-m", "mypy"]),
        ("import contracts", [str(TOOLS / "lint-imports")]),
        ("tests", [sys.executable, "-m", "pytest", *sys.argv[1:]]),
    ):
        print(f"== {name}", flush=True)
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            failed.append(name)
    print("All checks passed." if not failed else f"Failed: {', '.join(failed)}.", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
