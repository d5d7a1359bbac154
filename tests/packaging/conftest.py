"""The scripts of `packaging/judge` import each other by name, as they do when they are run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging" / "judge"))
