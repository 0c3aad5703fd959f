"""The examples in docstrings of the program print what they show. They are one file of tests, so that one process loads them."""

from __future__ import annotations

import doctest
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from sources import MODULES, source

#: The modules with examples. Every worker collects them, so nothing is parsed before one is tested.
SHOWING = [name for name, path in MODULES.items() if ">>> " in path.read_text()]


class Finder(doctest.DocTestFinder):
    """Finds also those of properties that are kept, which Python passes over."""

    def _from_module(self, module: ModuleType | None, value: Any) -> bool:
        kept = isinstance(value, cached_property)
        return super()._from_module(module, value.func if kept else value)


def wrong(examples: doctest.DocTest) -> str:
    """What examples print instead of what they show."""
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    return "".join(said)


@pytest.mark.parametrize("name", SHOWING)
def test_examples_print_what_they_show(name: str) -> None:
    found = [each for each in Finder().find(import_module(name)) if each.examples]
    assert len(found) == sum(">>> " in said for said in source(MODULES[name]).docstrings) > 0
    assert "".join(map(wrong, found)) == ""


def test_an_example_that_is_wrong_is_seen() -> None:
    examples = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, 0)
    assert "Expected:\n    3\nGot:\n    2\n" in wrong(examples)
