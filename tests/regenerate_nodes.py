"""Write tests/data/node-counts.toml anew: `python tests/regenerate_nodes.py`, then look at `git diff`.

Run it when a search is meant to do something else than before, or after adding an entry without counts. A refactoring changes
nothing in that file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tiler import formats
from tiler.ask.solve import solve
from tiler.question.question import Goal, Question

PATH = Path(__file__).parent / "data" / "node-counts.toml"
HEAD = """\
# What reference searches cost in steps, which no machine changes: see tests/test_node_counts.py. Made by regenerate_nodes.py.
"""
_ASKED = ("problem", "solver", "goal")


def read() -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The problems by name, and the searches: problem, solver and goal, then what came of it."""
    table = tomllib.loads(PATH.read_text())
    return table["problems"], table["search"]


def measured(problem: str, search: dict[str, Any]) -> dict[str, Any]:
    """A search with its answer and its counters, all but clocks and memory."""
    asked = {key: search[key] for key in _ASKED}
    up_to_symmetry = search["goal"] == "count up to symmetry"
    question = Question(Goal(search["goal"].split()[0]), up_to_symmetry=up_to_symmetry)
    result = solve(formats.parse(problem), search["solver"], question).result
    counters = {
        key: value
        for key, value in result.counters.items()
        if isinstance(value, int | list) and not key.endswith(("seconds", "bytes"))
    }
    return {**asked, "status": str(result.status), **dict(sorted(counters.items()))}


def _written(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def main() -> None:
    problems, searches = read()
    blocks = [HEAD]
    blocks += ["[problems]\n" + "\n".join(f'{name} = """\n{text}"""' for name, text in problems.items()) + "\n"]
    for search in searches:
        values = measured(problems[search["problem"]], search)
        blocks.append("\n".join(["[[search]]", *(f"{key} = {_written(value)}" for key, value in values.items())]) + "\n")
    PATH.write_text("\n".join(blocks))


if __name__ == "__main__":
    main()
