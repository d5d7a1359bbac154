"""The guards of de-duplication: pure rules that say whether two passages may be shown as one.

`units` makes a text comparable, `matching` pairs equal units, and the guards look at what is left: `metadata` (version,
scope, claims), `amounts` (number, unit, currency, date, identifier), `wording` (negation, modality, condition,
quantifier, direction, comparison, status, entity, added fact), `order` and `parts` (role, direction, status).
`verdict` puts them in a row; `pool` groups the passages of one question, `grouping` as many texts as a corpus has.
"""

from guard_desk.text.guards.grouping import TextGroups, group_texts
from guard_desk.text.guards.similarity import bigram_similarity
from guard_desk.text.guards.verdict import Comparison, compare_texts, may_merge, merge_verdict, with_floor

__all__ = ["Comparison", "TextGroups", "bigram_similarity", "compare_texts", "group_texts", "may_merge", "merge_verdict", "with_floor"]
