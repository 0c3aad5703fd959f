"""What this app adds to the engine (tiler/extensions.py)."""

from tiler.extensions import Manifest

MANIFEST = Manifest(commands={"studio": "tiler.apps.studio.command"})
