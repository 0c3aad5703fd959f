"""Ask small problems, and print what the solvers answer and how many nodes they take: a line for each.

    python agreement.py PROBLEMS

PROBLEMS has a problem on every line, as JSON. Runs in Pyodide, and natively beside it: both must print the same.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tiler.ask.solve import solve
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import TilerError
from tiler.formats import json as problems
from tiler.kernels import python_time
from tiler.question.question import Goal, Question

SPECS = ("dlx", "backtracking", "fila", "frontier", "matching", "auto")
QUESTIONS = {
    "count": Question(Goal.COUNT),
    "list": Question(Goal.ENUMERATE),
    "count up to symmetry": Question(Goal.COUNT, up_to_symmetry=True),
    "uses": Question(Goal.USES),
}


def answers(text: str, specs: tuple[str, ...] = SPECS) -> Iterator[list[object]]:
    """For each solver and question: the status, the count, the number of nodes; or the sentence that refuses."""
    instance = problems.parse(text)
    cover = BoardCover.of(instance)
    for spec in specs:
        for name, question in QUESTIONS.items():
            if parse_spec(spec).refusal(question, cover) is not None:
                continue
            try:
                result = solve(instance, spec, question, cover=cover).result
            except TilerError as error:
                yield [spec, name, str(error)]
                continue
            count = None if result.count is None else str(result.count)
            yield [spec, name, str(result.status), count, result.nodes]


def main() -> None:
    python_time.exhaust()
    for number, text in enumerate(Path(sys.argv[1]).read_text().splitlines()):
        for answer in answers(text):
            print(json.dumps([number, *answer]))


if __name__ == "__main__":
    main()
