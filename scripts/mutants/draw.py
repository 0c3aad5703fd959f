"""Draw mutants: places in the program where one small mistake is made, spread over the folders by a seed.

    python scripts/mutants/draw.py --seed 1 --each 4 >scripts/mutants/list.jsonl

A mistake is of one of these kinds: another comparison, `or` for `and`, another sign, a number that is one too high, a condition
without its `not`, `max` for `min`, `all` for `any`, a call or an addition that is left out. None is made in messages, types,
docstrings, and outside of functions.

Source: R. A. DeMillo, R. J. Lipton and F. G. Sayward, Hints on test data selection, 1978.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    *("model", "cover", "backends", "ask", "question", "formats", "process", "bench", "report", "render", "api", "apps"),
    *("cli", "selftest"),
)

_COMPARISONS = {"==": "!=", "!=": "==", "<=": "<", ">=": ">", "<": "<=", ">": ">=", "not in": "in", "in": "not in"}
_COMPARISONS |= {"is not": "is", "is": "is not"}
_SIGNS = {"+": "-", "-": "+", "*": "+", "//": "*", "|": "&", "&": "|"}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LEFT_OUT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.AnnAssign, ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Mutant:
    """A line of a file, and what it becomes."""

    file: str
    line: int  #: counted from 1, when it was drawn
    was: str
    becomes: str

    def applied(self, text: str) -> str | None:
        """The text of the file with the mistake; None if the line is gone. Of equal lines the nearest one is changed."""
        lines = text.split("\n")
        places = [number for number, line in enumerate(lines, 1) if line == self.was]
        if not places:
            return None
        place = min(places, key=lambda number: abs(number - self.line))
        return "\n".join([*lines[: place - 1], self.becomes, *lines[place:]])


def mutants_of(file: str, text: str) -> list[Mutant]:
    """All mutants of a file whose mistake is within one line."""
    lines = text.split("\n")
    found = []
    for start, end, old, new in _changes(ast.parse(text)):
        if start[0] != end[0]:
            continue
        line = lines[start[0] - 1].encode()
        before, changed, after = line[: start[1]], line[start[1] : end[1]].decode(), line[end[1] :]
        becomes = new if old is None else re.sub(old, new, changed, count=1)
        whole = before.decode() + becomes + after.decode()
        if becomes != changed:
            found.append(Mutant(file, start[0], lines[start[0] - 1], whole))
    return list(dict.fromkeys(found))


Place = tuple[int, int]  #: a line, and a byte in it
Change = tuple[Place, Place, str | None, str]  #: between two places this pattern, or all, becomes this


def _changes(tree: ast.Module) -> Iterator[Change]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for statement in node.body:
                yield from _within(statement)


def _within(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, _LEFT_OUT):
        return
    yield from _of(node)
    for child in ast.iter_child_nodes(node):
        yield from _within(child)


def _of(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, comparators=[right]):
            yield from _operator(left, right, _COMPARISONS)
        case ast.BoolOp(values=[left, right, *_]):
            yield from _operator(left, right, {"and": "or", "or": "and"})
        case ast.BinOp(left=left, right=right):
            yield from _operator(left, right, _SIGNS)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield (node.lineno, node.col_offset), (operand.lineno, operand.col_offset), None, ""
        case ast.Constant(value=bool() as value):
            yield *_range(node), None, str(not value)
        case ast.Constant(value=int() as value):
            yield *_range(node), None, str(value + 1)
        case ast.Name(id=name) if name in _NAMES:
            yield *_range(node), None, _NAMES[name]
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield *_range(node), None, "pass"


def _operator(left: ast.expr, right: ast.expr, others: dict[str, str]) -> Iterator[Change]:
    start, end = (left.end_lineno or 0, left.end_col_offset or 0), (right.lineno, right.col_offset)
    for old, new in others.items():
        yield start, end, rf"\A([\s)]*){re.escape(old)}(?=[\s(]*\Z)", rf"\g<1>{new}"


def _range(node: ast.expr | ast.stmt) -> tuple[Place, Place]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def drawn(root: Path, seed: int, each: int) -> Iterator[Mutant]:
    """So many mutants of each folder: first a file, then a place in it."""
    chance = random.Random(seed)
    for folder in FOLDERS:
        files = sorted((root / "tiler" / folder).rglob("*.py"))
        chosen: set[Mutant] = set()
        while len(chosen) < each:
            path = chance.choice(files)
            there = mutants_of(path.relative_to(root).as_posix(), path.read_text())
            chosen.update(chance.sample(there, min(1, len(there))))
        yield from sorted(chosen, key=lambda mutant: (mutant.file, mutant.line, mutant.becomes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--each", type=int, default=4, help="mutants of each folder (default: 4)")
    options = parser.parse_args()
    for mutant in drawn(ROOT, options.seed, options.each):
        print(json.dumps(asdict(mutant), ensure_ascii=False))


if __name__ == "__main__":
    main()
