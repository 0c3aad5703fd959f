"""Make messages of what a person names, pastes or drops: tiles, boards, problems, files; and list all that can be named."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tiler import formats
from tiler.amounts import counted
from tiler.api import catalogue as listing
from tiler.api.construction import make
from tiler.apps.studio import questions
from tiler.apps.studio.catalogue_messages import (
    BoardEntryMessage,
    CatalogueMessage,
    LatticeEntryMessage,
    ProblemEntryMessage,
    SaveFormMessage,
    SetEntryMessage,
    SolverEntryMessage,
)
from tiler.apps.studio.engine import document_of, laid_of
from tiler.apps.studio.messages import BoardMessage, ReadMessage, TilesMessage
from tiler.backends.languages import LANGUAGES
from tiler.bench import corpus
from tiler.errors import InputError
from tiler.formats import library, pieces, xmpuzzle
from tiler.model import named_boards, piece_sets, shapes
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattices import LATTICES, USUAL, called
from tiler.model.piece_sets import Mirroring, PieceSet
from tiler.model.placed import without_placed
from tiler.model.tile import Tile
from tiler.version import __version__

MOST_WORDS = 2000  #: the most characters of words that name tiles or a board
MOST_TEXT = 600_000  #: the most characters of a problem as text
MOST_CELLS = 250_000  #: the most cells of a board that a page is sent

#: Families of problems that people know.
_KNOWN = ("classic", "calendars", "burrs", "cubic", "square", "hexagonal", "triangular", "spheres", "colours")

_PICTURES = {
    "svg": "a picture of the tilings",
    "png": "a picture of the tilings, in dots",
    "pdf": "the tilings on pages",
    "html": "a page with the tilings that can be turned",
}
_BODIES = {
    "stl": "the pieces for a 3D printer, as they lie; side by side if none lies",
    "3mf": "the pieces in colours for a 3D printer, as they lie; side by side if none lies",
}


def tiles(words: str, lattice: str, reflections: bool | None = None) -> TilesMessage:
    """The tiles that words stand for, such as `1:pentominoes 2:4T`."""
    named = _words(words, "tiles")
    on = called(lattice) if lattice else piece_sets.lattice_of(word.rpartition(":")[2] for word in named)
    made: list[Tile] = []
    used: list[PieceSet] = []
    for index, word in enumerate(named, 1):
        more, chosen = pieces.read(word, index, on, disconnected=True)
        made += more
        used += [chosen] if chosen else []
    home = next((tile.lattice for tile in made if tile.lattice.dimension == 3), on)
    reflected = pieces.reflections(reflections, used, home.dimension, as_named=False)

    instance = Instance(frozenset({home.residues[0]}), tuple(made), reflected, lattice=home)
    area = sum(tile.size * (tile.at_most or 0) for tile in made)
    some = "any number of copies" if any(tile.at_most is None for tile in made) else counted(area, "cell")
    return TilesMessage(tuple(document_of(instance)["tiles"]), reflected, home.name, f"{counted(len(made), 'tile')}, {some}")


def board(words: str, lattice: str) -> BoardMessage:
    """The board that words stand for, such as `6x10`, or a map on several lines."""
    if len(words) > MOST_CELLS:
        raise InputError(f"board: {len(words):,} characters are too many; at most {MOST_CELLS:,}")
    on = called(lattice) if lattice else USUAL
    cells, optional = shapes.parse_board(words, on)
    made = Instance(cells, (), optional=optional, lattice=on)
    return BoardMessage(tuple(sorted(made.board)), tuple(sorted(made.optional)), made.lattice.name)


def read_text(name: str, data: bytes) -> ReadMessage:
    """The problem in a pasted text, or in a file."""
    title = library.unquoted(name)[:100].rpartition(".")[0]
    if formats.is_packed(data):
        file, _, number = name.partition("#")
        found = xmpuzzle.parse(data, number=int(number) if number.isdecimal() else None, name=title, source=file[:100])
        return read_instance(found.instance, "xmpuzzle")
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = "\0"
    if "\0" in content:
        raise InputError("this is no text and no file of BurrTools")
    form = "json" if content.lstrip().startswith("{") else "text"
    if form == "text" and len(named := content.split()) > 1 and "\n" not in content.strip():
        _words(content, "problem")
        return read_instance(make(*named), "words")
    if form == "text" and len(content) > MOST_TEXT:
        raise InputError(f"this text has {len(content):,} characters; a problem as text has at most {MOST_TEXT:,}")
    return read_instance(formats.parse(content, name=title), form)


def problem(name: str) -> ReadMessage:
    """The problem of that name among those of Tiler."""
    return read_instance(instance_called(name), "text")


def instance_called(name: str) -> Instance:
    """The problem of that name; InputError if there is none. Only problems of the list are read, and no other files."""
    if name not in problem_names():
        raise InputError(f"no problem is called {name[:60]!r}")
    return formats.read(library.find(name))


@cache
def problem_names() -> dict[str, Path]:
    """The problems of the list by name, with their files."""
    return corpus.names(corpus.find_folder(None))


@cache
def thumbnail(name: str) -> str:
    """A small picture of a problem, as SVG."""
    from tiler.render import drawing, pages, svg

    instance = instance_called(name)
    return svg.of_page(pages.side_by_side(drawing.panels(instance, ())), instance.heading or "problem")


def read_instance(instance: Instance, form: str) -> ReadMessage:
    """The document of an instance, with the pieces that lie there already beside it."""
    if len(instance.board) > MOST_CELLS:
        raise InputError(f"the board has {len(instance.board):,} cells; the studio shows at most {MOST_CELLS:,}")
    return ReadMessage(document_of(without_placed(instance)), form, laid_of(instance))


def _words(words: str, what: str) -> list[str]:
    if len(words) > MOST_WORDS:
        raise InputError(f"{what}: {len(words):,} characters are too many; at most {MOST_WORDS:,}")
    named = words.split()
    if not named:
        raise InputError(f"{what}: name at least one, such as 1:pentominoes")
    return named


@cache
def catalogue() -> CatalogueMessage:
    """All that can be named."""
    return CatalogueMessage(
        __version__,
        tuple(LatticeEntryMessage(lattice.name, lattice.dimension, lattice.what) for lattice in LATTICES.values()),
        tuple(
            SetEntryMessage(each.name, "cubic" if _is_cubic(each) else each.lattice.name, each.kind.value)
            for each in piece_sets.ALL.values()
        ),
        tuple(
            BoardEntryMessage(form, lattice.name, f"{lattice.what}: {form}")
            for lattice in LATTICES.values()
            for form in named_boards.forms(lattice)
        ),
        tuple(sorted(map(_entry, listing.problems()), key=_place)),
        tuple(
            SolverEntryMessage(solver.name, solver.about.partition("\n")[0], solver.is_installed, solver.source)
            for solver in listing.solvers()
        ),
        questions.offered(),
        _forms(),
    )


def _place(entry: ProblemEntryMessage) -> int:
    """Where a problem is in the list that people look through: what they know first."""
    return _KNOWN.index(entry.family) if entry.family in _KNOWN else len(_KNOWN)


def _is_cubic(pieces_of: piece_sets.PieceSet) -> bool:
    return pieces_of.kind is Mirroring.SOLID and pieces_of.lattice == USUAL


def _entry(instance: Instance) -> ProblemEntryMessage:
    expected = instance.about.expected
    return ProblemEntryMessage(
        instance.name,
        instance.about.title,
        instance.about.tags,
        corpus.family(instance.name),
        instance.lattice.name,
        len(instance.board),
        "sat" if expected.verdict is Status.SAT else "unsat" if expected.verdict else None,
        None if expected.count is None else str(expected.count),
    )


def _forms() -> tuple[SaveFormMessage, ...]:
    problems = [SaveFormMessage(language.name, language.about, "problem") for language in LANGUAGES.values()]
    sheet = SaveFormMessage("sheet", "the board and its pieces, to print and cut out (PDF)", "problem")
    pictures = [SaveFormMessage(form, help, "tilings") for form, help in _PICTURES.items()]
    bodies = [SaveFormMessage(form, help, "tiling") for form, help in _BODIES.items()]
    lines = SaveFormMessage("tilings", "the tilings as lines of JSON, for tiler check", "tilings")
    return (*problems, sheet, *pictures, *bodies, lines)
