"""Which models there are, and the one place that loads them: once a process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy.typing as npt

from guard_desk.errors import GuardDeskError, InputError, MissingModelError
from guard_desk.models import fetch
from guard_desk.models.bm25 import Bm25Ranker
from guard_desk.models.embedded import catalogue, find_embedded, package_version
from guard_desk.models.fetch import InstalledModel
from guard_desk.models.folder import is_folder_name, load_folder
from guard_desk.models.generators import REMOTE
from guard_desk.models.generators.llama import LlamaGenerator
from guard_desk.models.generators.transformers import TransformersGenerator
from guard_desk.models.generators.transformers_folder import PREFIX as WRITER
from guard_desk.models.generators.transformers_folder import is_writer_name, open_writer
from guard_desk.models.hashes import sha256_of
from guard_desk.models.hybrid import HybridRanker
from guard_desk.models.minilm import load_minilm
from guard_desk.models.rankers import DenseRanker, GivenRanker
from guard_desk.models.remote.chat import ChatGenerator, split_target
from guard_desk.models.terms import sample
from guard_desk.models.tfidf import TfidfRanker
from guard_desk.models.tokens import DEFAULT_ENCODING, TiktokenCounter
from guard_desk.protocols import Encoder, Generator, Ranker, VectorStore
from guard_desk.records.corpus import Passage
from guard_desk.records.state import Models
from guard_desk.text.languages import CJK_SCRIPTS, INDIC_SCRIPTS, dominant_script

ENCODERS = ("minilm", "tfidf", "bm25", "hybrid")
# "recorded" replays the answer of a case file; with "none" there is an answer only when one is given.
GENERATORS = ("none", "recorded", "local")
LOCAL_DEFAULT = "smollm2"

_Writer = LlamaGenerator | TransformersGenerator | ChatGenerator

# Rankers of the last corpora stay indexed: a second question on the same one costs no second index.
_KEPT_RANKERS = 3
# A generator may be large; the window may switch between two.
_KEPT_GENERATORS = 2

_LOCK = threading.RLock()
_RANKERS: OrderedDict[tuple[str, str, int, int], tuple[Sequence[Passage], VectorStore | None, Ranker]] = OrderedDict()


def load_ranker(
    models: Models,
    passages: Sequence[Passage],
    *,
    store: VectorStore | None = None,
    vectors: npt.ArrayLike | None = None,
    query_vector: npt.ArrayLike | None = None,
) -> Ranker:
    """The ranker for these passages; the same one for the same passages, encoder, device and store.

    :param passages: the corpus; hand in the very tuple of the corpus, so that its index is found again.
    :param store: where vectors are kept across runs; None keeps them in memory.
    :param vectors: the caller's own vectors, which replace the encoder; needs `query_vector` too.
    :raises MissingModelError: when the model is not on this machine.
    :raises InputError: for own vectors that cannot be used.
    """
    if vectors is not None or query_vector is not None:
        if vectors is None or query_vector is None:
            raise InputError("Only one of vectors and query_vector is given.", remedy="Give both, made by the same encoder.")
        return GivenRanker(vectors, query_vector)
    key = (models.encoder, models.device, id(passages), id(store))
    with _LOCK:
        if key not in _RANKERS:
            # The entry holds passages and store, so that their ids are not given to other objects.
            _RANKERS[key] = (passages, store, _make_ranker(models, passages, store))
        _RANKERS.move_to_end(key)
        while len(_RANKERS) > _KEPT_RANKERS:
            _RANKERS.popitem(last=False)
        return _RANKERS[key][2]


def load_encoder(name: str, device: str = "auto") -> Encoder:
    """A dense encoder, loaded once a process for each name and device.

    :param name: minilm, or a folder or hub name. The lexical encoders use minilm for their similarities.
    :raises MissingModelError: when it is not on this machine.
    :raises InputError: for an unknown name.
    """
    with _LOCK:
        return _encoder("minilm" if name in ("bm25", "hybrid") else name, device)


def load_generator(models: Models, *, answer_tokens: int | None = None) -> Generator | None:
    """The generator; None when answers are given and not written ("none", "recorded").

    :param answer_tokens: most tokens of an answer; None = the generator's own limit. The weights are loaded once whatever it is.
    :raises MissingModelError: when the model is not on this machine, with the command that fetches it.
    :raises ModelError: for a folder that cannot be used.
    :raises InputError: for a name that is none, and for the address of a server that is none.
    """
    name = models.generator
    if name is None or name in ("none", "recorded"):
        return None
    if name.startswith(REMOTE):
        target, model = split_target(name)
        generator: _Writer = ChatGenerator(target, model=model, timeout_s=models.judge_settings.timeout_s)
    else:
        with _LOCK:
            generator = _generator(LOCAL_DEFAULT if name == "local" else name, models.device)
    return generator if answer_tokens is None else generator.limited(answer_tokens)


def token_counter(encoding: str = DEFAULT_ENCODING) -> TiktokenCounter:
    """The counter of an encoding, loaded once a process. :raises ModelError: for an unknown encoding."""
    with _LOCK:
        return _counter(encoding)


def installed_models() -> tuple[InstalledModel, ...]:
    """What is on this machine: embedded models first, then fetched ones by name. Loads nothing."""
    embedded = (_embedded(name) for name, entry in catalogue().items() if "package" in entry)
    return (*(model for model in embedded if model is not None), *fetch.fetched_models())


def model_for_corpus(encoder: str, passages: Sequence[Passage]) -> tuple[str, str]:
    """The encoder that is used for a corpus, and why it is another than asked for ("" when it is the same)."""
    if encoder != "minilm":
        return encoder, ""
    script = dominant_script(passage.text for passage in sample(passages))
    if script not in CJK_SCRIPTS | INDIC_SCRIPTS:
        return encoder, ""
    return "hybrid", f"Chosen instead of minilm, which knows English only: the passages are mostly in {script} script."


def _make_ranker(models: Models, passages: Sequence[Passage], store: VectorStore | None) -> Ranker:
    name, reason = model_for_corpus(models.encoder, passages)
    if name == "tfidf":
        return TfidfRanker()
    encoder = load_encoder(name, models.device)
    if name == "bm25":
        return Bm25Ranker(encoder, store)
    if name == "hybrid":
        return HybridRanker(encoder, store, reason=reason)
    return DenseRanker(encoder, store)


@cache
def _encoder(name: str, device: str) -> Encoder:
    if name == "minilm":
        return load_minilm(device)
    if is_folder_name(name):
        return load_folder(name, device)
    raise InputError(f"there is no encoder {name!r}.", remedy=f"There is {', '.join(ENCODERS)}, folder:PATH and organisation/name.")


@lru_cache(maxsize=_KEPT_GENERATORS)
def _generator(name: str, device: str) -> _Writer:
    path = Path(name).expanduser()
    if path.suffix.lower() == ".gguf":
        if not path.is_file():
            raise MissingModelError(name, detail="there is no such file")
        return LlamaGenerator(name=path.stem, path=path, weights=sha256_of(path), device=device, detail=f"Model file {path}.")
    if name != LOCAL_DEFAULT and is_writer_name(name):
        return TransformersGenerator(open_writer(name), device)
    if ":" in name:
        forms = "a GGUF file, transformers:FOLDER and openai:MODEL@ADDRESS"
        # What follows may be an address with a key.
        raise InputError(
            f"there is no generator of the kind {name.partition(':')[0][:40]!r}.", remedy=f"There is {', '.join(GENERATORS)}, {forms}."
        )
    try:
        model = fetch.find_fetched(name)
    except MissingModelError as exc:
        # What has a slash or is there can only mean a file or folder; one beside us may be called like a model that we know.
        if len(path.parts) > 1 or (path.exists() and name not in catalogue()):
            raise _no_writer(name, path) from exc
        raise
    detail = str(catalogue().get(name, {}).get("detail", f"Fetched from {model.source}."))
    return LlamaGenerator(name=name, path=model.path, weights=model.sha256, device=device, detail=detail)


def _no_writer(name: str, path: Path) -> GuardDeskError:
    """What to tell of a file or folder that is no generator."""
    spelled = f"a file that ends in .gguf, or {WRITER}FOLDER with a folder of a transformers model"
    if path.is_dir():
        return InputError(f"the folder {name!r} is no generator: it has no config.json.", remedy=f"Give {spelled}.")
    if path.exists():
        return InputError(f"the file {name!r} is no generator: its name does not end in .gguf.", remedy=f"Give {spelled}.")
    return MissingModelError(name, detail=f"there is no such file or folder; give {spelled}")


@cache
def _counter(encoding: str) -> TiktokenCounter:
    return TiktokenCounter(encoding)


def _embedded(name: str) -> InstalledModel | None:
    folder = find_embedded(name)
    if folder is None:
        return None
    entry = catalogue()[name]
    weights = folder / entry["weights"]
    return InstalledModel(
        name=name,
        kind=str(entry["kind"]),
        source=f"package {entry['distribution']}",
        sha256=sha256_of(weights) if weights.is_file() else "",
        size_bytes=sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()),
        revision=package_version(entry["distribution"]),
        path=folder,
        device="cpu, cuda, mps" if entry["kind"] == "encoder" else "cpu",
        known=weights.is_file() and sha256_of(weights) == entry["files"][entry["weights"]],
    )
