"""Run in Pyodide (pyodide.mjs) with the packed package: write the replies to orders that the page knows without Python.

known.py FILE

Python takes seconds to load. Until then the page shows the board that it begins with, draws any other, and lists what there is.
"""

import sys
from pathlib import Path
from typing import Any

from tiler.model.lattices import LATTICES
from tiler.studio import geometry, naming
from tiler.studio.engine import Engine
from tiler.studio.message_json import dumps, to_json

BOARD = {"words": "10x6", "lattice": "square"}
TILES = {"words": "1:pentominoes", "lattice": "square", "reflections": True}


def main() -> None:
    board, tiles = (
        naming.board(BOARD["words"], BOARD["lattice"]),
        naming.tiles(TILES["words"], TILES["lattice"], reflections=True),
    )
    # As `first` in main.js makes it, in the same order: an order is known by its text.
    problem = {
        **{"lattice": "square", "board": to_json(board.board), "optional": to_json(board.optional)},
        **{"tiles": to_json(tiles.tiles), "reflections": True},
    }
    replies: list[tuple[str, Any, Any]] = [
        ("catalogue", None, naming.catalogue()),
        *(("lattice", name, geometry.lattice_message(lattice)) for name, lattice in LATTICES.items()),
        ("board", BOARD, board),
        ("tiles", TILES, tiles),
        ("open", problem, Engine().open(problem)),
    ]
    Path(sys.argv[1]).write_text(dumps({dumps([do, data]): reply for do, data, reply in replies}), encoding="utf-8")


if __name__ == "__main__":
    main()
