"""Run in Pyodide (pyodide.mjs) with the packed package: write the replies to orders that the page knows without Python.

known.py FILE

Python takes seconds to load. Until then the page shows the board that it begins with, draws any other, and lists what there is.
"""

import sys
from pathlib import Path
from typing import Any

from tiler.apps.studio import geometry, naming
from tiler.apps.studio.engine import Engine
from tiler.apps.studio.message_json import dumps, to_json
from tiler.model.lattices import LATTICES

BOARD, TILES, LATTICE = "10x6", "1:pentominoes", "square"


def main() -> None:
    board, tiles = naming.board(BOARD, LATTICE), naming.tiles(TILES, LATTICE, reflections=True)
    # As `first` in main.js makes it, in the same order: an order is known by its text.
    problem = {
        **{"lattice": LATTICE, "board": to_json(board.board), "optional": to_json(board.optional)},
        **{"tiles": to_json(tiles.tiles), "reflections": True},
    }
    replies: list[tuple[str, Any, Any]] = [
        ("catalogue", None, naming.catalogue()),
        *(("lattice", name, geometry.lattice_message(lattice)) for name, lattice in LATTICES.items()),
        ("board", {"words": BOARD, "lattice": LATTICE}, board),
        ("tiles", {"words": TILES, "lattice": LATTICE, "reflections": True}, tiles),
        ("open", problem, Engine().open(problem)),
    ]
    Path(sys.argv[1]).write_text(dumps({dumps([do, data]): reply for do, data, reply in replies}), encoding="utf-8")


if __name__ == "__main__":
    main()
