"""The list of commands: what stands in the menus, with keys and tips."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from guard_desk.ui.actions import Command
from guard_desk.ui.theme import Mode

if TYPE_CHECKING:
    from guard_desk.ui.main_window import MainWindow

MENUS = {"file": "&File", "edit": "&Edit", "view": "&View", "run": "&Run", "policy": "&Policy", "window": "&Window", "help": "&Help"}


def window_commands(window: MainWindow) -> tuple[Command, ...]:
    """Every command of the window, in menu order."""
    return (*_file(window), *_edit(window), *_view(window), *_run(window), *_policy(window), *_window(window), *_help(window))


def _file(window: MainWindow) -> tuple[Command, ...]:
    files = window.files
    return (
        Command(
            name="open_file",
            menu="file",
            text="&Open…",
            keys="Ctrl+O",
            icon="open",
            do=files.ask_file,
            tip="Open a corpus, a case file, a trace or a session",
        ),
        Command(
            name="open_folder",
            menu="file",
            text="Open &folder…",
            keys="Ctrl+Shift+O",
            do=files.ask_folder,
            tip="Open a folder of Markdown files, or a BEIR folder",
        ),
        Command(
            name="reopen_last",
            menu="file",
            text="Reopen &last session",
            keys="Ctrl+Shift+T",
            do=files.reopen_last,
            needs="last",
            tip="Go on with what the window was closed with, saved or not",
        ),
        Command(
            name="open_demo",
            menu="file",
            text="Open &demo",
            do=files.open_demo,
            tip="Open the shipped case: the manual of an invented product",
        ),
        Command(
            name="save_session",
            menu="file",
            text="&Save session",
            keys="Ctrl+S",
            icon="save",
            do=files.save,
            needs="passages",
            separator=True,
            tip="Save everything: question, policy, labels, answer, last run",
        ),
        Command(
            name="save_session_as",
            menu="file",
            text="Save session &as…",
            keys="Ctrl+Shift+S",
            do=files.save_as,
            needs="passages",
            tip="Save the session to another file",
        ),
        Command(name="save_trace", menu="file", text="Save &trace…", do=files.save_trace, needs="run", tip="Write the run as JSON"),
        Command(
            name="save_report",
            menu="file",
            text="Save &report…",
            do=files.save_report,
            needs="run",
            tip="Write the run as HTML, CSV or XLSX",
        ),
        Command(
            name="save_case",
            menu="file",
            text="Save as &case file…",
            do=files.save_case,
            needs="corpus",
            tip="Write passages, question, answer and labels as one case file",
        ),
        Command(name="quit", menu="file", text="&Quit", keys="Ctrl+Q", do=window.close, separator=True, tip="Close Guard Desk"),
    )


def _edit(window: MainWindow) -> tuple[Command, ...]:
    return (
        Command(
            name="ask",
            menu="edit",
            text="&Ask a question",
            keys="Ctrl+L",
            do=window.focus_question,
            separator=True,
            tip="Put the cursor into the question box",
        ),
        Command(
            name="find",
            menu="edit",
            text="&Filter passages",
            keys="Ctrl+F",
            icon="filter",
            do=window.focus_filter,
            needs="passages",
            tip="Put the cursor into the filter of the passages table",
        ),
        Command(
            name="filter_corpus",
            menu="edit",
            text="&Version and scope…",
            do=window.asking.filter,
            needs="versions",
            tip="Keep only passages of exactly one version or scope",
        ),
    )


def _view(window: MainWindow) -> tuple[Command, ...]:
    tabs = tuple(
        Command(
            name=f"show_{window.tabs.tabText(i).lower()}",
            menu="view",
            text=f"&{i + 1} {window.tabs.tabText(i)}",
            keys=f"Ctrl+{i + 1}",
            do=partial(window.tabs.setCurrentIndex, i),
            tip=f"Show {window.tabs.tabText(i).lower()}",
        )
        for i in range(window.tabs.count())
    )
    return (
        *tabs,
        *_colours(window),
        Command(
            name="text_larger",
            menu="view",
            text="Larger &text",
            keys="Ctrl++",
            do=partial(window.scale_text, 1.1),
            needs="larger",
            separator=True,
        ),
        Command(
            name="text_smaller", menu="view", text="S&maller text", keys="Ctrl+-", do=partial(window.scale_text, 1 / 1.1), needs="smaller"
        ),
        Command(name="text_normal", menu="view", text="&Normal text", keys="Ctrl+0", do=partial(window.scale_text, None), needs="scaled"),
    )


def _colours(window: MainWindow) -> tuple[Command, ...]:
    return tuple(
        Command(
            name=f"theme_{mode}",
            menu="view",
            text=text,
            do=partial(window.choose_mode, mode),
            group="theme",
            checked=window.preferences.mode is mode,
            separator=mode is Mode.SYSTEM,
        )
        for mode, text in ((Mode.SYSTEM, "&System colours"), (Mode.LIGHT, "&Light colours"), (Mode.DARK, "&Dark colours"))
    )


def _run(window: MainWindow) -> tuple[Command, ...]:
    return (
        Command(
            name="run",
            menu="run",
            text="&Run",
            keys="F5",
            icon="run",
            do=window.run,
            needs="question",
            tip="Run the question: retrieve, judge, decide, verify",
        ),
        Command(
            name="cancel",
            menu="run",
            text="&Cancel",
            keys="Esc",
            icon="cancel",
            do=window.desk.cancel,
            needs="busy",
            tip="Stop what is running; what was finished is kept",
        ),
        Command(
            name="choose_models",
            menu="run",
            text="&Models…",
            icon="settings",
            do=window.asking.models,
            separator=True,
            tip="Choose encoder, judge, generator and device",
        ),
        Command(
            name="choose_judge",
            menu="run",
            text="&Judge…",
            keys="Ctrl+J",
            do=window.judging.choose,
            tip="Choose who answers the four questions, with server, key and prices",
        ),
        Command(
            name="choose_generator",
            menu="run",
            text="&Generator…",
            keys="Ctrl+G",
            do=window.judging.choose_generator,
            tip="Choose who writes the answers: a model on this machine, or a server",
        ),
        Command(
            name="edit_wordings",
            menu="run",
            text="&Wordings of the questions…",
            do=window.judging.edit_wordings,
            tip="Edit how the four questions are put to judges that read them",
        ),
        Command(
            name="compare_judges",
            menu="run",
            text="C&ompare judges…",
            do=window.judging.compare,
            needs="corpus",
            tip="Ask several judges about the same passages: agreement, and whose route changes",
        ),
        Command(
            name="ask_again",
            menu="run",
            text="Ask &again before sending",
            do=window.judging.ask_again,
            needs="agreed",
            tip="Forget the servers to which passages are sent without asking",
        ),
    )


def _policy(window: MainWindow) -> tuple[Command, ...]:
    files = window.files
    return (
        Command(
            name="preset_default",
            menu="policy",
            text="Preset: &default",
            do=window.desk.preset_default,
            needs="not default",
            tip="Every knob at its start, thresholds of the judge",
        ),
        Command(
            name="preset_recipe",
            menu="policy",
            text="Preset: &recipe",
            do=window.desk.preset_recipe,
            needs="not recipe",
            tip="The published thresholds .70 / .70 / .45 / .55",
        ),
        Command(
            name="open_policy", menu="policy", text="&Open policy…", do=files.ask_policy, separator=True, tip="Read a policy file (TOML)"
        ),
        Command(name="save_policy", menu="policy", text="&Save policy…", do=files.save_policy, tip="Write the policy in force as TOML"),
        Command(
            name="pin_baseline",
            menu="policy",
            text="&Pin baseline",
            keys="Ctrl+B",
            icon="baseline",
            do=window.desk.pin_baseline,
            needs="not pinned",
            separator=True,
            tip="Compare with the policy in force from now on",
        ),
        Command(
            name="to_baseline",
            menu="policy",
            text="Back to &baseline",
            keys="Ctrl+Shift+B",
            do=window.desk.reset_to_baseline,
            needs="off baseline",
            tip="Take the baseline's policy again",
        ),
    )


def _window(window: MainWindow) -> tuple[Command, ...]:
    return (
        Command(name="next_pane", menu="window", text="&Next pane", keys="F6", do=partial(window.next_pane, 1)),
        Command(name="previous_pane", menu="window", text="&Previous pane", keys="Shift+F6", do=partial(window.next_pane, -1)),
        Command(
            name="reset_layout",
            menu="window",
            text="&Reset layout",
            do=window.reset_layout,
            separator=True,
            tip="Lay the panes out as at the first start",
        ),
    )


def _help(window: MainWindow) -> tuple[Command, ...]:
    return (
        Command(
            name="palette",
            menu="help",
            text="&Find a command…",
            keys="Ctrl+Shift+P",
            do=window.show_palette,
            tip="Find and do any command by its name",
        ),
        Command(
            name="skipped",
            menu="help",
            text="What was &left out",
            do=window.asking.skipped,
            needs="left out",
            tip="Records that loading left out or renamed, with line and cause",
        ),
        Command(name="about", menu="help", text="&About Guard Desk", do=window.asking.about, separator=True),
    )
