"""What this app adds to the engine (tiler/extensions.py)."""

from tiler.extensions import Manifest

MANIFEST = Manifest(
    commands={name: f"tiler.apps.mathematics.commands.{name}" for name in ("series", "rectangles", "plane")},
    names={
        **dict.fromkeys(("rectangles", "plane", "series"), "tiler.apps.mathematics.functions"),
        "FilledRectangles": "tiler.apps.mathematics.answers.rectangles",
        "PlaneTiling": "tiler.apps.mathematics.answers.plane",
        "Series": "tiler.apps.mathematics.series",
    },
)
