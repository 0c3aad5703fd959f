"""What tests and `changed.py` ask of Python files: each is read and parsed once in a process, and its syntax tree is not kept."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "tiler"

#: Strings, in which a # begins no comment, and comments. Within an f-string Python 3.11 allows no quotes of its own kind.
_COMMENT = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<said>\#[^\n]*)""", re.DOTALL
)


@dataclass(frozen=True)
class Import:
    """A module that is imported, or a name from it."""

    module: str
    name: str = ""
    level: int = 0  # dots before the module
    at_once: bool = True  # by a statement of the module itself, neither in a function nor in a condition
    only_for_types: bool = False

    @property
    def dotted(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module


@dataclass(frozen=True)
class Source:
    """A file of Python."""

    text: str
    imports: tuple[Import, ...]
    statements: int
    classes: tuple[str, ...]  # public or not, not those within others
    names: frozenset[str]  # of variables and attributes, wherever they are used
    docstrings: tuple[str, ...]
    strings: frozenset[str]  # those on one line; in an f-string a * stands for what is put in

    @cached_property
    def comments(self) -> list[str]:
        """Comments; those on lines that follow each other are one."""
        blocks: list[str] = []
        line, start, last = 0, 0, -2
        for found in _COMMENT.finditer(self.text):
            if found["said"]:
                line += self.text.count("\n", start, found.start())
                start = found.start()
                said = found["said"].lstrip("#: ").rstrip()
                if line == last + 1:
                    blocks[-1] += f" {said}"
                else:
                    blocks.append(said)
                last = line
        return blocks


@cache
def source(path: Path) -> Source:
    return parsed(path.read_text())


def parsed(text: str) -> Source:
    """What there is to know of a file with this text."""
    gc.disable()  # Half of the time went into looking for circles, which syntax trees have not.
    try:
        tree = ast.parse(text)
    finally:
        gc.enable()
    statements = 0
    imports: list[Import] = []
    names: set[str] = set()
    docstrings: list[str] = []
    strings: set[str] = set()
    at_once, for_types = set(map(id, tree.body)), set[int]()
    for node in ast.walk(tree):
        kind = type(node)
        if kind is ast.Name:
            names.add(node.id)
        elif kind is ast.Attribute:
            names.add(node.attr)
        elif kind is ast.Constant:
            if isinstance(node.value, str) and "\n" not in node.value:
                strings.add(node.value)
        elif kind is ast.JoinedStr:
            strings.add("".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values))
        elif isinstance(node, ast.stmt):
            statements += 1
            if kind is ast.Import or kind is ast.ImportFrom:
                imports += _imports(node, id(node) in at_once, id(node) in for_types)
            elif kind is ast.If and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                for_types |= {id(inner) for each in node.body for inner in ast.walk(each)}
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            said := ast.get_docstring(node)
        ):
            docstrings.append(said)
    classes = tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return Source(text, tuple(imports), statements, classes, frozenset(names), tuple(docstrings), frozenset(strings))


def _imports(node: ast.Import | ast.ImportFrom, at_once: bool, for_types: bool) -> Iterator[Import]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield Import(alias.name, "", 0, at_once, for_types)
        else:
            yield Import(node.module or "", alias.name, node.level, at_once, for_types)


def modules(package: Path) -> dict[str, Path]:
    """The files of a package by the dotted names of their modules; a package is named by its folder."""
    named = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


#: The program's own.
MODULES = modules(PACKAGE)
