"""A sequence classifier's folder on this machine: found, checked and read without loading it. Nothing in it can run code."""

from __future__ import annotations

from dataclasses import dataclass

from guard_desk.models.folder import PREFIX, find_folder
from guard_desk.models.head_folder import HeadFolder, checked_config, fields_of, open_head
from guard_desk.models.judges.labels import LabelMapping, read_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierFolder(HeadFolder):
    """A checked folder, and how its labels are read."""

    mapping: LabelMapping


def open_classifier(source: str) -> ClassifierFolder:
    """Find and check a classifier.

    :param source: a folder, "folder:PATH", or "organisation/name" of the local hub cache.
    :raises MissingModelError: for a hub name that is not in the cache.
    :raises ModelError: for a folder that is no classifier, that would run code or unpickle.
    """
    found = open_head(source, "SequenceClassification", "is no classifier of texts")
    return ClassifierFolder(**fields_of(found), mapping=read_mapping(found.config, found.source))


def label_mapping(source: str) -> LabelMapping:
    """How the labels of a classifier would be read, before it is chosen. Loads no weights.

    :param source: as in `open_classifier`.
    :raises ModelError: as `open_classifier`.
    """
    path = find_folder(source)
    return read_mapping(checked_config(path, "SequenceClassification", "is no classifier of texts"), source.removeprefix(PREFIX))
