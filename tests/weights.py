"""Marks a test that needs the trained weights of the embedded judge, or of the answer finder."""

from __future__ import annotations

import pytest

from guard_desk.models.answers import network as answers
from guard_desk.models.judges.calibration import FILE
from guard_desk.models.judges.network import DESCRIPTION, WEIGHTS, judge_folder

_MISSING = [name for name in (WEIGHTS, DESCRIPTION, FILE) if not (judge_folder() / name).is_file()]

needs_weights = pytest.mark.skipif(bool(_MISSING), reason=f"resources/judge lacks {', '.join(_MISSING)}")

_NO_ANSWERS = [name for name in (answers.WEIGHTS, answers.DESCRIPTION) if not (answers.answers_folder() / name).is_file()]

needs_answers = pytest.mark.skipif(bool(_NO_ANSWERS), reason=f"resources/answers lacks {', '.join(_NO_ANSWERS)}")
