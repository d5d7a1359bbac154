"""The scripts of `packaging/judge` and `packaging/thinning` import each other by name, as they do when they are run."""

import sys
from pathlib import Path

for folder in ("judge", "thinning"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging" / folder))
