"""What is said of results that belong to another question than the one that is asked now. No drawing in here."""

from __future__ import annotations

from guard_desk.ui.view import Phase, View

_LONGEST = 90
"""Letters of a question that are quoted."""


def former_words(view: View) -> str:
    """One sentence; "" while the results belong to the question that is asked."""
    if view.trace is None or view.phase in (Phase.RUNNING, Phase.LOADING) or view.trace.query == view.state.query:
        return ""
    if view.trace.query.text == view.state.query.text:
        return "These results were made with another version or scope. Run again (F5) to follow the filter."
    question = " ".join(view.trace.query.text.split())
    shown = question if len(question) <= _LONGEST else f"{question[: _LONGEST - 1]}…"
    todo = "Press F5 to run the question in the box." if view.state.query.text.strip() else "Ask a question and press F5."
    return f"All results below belong to the former question “{shown}”. {todo}"
