"""Readers of `../shared/data/train`: plain records with a group and a side, rows that share text with a measuring set left out.

Every record says on which side of the split it stands before anything is made of it, so that generators never mix the sides. Whole
sources are held out as dev as well as a tenth of all groups (`HELD_SOURCES`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from feature_rows import read
from rows import CONTRADICT, NEUTRAL, NOT_SUPPORTED, SUPPORT, is_dev

# Kept out of training as a whole: what is measured on them is measured on another distribution.
HELD_SOURCES = frozenset({"negnli-MNLI", "conjnli-dev", "plain_pagerduty_incident", "plain_tacofancy_recipes", "plain_redis_doc"})

# As in the README of the data; "share-alike" ones are listed in the notice that ships with the weights.
LICENCES = {
    "fever": "CC BY-SA 3.0 (share-alike; carrier without a licence file)",
    "taxinli_mnli": "C-UDA 1.0",
    "cf_snli": "Apache-2.0; text CC BY-SA 4.0 (share-alike)",
    "conjnli": "MIT; text CC BY-SA 3.0 (share-alike)",
    "negnli": "MIT; text CC BY-SA 4.0 (share-alike) or OANC",
    "breaking_nli": "CC BY-SA 4.0 (share-alike)",
    "med": "CC BY-SA 4.0 (share-alike)",
    "help": "CC BY-SA 4.0 (share-alike)",
    "hans_regenerated": "MIT",
    "squad2_halfdev": "CC BY-SA 4.0 (share-alike)",
    "xquad": "CC BY-SA 4.0 (share-alike)",
    "cmrc2018_zh": "CC BY-SA 4.0 (share-alike)",
    "inj_s_labs": "MIT",
    "inj_neuralchemy": "Apache-2.0, parts CC BY 4.0 and MIT",
    "inj_yanismiraoui": "Apache-2.0",
    "plain_redis_doc": "CC BY-SA 4.0 (share-alike)",
    "plain_prometheus_docs": "Apache-2.0",
    "plain_18f_handbook": "CC0 1.0",
    "plain_owasp_cheatsheets": "CC BY-SA 4.0 (share-alike)",
    "plain_owasp_llm_top10": "CC BY-SA 4.0 (share-alike)",
    "plain_opensource_guide": "CC BY 4.0",
    "plain_prompt_guide": "MIT",
    "plain_cncf_glossary": "CC BY 4.0",
    "plain_helm_docs": "MIT",
    "plain_mdn_de": "CC BY-SA 2.5 (share-alike)",
    "plain_pagerduty_incident": "Apache-2.0",
    "plain_prometheus_runbooks": "Apache-2.0",
    "plain_kubernetes_community": "Apache-2.0",
    "plain_fabric_prompts": "MIT",
    "plain_tacofancy_recipes": "Unlicense",
    "plain_howtocook_zh": "Unlicense",
    "plain_medquad": "CC BY 4.0",
    "plain_abcd_guidelines": "MIT",
    "plain_banking77_tickets": "CC BY 4.0",
    "plain_oss_repo_meta": "MIT, Apache-2.0, BSD or CC0, by row",
    "plain_email_templates": "MIT",
    "ragtruth": "MIT; source texts of CNN/DailyMail, MS MARCO (research terms) and Yelp, each under its own",
}
PLAIN = tuple(name for name in LICENCES if name.startswith("plain_"))
# Translations of one page stand in files of one name; the page is the group, not its language.
TRANSLATED = frozenset({"plain_opensource_guide", "plain_cncf_glossary", "plain_helm_docs", "plain_owasp_llm_top10", "plain_prompt_guide"})
ONE_FILE = frozenset({"plain_banking77_tickets"})
NLI_LABELS = {"entailment": SUPPORT, "contradiction": CONTRADICT, "neutral": NEUTRAL, "not_entailment": NOT_SUPPORTED}
PENN_LEFTOVER = re.compile(r"-LRB-|-RRB-|``|''")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim with a text that supports it, refutes it or leaves it open. `text` "" when the source gives none."""

    claim: str
    text: str
    label: int
    group: str
    source: str
    page: str | None = None
    dev: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph of a document of one kind. `prompt` marks orders to a model by their owner."""

    text: str
    title: str
    section: str
    language: str
    group: str
    source: str
    question: str | None
    prompt: bool
    security: bool
    dev: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A chat message that attacks (`label` 1) or does not."""

    text: str
    label: int
    language: str
    group: str
    source: str
    dev: bool


def claims(data: Path) -> Iterator[Claim]:
    """FEVER with the NLI sets. Groups of a source that is held out are held out in the others as well."""
    found = list(_claims(data))
    held = {claim.group for claim in found if claim.source in HELD_SOURCES}
    for claim in found:
        yield replace(claim, dev=claim.group in held or is_dev(claim.group))


def _claims(data: Path) -> Iterator[Claim]:
    for row in read(data / "fever/data.jsonl"):
        if not PENN_LEFTOVER.search(row["claim"] + row["evidence"]):
            label = SUPPORT if row["label"] == "support" else CONTRADICT
            yield Claim(claim=row["claim"], text=row["evidence"], label=label, group=row["group"], source="fever", page=row["page"])
    for name in ("taxinli_mnli", "cf_snli", "conjnli", "negnli", "breaking_nli", "med", "help", "hans_regenerated"):
        for row in read(data / name / "data.jsonl"):
            source = f"{name}-{row['part']}" if name in ("negnli", "conjnli") else name
            # Groups of HANS are numbers of templates; the name keeps the groups of two sets apart.
            group = f"{name}:{row['group']}"
            yield Claim(claim=row["hypothesis"], text=row["premise"], label=NLI_LABELS[row["label"]], group=group, source=source)


def paragraphs(data: Path) -> Iterator[Paragraph]:
    """The plain texts of all languages."""
    for source in PLAIN:
        for row in read(data / source / "data.jsonl"):
            group = f"{source}:{_page(source, row)}"
            yield Paragraph(
                text=row["text"],
                title=row["title"],
                section=row["section"],
                language=row["lang"],
                group=group,
                source=source,
                question=row.get("question"),
                prompt=bool(row.get("agent_file")) or source == "plain_fabric_prompts",
                security=bool(row.get("aisec")),
                dev=source in HELD_SOURCES or is_dev(group),
            )


def _page(source: str, row: dict[str, Any]) -> str:
    if source in ONE_FILE:
        return str(row["title"])
    path = PurePosixPath(row["doc"])
    return path.name.split(".")[0] if source in TRANSLATED else str(path)


def prompts(data: Path) -> Iterator[Prompt]:
    """Chat messages without the doubtful marks; "PWNED" and the like are left to the generator to vary."""
    for source in ("inj_s_labs", "inj_neuralchemy", "inj_yanismiraoui"):
        for row in read(data / source / "data.jsonl"):
            if row.get("suspect") and row["suspect"] != "neg_trigger":
                continue
            group = str(row.get("group") or "yanismiraoui")
            yield Prompt(
                text=row["text"], label=row["label"], language=row.get("lang", "en"), group=group, source=source, dev=is_dev(group)
            )


def questions(data: Path) -> dict[str, list[dict[str, Any]]]:
    """SQuAD 2, XQuAD and CMRC by source; the first two share articles, so all are split by title."""
    found = {"squad2": read(data / "squad2_halfdev/data.jsonl")}
    xquad = read(data / "xquad/data.jsonl")
    for language in ("en", "de", "es", "zh"):
        found[f"xquad-{language}"] = [row for row in xquad if row["lang"] == language]
    found["cmrc2018-zh"] = read(data / "cmrc2018_zh/data.jsonl")
    return found


def articles(data: Path) -> Iterator[Paragraph]:
    """Paragraphs of encyclopaedia articles: the contexts of SQuAD 2 and the evidence of FEVER."""
    seen: set[str] = set()
    for row in read(data / "squad2_halfdev/data.jsonl"):
        if row["context"] not in seen:
            seen.add(row["context"])
            yield _article(row["context"], row["title"].replace("_", " "), row["title"], "squad2", is_dev(row["title"]))
    for row in read(data / "fever/data.jsonl"):
        if row["evidence"] not in seen and not PENN_LEFTOVER.search(row["evidence"]):
            seen.add(row["evidence"])
            yield _article(row["evidence"], row["page"] or "", row["group"], "fever", is_dev(row["group"]))


def _article(text: str, title: str, group: str, source: str, dev: bool) -> Paragraph:
    return Paragraph(
        text=text,
        title=title,
        section="",
        language="en",
        group=group,
        source=source,
        question=None,
        prompt=False,
        security=False,
        dev=dev,
    )


def one_side(rows: Sequence[dict[str, Any]], dev: bool) -> list[dict[str, Any]]:
    """The questions whose article is on one side of the split."""
    return [row for row in rows if is_dev(row["title"]) == dev]


def file_hashes(data: Path) -> dict[str, str]:
    """sha256 of every file of the sources that are read."""
    files = sorted(file for name in LICENCES for file in (data / name).glob("*.jsonl*"))
    return {str(file.relative_to(data)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def by_group(values: Iterable[Paragraph]) -> dict[str, list[Paragraph]]:
    """Paragraphs of each group, in their order."""
    found: dict[str, list[Paragraph]] = {}
    for value in values:
        found.setdefault(value.group, []).append(value)
    return found
