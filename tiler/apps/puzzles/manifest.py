"""What this app adds to the engine (tiler/extensions.py)."""

from tiler.extensions import Manifest

_FUNCTIONS = "tiler.apps.puzzles.functions"
_PRINTING = "tiler.apps.puzzles.printing"

MANIFEST = Manifest(
    commands={name: f"tiler.apps.puzzles.commands.{name}" for name in ("unique", "hint", "apart", "choose")},
    options={"show": "tiler.apps.puzzles.commands.printed"},
    names={
        **dict.fromkeys(("unique", "choose", "hint"), _FUNCTIONS),
        "Hint": "tiler.apps.puzzles.hint",
        "PieceSets": "tiler.apps.puzzles.answers.piece_sets",
        "TakenApart": "tiler.apps.puzzles.answers.disassembly",
        "UniquePuzzle": "tiler.apps.puzzles.answers.unique_puzzle",
    },
    features=("tiler.apps.puzzles.apart.of_tiling:TAKES_APART",),
    drawings={
        **dict.fromkeys(("stl", "3mf"), f"{_PRINTING}.meshes:draw"),
        **dict.fromkeys(("dxf", "cut"), f"{_PRINTING}.cuts:draw"),
    },
    services={
        "taken_apart": f"{_FUNCTIONS}:taken_apart",
        "why_not": "tiler.apps.puzzles.why_not",
        "sheet": f"{_PRINTING}.print_sheets:sheet",
        "plates": f"{_PRINTING}.meshes:plates",
    },
)
