"""Reference searches take the steps that they always took: whoever rebuilds a search sees at once whether it is still the same.

The counters are those of tests/data/node-counts.toml; regenerate_nodes.py writes it anew where a search is meant to change.
"""

from __future__ import annotations

from typing import Any

import pytest
from regenerate_nodes import measured, read

PROBLEMS, SEARCHES = read()


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: f"{search['solver']} {search['goal']} {search['problem']}")
def test_a_search_takes_as_many_steps_as_ever(search: dict[str, Any]) -> None:
    assert measured(PROBLEMS[search["problem"]], search) == search
