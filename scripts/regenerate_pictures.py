"""Draw the pictures of the pages again: each is what one command draws, but for those that explain solvers (solver_pictures.py,
method_pictures.py).

python scripts/regenerate_pictures.py             draw them all, in docs/pictures
python scripts/regenerate_pictures.py --list      the commands
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import method_pictures
import solver_pictures

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/pictures"

#: The arguments of the command that draws a picture, by its name; its ending chooses what kind of picture it is.
PICTURES = {
    "pentominoes.svg": "solve 10x6 1:pentominoes --solver fila",
    "checkerboard.svg": "prove 2/corners-08x08_u",
    "stripes.svg": "prove 4L/10x10_u",
    "dominoes.svg": "sample 12x12 2 --seed 1",
    "arctic-40.svg": "sample aztec:40 2 --seed 1",
    "arctic.png": "sample aztec:200 2 --solver matching --seed 1 --size 6in",
    "lozenges.svg": "sample pairs/hexagon-8-8-8_s --solver matching --seed 1 --size 4in",
    "soma.svg": "solve 3x3x3 1:soma --solver dlx",
    "hexagons.svg": "solve hexagonal/polyhexes-34-hexagon_s --solver dlx",
    "triangles.svg": "solve triangular/hexiamonds-6x6_s --solver dlx",
    "lattices.svg": "lattices",
    "coordinates.svg": "lattices --coordinates hexagonal triangular tetrakis rhombille kites drafters spheres",
    "orbits.svg": "solve 4x3 2 --all --up-to-symmetry --solver dlx",
    "fault-free.svg": "solve 6x5 2 --fault-free --all --solver dlx",
    "hats.svg": "plane hat --reflections --colours side --size 16in",
    "turtles.svg": "plane turtle --reflections --colours side --size 16in",
    "rings.svg": "plane hat --reflections --heesch --coronas 4",
    "two-orbits.svg": "plane 8-306 --reflections --orbits 2 --size 10in",
    "coronas.svg": "plane 7-105 --reflections --heesch",
    "where.svg": "count 10x6 1:pentominoes --by-cell",
}
#: The arguments of `tiler plot` that draws a figure of the results, by its name, and the name that `tiler plot` gives it.
FIGURES = {
    "symmetry.svg": (
        "results/reference/symmetry --kind scatter --clock cpu --solver sat:encoding=amk-auto "
        "--solver sat:encoding=amk-auto,symmetry=lex",
        "scatter.svg",
    ),
}


def command(name: str) -> list[str]:
    """The arguments with which `tiler` draws a picture."""
    return [*shlex.split(PICTURES[name]), "-o", str((FOLDER / name).relative_to(ROOT))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the commands, and draw nothing")
    only_lists = parser.parse_args().list
    for name in PICTURES:
        print(f"tiler {shlex.join(command(name))}", flush=True)
        if not only_lists:
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            subprocess.run([sys.executable, "-m", "tiler", *command(name)], cwd=ROOT, env=environment, check=True)
    for name, (arguments, written) in FIGURES.items():
        print(f"tiler plot {arguments}", flush=True)
        if not only_lists:
            with tempfile.TemporaryDirectory() as folder:
                plot = [sys.executable, "-m", "tiler", "plot", *shlex.split(arguments), "-o", folder]
                subprocess.run(plot, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
                shutil.copy(Path(folder, written), FOLDER / name)
    for script in (solver_pictures, method_pictures):
        print(f"python scripts/{script.__name__}.py")
        if not only_lists:
            script.draw_all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
