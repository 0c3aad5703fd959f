"""Words and phrases that halt a reader are not on the pages, in help texts, docstrings and comments."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sources import MODULES, PACKAGE, parsed, source

from tiler.backends.registry import backends
from tiler.cli.main import COMMANDS, module_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import regenerate_examples as examples  # noqa: E402

#: What halts, and what to write instead.
HALTS = {
    r"\bso many\b": "as many as the noun says: '40 nodes', 'as many cells as copies'",
    r"\bwhoever\b": "who it is: 'the caller', 'a solver that'",
    r"\bwhichever\b": "'the one that', 'any'",
    r"\bof whom\b": "a sentence of its own",
    r"\b(?:is|are|was|as|than|and|or|nor|to|not|by) that of\b": "the noun again: 'it has the number of its lower end'",
    r"\bbesides\b": "'also', 'in addition to'",
    r"\bin its place\b": "'instead'",
    r"\bheld against\b": "'compared with'",
    r"\btold by\b": "'identified by', 'said by'",
    r"\bby the median\b": "'in the median', 'the median run'",
    r"\bbeside that\b": "'also', 'in addition'",
    r"\bwhat leads\b": "what it is: 'translations that', 'joined edges'",
    r"\bbehind a name\b": "'after a name'",
    r"\bof which the\b": "'whose', or a sentence of its own",
    r"\banswer up to symmetry in\b": "a verb first: 'race for counts up to symmetry'",
    r"\bthose of which\b": "the noun again",
    r"\bas one likes\b": "'in any way'",
    r"\bare two to it\b": "who treats what as what",
    r"^Of ": "what it gives: 'The sum of the costs'",
    r"^Those (?:of|from)\b": "the noun: 'the bits of a word'",
    r"[.:;] Those (?:of|from)\b": "the noun",
    r"\bfor who\b": "for whom: 'for readers'",
    r"\b(?:have|has|is) not the (?:memory|time)\b": "'the memory does not suffice', 'memory is missing'",
    r"\bled on\b": "'taken on', 'go on'",
    r"\bif (?:those|these) are the next\b": "the noun: 'if this position is the next'",
    r"\bshared, and only read\b": "a sentence: 'they share the rules, and only read them'",
    r"[.:;] Of (?:a|an|them|those|what|it|all|such|these)\b": "the subject first: 'a count in two halves has'",
}

#: Words that are code, names of files and quotations of both.
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def halts(text: str) -> Iterator[str]:
    """The halts in a text, with some words around each."""
    text = re.sub(r"\s+", " ", _CODE.sub("`code`", text))
    for pattern in HALTS:
        for found in re.finditer(pattern, text, 0 if "Of " in pattern or "Those " in pattern else re.IGNORECASE):
            yield text[max(0, found.start() - 30) : found.end() + 30]


def helps() -> Iterator[str]:
    """The help of every command and of its arguments, and of the options of solvers."""
    for name in COMMANDS:
        module = module_of(name)
        parser = argparse.ArgumentParser(prog=name, add_help=False)
        module.configure(parser)
        yield parser.description or module.HELP
        yield from (action.help or "" for action in parser._actions)
    for backend in backends().values():
        yield from (field.metadata["help"] for field in backend.__dataclass_fields__.values() if "help" in field.metadata)


@pytest.mark.parametrize("page", examples.pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages(page: Path) -> None:
    assert list(halts(page.read_text())) == []


@pytest.mark.parametrize("folder", sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))))
def test_code(folder: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {halt}"
        for path in MODULES.values()
        if path.is_relative_to(PACKAGE / folder)
        for said in (*source(path).docstrings, *source(path).comments)
        for halt in halts(said)
    }
    assert found == set()


def test_code_names_files_that_there_are() -> None:
    """A comment outlives the file that it speaks of, when that gets another name."""
    paths = (*ROOT.glob("*.py"), *MODULES.values(), *ROOT.glob("scripts/*.py"), *ROOT.glob("tests/**/*.py"))
    there = {path.relative_to(ROOT).as_posix() for path in paths}
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in MODULES.values()
        for said in (*source(path).docstrings, *source(path).comments)
        for name in re.findall(r"(?<![\w./])\w[\w/]*\.py\b", said)
        if not any(f"/{each}".endswith(f"/{name}") for each in there)
    }
    assert missing == set()


def test_helps() -> None:
    assert [halt for said in helps() for halt in halts(said)] == []


@pytest.mark.parametrize(
    ("text", "halting"),
    [
        ("Its number is that of the lower end.", True),
        ("It takes so many nodes.", True),
        ("Say which. Of those that fit it takes the first.", True),
        ("Those of a word that are not its key.", True),
        ("`short` if there is not the memory.", True),
        ("`so many` is a name", False),
        ("The number of those nodes is small.", False),
    ],
)
def test_halts_are_seen(text: str, halting: bool) -> None:
    assert bool(list(halts(text))) == halting


def test_what_a_file_says_is_found() -> None:
    file = parsed(
        '''"""A module."""

x = "# none"  # One comment
#: that goes on.
y = """
# none "
"""

# Another.
async def f(): "A function."
'''
    )
    assert file.docstrings == ("A module.", "A function.")
    assert file.comments == ["One comment that goes on.", "Another."]
