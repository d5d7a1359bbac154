"""The verbs and their options."""

from __future__ import annotations

import argparse

from guard_desk.cli.suites import suite_help
from guard_desk.policy import Strategy, knobs, presets
from guard_desk.version import __version__

_JUDGES = (
    "embedded (default), features, recorded, systemone or systemone:ADDRESS, llm:ADDRESS, gguf:FILE, or cross-encoder with --judge-set "
    "classifier.QUESTION=FOLDER"
)
_SOURCE = "a corpus, a case file, or the word demo"


def build() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="guard-desk",
        usage="guard-desk [FILE]  (opens the window)\n       guard-desk VERB ...",
        description="Inspect, tune and explain the step between retrieval and generation.",
        epilog="Exit status: 0 done; 1 some input was bad, nothing could be judged or the generator failed (the rest is done); "
        "2 wrong use; 3 a model is missing; 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"guard-desk {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, prog="guard-desk")
    _run(verbs)
    _route(verbs)
    _search(verbs)
    _compare(verbs)
    _batch(verbs)
    _bench(verbs)
    _report(verbs)
    _models(verbs)
    _shots(verbs)
    return parser


def _shots(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser("shots", help="draw every view of the window into PNG files")
    verb.add_argument("file", help=_SOURCE)
    verb.add_argument("--out", required=True, metavar="DIR")
    verb.add_argument("--question", "-q", help="the question; not needed for a case file that has one")
    verb.add_argument("--theme", nargs="+", choices=["light", "dark"], default=["light"])
    verb.add_argument("--scale", nargs="+", type=int, choices=[1, 2], default=[1])
    verb.add_argument("--size", nargs=2, type=int, default=[1440, 900], metavar=("WIDTH", "HEIGHT"))


def _run(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser(
        "run", help="the whole path for one question", epilog=_knob_help(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verb.add_argument("source", help=_SOURCE)
    verb.add_argument("--question", "-q", help="the question; not needed for a case file that has one")
    verb.add_argument(
        "--question-number", type=int, default=1, metavar="N", help="which question of a file that has several (1 = the first)"
    )
    answer = verb.add_mutually_exclusive_group()
    answer.add_argument("--answer", help="an answer to check; then none is generated")
    answer.add_argument("--answer-file", metavar="F", help="a text file with the answer")
    _settings(verb)
    _model_choice(verb)
    _generator(verb)
    _readers(verb)
    _filters(verb)
    _reading(verb)
    verb.add_argument("--estimate", action="store_true", help="say what judging would take (requests, tokens, cost), and send nothing")
    verb.add_argument("--json", metavar="F", help="write the trace; - for stdout, and nothing else is printed there")


def _compare(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser("compare", help="several judges on one question: agreement, kappa, and which passages change route")
    verb.add_argument("source", help=_SOURCE)
    verb.add_argument("--question", "-q", help="the question; not needed for a case file that has one")
    verb.add_argument("--question-number", type=int, default=1, metavar="N", help="which question of a file that has several")
    verb.add_argument("--judges", required=True, metavar="N,N", help="two or more of the judges that run takes")
    _settings(verb)
    _pool_choice(verb)
    _filters(verb)
    _reading(verb)
    verb.add_argument("--json", metavar="F", help="write the figures, answers and routes; - for stdout")


def _route(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser(
        "route",
        help="decide again from stored answers; loads no model",
        epilog=_knob_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verb.add_argument("trace", help="a trace that run --json wrote")
    _settings(verb)
    verb.add_argument("--json", metavar="F", help="write the new trace; - for stdout")


def _search(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser("search", help="the evidence packet for a question, without judging")
    verb.add_argument("source", help=_SOURCE)
    verb.add_argument("--question", "-q", required=True)
    verb.add_argument("--strategy", choices=[str(s) for s in Strategy], default=str(Strategy.SIEVE_MMR))
    verb.add_argument("--k", type=int, default=6, help="most passages (default 6)")
    verb.add_argument("--budget", type=int, default=3000, metavar="N", help="most tokens (default 3000)")
    verb.add_argument("--encoder", default="minilm", metavar="N")
    verb.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda", "mps"])
    _filters(verb)
    _reading(verb)
    verb.add_argument("--json", metavar="F", help="write the packet as JSON; - for stdout")
    verb = verbs.add_parser("expand", help="the passages behind ids")
    verb.add_argument("source", help=_SOURCE)
    verb.add_argument("--id", action="append", required=True, metavar="I", dest="ids", nargs="+")
    _reading(verb)


_BATCHES = (
    ("judge", "the four answers for (query, passage) pairs", "PAIRS.jsonl", '{"query": "How long?", "passage": "For 9 days."}'),
    (
        "verify",
        "findings for (query, passages, answer) cases",
        "CASES.jsonl",
        '{"query": "How long?", "passages": ["For 9 days."], "answer": "For 8 days."}',
    ),
    (
        "thin",
        "candidates for (question, lines) cases",
        "CASES.jsonl",
        '{"question": "How long?", "lines": ["For 9 days.", "For 8 days."]}',
    ),
    ("dedup", "merge verdicts for (a, b) pairs", "PAIRS.jsonl", '{"a": "Kept for 9 days.", "b": "Kept for nine days."}'),
)


def _batch(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, what, file, line in _BATCHES:
        verb = verbs.add_parser(
            name,
            help=f"{what}: one JSON line out for each line in",
            description=f"{what}: one JSON line out for each line in.",
            epilog=f"A line: {line}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_argument("file", metavar=file, help="JSON Lines; - for stdin")
        if name in ("judge", "verify"):
            _model_choice(verb)
        if name == "verify":
            _readers(verb)
        if name == "thin":
            _settings(verb)


def _bench(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser(
        "bench",
        help="measure; prints a table, writes JSON and an HTML page",
        epilog=suite_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verb.add_argument("suite", help="one of the suites below", metavar="SUITE")
    verb.add_argument("--data", metavar="DIR", help="folder of the data sets or cases that the suite needs")
    verb.add_argument(
        "--n", type=int, metavar="N", help="how many rows, questions or repetitions, by suite; default: all, or the suite's own"
    )
    verb.add_argument(
        "--errors", action="store_true", help="judge, verify: print the worst errors too; they are always in the JSON and the page"
    )
    _settings(verb)
    _model_choice(verb)
    _detector(verb)
    verb.add_argument(
        "--generator", default=None, metavar="N", help="none, local, or another that run takes; for suites that write answers"
    )
    verb.add_argument("--json", metavar="F", help="write the figures; - for stdout, and no table is printed")
    verb.add_argument("--html", metavar="F", help="write one page with table and plots that opens anywhere; - for stdout")


def _report(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser("report", help="the report of a run")
    verb.add_argument("trace", help="a trace that run --json wrote")
    verb.add_argument("--html", metavar="F")
    verb.add_argument("--csv", metavar="F")
    verb.add_argument("--xlsx", metavar="F")
    verb.add_argument("--pdf", metavar="F", help="printed by the window's library, offscreen")


def _models(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = verbs.add_parser("models", help="what is installed; add fetches one")
    verb.add_argument("action", nargs="?", choices=["add"])
    verb.add_argument("spec", nargs="?", help="smollm2, a GGUF file, or an https address of one (#sha256=... is checked)")


def _settings(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--policy", metavar="F", help=f"a policy file (TOML), or one that is shipped: {', '.join(presets())}")
    verb.add_argument("--set", action="append", default=[], metavar="KNOB=VALUE", dest="settings", help="change one knob; may be repeated")


def _model_choice(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--judge", default="embedded", metavar="N", help=_JUDGES)
    _pool_choice(verb)


def _pool_choice(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--judge-set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="judge_settings",
        help="a setting of the judge; may be repeated: target, model, form, concurrency, timeout_s, price_input, price_output (of a "
        "million tokens), classifier.QUESTION=FOLDER[:LABEL], wordings=FILE.toml. Keys are never given here.",
    )
    verb.add_argument("--encoder", default="minilm", metavar="N", help="minilm (default), tfidf, bm25, hybrid, a model folder or hub name")
    verb.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda", "mps"])


def _generator(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--generator",
        default=None,
        metavar="N",
        help="what writes the answer: none (default), local (SmolLM2), a GGUF file, transformers:FOLDER or transformers:HUB/NAME, "
        "openai:ADDRESS or openai:MODEL@ADDRESS (the prompt with its passages is sent there)",
    )


def _readers(verb: argparse.ArgumentParser) -> None:
    _detector(verb)
    verb.add_argument(
        "--claim-model",
        metavar="N",
        help="a language model that is asked about each sentence of the answer, named as for --generator: none (default), local, a GGUF "
        "file, transformers:FOLDER or transformers:HUB/NAME, openai:ADDRESS or openai:MODEL@ADDRESS (answer and passages are sent there; "
        "llm: means the same)",
    )


def _detector(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--detector", metavar="F", help="marks unsupported words of the answer too: a token classifier's folder, or hub name in the cache"
    )


def _filters(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--version", metavar="V", dest="wanted_version", help="keep only passages of exactly this version")
    verb.add_argument("--scope", metavar="S", help="keep only passages of exactly this scope")


def _reading(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--format", metavar="NAME", help="read the source as this format instead of recognising it")
    verb.add_argument("--encoding", metavar="NAME", help="text encoding, instead of recognising it")


def _knob_help() -> str:
    rows = (f"  {knob.path:<28} {knob.description} ({knob.allowed})" for knob in knobs())
    return "\n".join(["knobs for --set:", *rows])
