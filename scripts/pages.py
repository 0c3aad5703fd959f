"""Build the pages: `python scripts/pages.py FOLDER` (scripts/docs sets up what it needs).

The pages are Markdown that reads well as it is. To make a site of them, `assemble` lays them out in one folder for Sphinx: the
README is the first page; CONTRIBUTING.md, CHANGELOG.md and the reports in results/reference are pages too. Links are written as
they lead within the repository, and are turned here into links between pages. A line `<!-- commands -->` and the like is replaced
by what the program knows about itself. Whatever Sphinx warns of, such as a link that leads nowhere, is an error.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import inspect
import os
import posixpath
import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # This checkout is what the pages are about.
sys.path.insert(0, str(ROOT / "scripts"))

import page_links  # noqa: E402

#: Pages from outside docs/: the address among the pages, by the path in the repository.
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
#: Other files that pages lead to.
DATA = (
    *("CITATION.cff", "results/reference/**/*.toml", "results/reference/*.txt", "results/reference/*/*.json*"),
    "results/reference/records/*",
)
REPORTS = ("results/reference/*.md", "results/reference/*/*.md", "results/reference/*/plots/**/*")
#: What the first page leads to, by heading.
CONTENTS = {
    "Using": (
        *(
            "tutorials/puzzles",
            "tutorials/mouse",
            "tutorials/pieces",
            "tutorials/counting",
            "tutorials/why-not",
            "tutorials/making",
        ),
        *("reference/apart", "tutorials/plane", "tutorials/hat", "tutorials/drawing"),
    ),
    "When in doubt": ("reference/stuck", "reference/large", "reference/trust"),
    "To look up": ("reference/problems", "reference/coordinates", "reference/commands", "reference/python", "notebooks/tilings"),
    "Comparing": ("tutorials/research", "results", "reference/solvers", "tutorials/solvers", "reference/formats"),
    "Found with Tiler": ("found",),
    "Inside": ("architecture", "reference/findings", "reference/machine-code", "glossary", "contributing", "changelog"),
}

#: The page on which each command of the first table is a heading further below, once it is generated.
COMMANDS = "docs/reference/commands.md"

_COMMAND = re.compile(r"(?<=[| ])`tiler ([a-z-]+)`(?=,| \|)")
_LINK = re.compile(r'(\]\(|<img src=")([^)#\s"]+)')
_TITLED = re.compile(r'^```(\w+) title="([^"]+)"$', re.M)


def assemble(folder: Path, *, opens: bool = False) -> None:
    """Lay out all that the site is made of in an empty folder; `opens` puts links to the page with the engine inside on it."""
    sources = {path: path.removeprefix("docs/") for path in _paths("docs/**/*.*")}
    sources |= {path: path for path in _paths(*DATA, *REPORTS)} | OUTSIDE
    for source, address in sources.items():
        file = folder / address
        file.parent.mkdir(parents=True, exist_ok=True)
        if source.endswith(".md"):
            text = page(source, address)
            file.write_text(page_links.with_links(text, address) if opens else text)
        else:
            shutil.copy(ROOT / source, file)
    # Pictures with a height are HTML, which Sphinx leaves alone: they lie beside the pages.
    shutil.copytree(folder / "pictures", folder / "extra/pictures")


def _paths(*patterns: str) -> list[str]:
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file() and "__pycache__" not in path.parts}
    return [path.relative_to(ROOT).as_posix() for path in sorted(found)]


def page(source: str, address: str) -> str:
    """A page as Sphinx is to read it."""
    text = (ROOT / source).read_text()
    if source == COMMANDS:
        text = _COMMAND.sub(r"[`tiler \1`](#tiler-\1)", text)
    for name, write in GENERATED.items():
        mark = f"<!-- {name} -->\n"
        if mark in text:
            text = text.replace(mark, "\n".join(write()) + "\n")
    text = _LINK.sub(lambda link: link[1] + page_link(link[2], source, address), text)
    text = _TITLED.sub(r"```{code-block} \1\n:caption: \2\n", text)
    if address == "index.md":
        for caption, names in CONTENTS.items():
            text += "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", *names, "```", ""])
    return f"---\norphan: true\n---\n{text}" if address.startswith("results/") else text


def page_link(link: str, source: str, address: str) -> str:
    """A link on the page with this address, from the link in the file it is made from; one to another site stays as it is.

    >>> page_link("docs/reference/problems.md", "README.md", "index.md")
    'reference/problems.md'
    >>> page_link("../../README.md", "docs/tutorials/puzzles.md", "tutorials/puzzles.md")
    '../index.md'
    """
    if re.match(r"[a-z]+:", link):
        return link
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    target = OUTSIDE.get(path, path.removeprefix("docs/"))
    return posixpath.relpath(target, posixpath.dirname(address) or ".")


# --- what the program knows about itself


def commands() -> Iterator[str]:
    """Every command with its arguments and examples, from its parser."""
    from tiler.cli.main import COMMANDS, configure, module_of

    os.environ["COLUMNS"] = "92"  # of a line of usage
    for name in COMMANDS:
        module = module_of(name)
        parser = argparse.ArgumentParser(prog=f"tiler {name}", add_help=False)
        configure(name, parser)
        yield f"## tiler {name}\n"
        yield f"{_sentences(parser.description or module.HELP)}\n"
        yield f"```\n{textwrap.dedent(parser.format_usage().replace('usage:', ' ' * 6)).rstrip()}\n```\n"
        formatter = parser._get_formatter()
        for group in parser._action_groups:
            rows = [
                f"| `{_cell(formatter._format_action_invocation(action))}` | {_cell(formatter._expand_help(action))} |"
                for action in group._group_actions
                if action.help and action.help != argparse.SUPPRESS
            ]
            if rows:
                yield from (f"| {group.title or 'options'} | |", "|---|---|", *rows, "")
        yield f"```\n{textwrap.dedent(module.EXAMPLES).strip()}\n```\n"


def _cell(text: str) -> str:
    """Text fit for the cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _sentences(text: str) -> str:
    """A description as Markdown, in which indented lines stay as they are."""
    blocks = []
    for block in inspect.cleandoc(text).split("\n\n"):
        indented = any(line.startswith("  ") for line in block.splitlines())
        blocks.append(f"```\n{block}\n```" if indented else block)
    text = "\n\n".join(blocks)
    return text[:1].upper() + text[1:] + ("" if text.endswith(("```", ".")) else ".")


def solvers() -> Iterator[str]:
    """Every solver with its options, from its class."""
    from tiler.backends.base import Backend
    from tiler.backends.registry import backends
    from tiler.question.question import Goal

    common = {field.name for field in dataclasses.fields(Backend)}
    for name, backend in backends().items():
        yield f"### {name}\n"
        yield f"*Can {', '.join(goal.verb for goal in Goal if backend.can(goal))}.*\n"
        yield f"{inspect.cleandoc(backend.__doc__ or '')}\n"
        yield from _options(field for field in dataclasses.fields(backend) if field.name not in common)
    yield "### Every solver\n"
    yield from _options(dataclasses.fields(Backend))


def _options(fields: Any) -> Iterator[str]:
    rows = [f"| `{field.name}={_cell(_values(field))}` | {_cell(field.metadata['help'])} |" for field in fields]
    if rows:
        yield from ("| option, its default first | |", "|---|---|", *rows, "")


def _values(field: dataclasses.Field[Any]) -> str:
    if isinstance(field.default, bool):
        return "on|off" if field.default else "off|on"
    others = [choice for choice in field.metadata["choices"] if choice != field.default]
    return "|".join([str(field.default), *others])


def shapes() -> Iterator[str]:
    """The shapes that have names, drawn."""
    from tiler.cli.main import main

    with redirect_stdout(StringIO()) as printed:
        main(["shapes"])
    yield f"```\n{printed.getvalue().rstrip()}\n```\n"


#: What the functions give, besides what `tiler` offers itself.
GIVEN = (
    *("tiler.api.answers.saving.Savable", "tiler.api.answers.saving.Drawable"),
    *("tiler.api.answers.benchmark.Changes", "tiler.apps.mathematics.rectangles.Verdict"),
)


def python() -> Iterator[str]:
    """The functions and classes for users of Python, from their docstrings."""
    import tiler

    offered = [name for name in dir(tiler) if name not in ("__version__", "errors", "Unfinished", "Interrupted", "Cover")]
    for name in [name for name in offered if name.islower()] + [name for name in offered if not name.islower()]:
        yield f"### tiler.{name}\n"
        yield from _described(getattr(tiler, name))
    yield "### tiler.Cover.from_rows\n"
    yield from _described(tiler.Cover.from_rows)
    for path in GIVEN:
        module, _, name = path.rpartition(".")
        yield f"### {name}\n"
        yield from _described(getattr(import_module(module), name))


def errors() -> Iterator[str]:
    """What can go wrong."""
    from tiler import errors

    yield from ("| error | |", "|---|---|")
    for name, error in vars(errors).items():
        if isinstance(error, type) and issubclass(error, errors.TilerError | errors.Interrupted):
            yield f"| `{name}` | {_cell(inspect.cleandoc(error.__doc__ or '').partition(chr(10) * 2)[0])} |"


def _described(what: Any) -> Iterator[str]:
    """The signature of a function, or the fields of a class, and the docstring; then what a class has besides."""
    shown = _fields(what) if isinstance(what, type) else f"{what.__name__}{_signature(what)}"
    yield f"```python\n{shown}\n```\n"
    # A docstring is Markdown but for its doctests, which end at an empty line.
    text = inspect.cleandoc(what.__doc__ or "")
    yield re.sub(r"^>>> (?:.+\n?)+", lambda test: f"```python\n{test[0].rstrip()}\n```\n", text, flags=re.M) + "\n"
    if isinstance(what, type):
        yield from _members(what)


def _members(of: type) -> Iterator[str]:
    """The public methods and properties of a class that say what they are, as a list."""
    for name, member in vars(of).items():
        found = getattr(member, "__func__", member)
        about = inspect.cleandoc(getattr(found, "__doc__", None) or "").partition("\n\n")[0].replace("\n", " ")
        if not name.startswith("_") and about and (inspect.isfunction(found) or hasattr(found, "__get__")):
            signature = re.sub(r"\((self|cls)(, )?", "(", _signature(found)) if inspect.isfunction(found) else ""
            yield f"- `{name}{' '.join(signature.split())}`: {about}"
    yield ""


def _fields(of: type) -> str:
    """The fields of a dataclass, or the values of an enumeration, as the source has them, with its comments."""
    head, _, rest = inspect.getsource(of).partition('"""')
    body = rest.partition('"""')[2].partition("    def ")[0].partition("    @")[0]
    lines = [line for line in body.splitlines() if line.strip() and "ClassVar" not in line and not line.startswith("    _")]
    return "\n".join([head.strip().splitlines()[-1], *lines])


def _signature(what: Any) -> str:
    # Annotations are texts, of which the quotes go; those of defaults stay.
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(what)))
    if len(signature) < 80:
        return signature
    inside, _, result = signature.removeprefix("(").rpartition(")")
    return "(\n" + "".join(f"    {each},\n" for each in _split(inside)) + f"){result}"


def _split(text: str) -> list[str]:
    """The parts between commas that are in no brackets.

    >>> _split("a: dict[str, int], b: int = 1")
    ['a: dict[str, int]', 'b: int = 1']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


GENERATED: dict[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "solvers": solvers,
    "shapes": shapes,
    "python": python,
    "errors": errors,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the pages as HTML.")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--open-in-page",
        action="store_true",
        help="link examples to the page that scripts/page builds in FOLDER/page",
    )
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    from sphinx.cmd.build import main as sphinx

    with tempfile.TemporaryDirectory() as temporary:
        sources, built = Path(temporary, "pages"), Path(temporary, "built/html")  # Beside what is built notebooks leave files.
        sources.mkdir()
        assemble(sources, opens=arguments.open_in_page)
        options = ["--quiet", "--fail-on-warning", "--keep-going", "-b", "html", "-d", f"{temporary}/trees"]
        status = sphinx([*options, str(sources), str(built)])
        if status == 0:
            shutil.copytree(built, folder, dirs_exist_ok=True)
            print(f"the pages are in {folder}: open {folder / 'index.html'}")
    return status


if __name__ == "__main__":
    gc.disable()  # Sphinx keeps what it makes; looking for garbage takes a quarter of the time, and finds next to none.
    sys.exit(main())
