"""Make environments for programs of others from PyPI and npm, each with the versions that the campaigns were measured with:

    python scripts/peers.py --install                 all that are not there yet
    python scripts/peers.py --install xcover pyxcc    only these

They are in .venv/peers. Campaigns ask the programs in them by scripts/count_covers.py, scripts/dancing_links.cjs,
scripts/count_models.py and scripts/optimise_models.py; what comes from Debian instead the first lines of the campaign name.
`scripts/bench_search.py` compares xcover.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What pip installs into each environment.
ENVIRONMENTS = {
    "xcover": ("xcover==0.2.6", "numba==0.68.1", "numpy==2.4.6"),
    "exact-cover": ("exact-cover==1.5.0", "numpy==2.4.6"),
    "dxz": ("dxz==0.0.6",),
    "pyxcc": ("pyxcc==0.1.1",),
    "counters": ("pyganak==2.9.0", "d4Solver==1.0.0", "tididi-cnf==0.1.2"),
    "graphillion": ("graphillion==2.1",),
    "maxsat": ("hermax==1.2.10", "python-sat==1.9.dev17"),
}
#: What npm installs into each folder.
PACKAGES = {"dancing-links": ("dancing-links@4.3.10",)}
#: Those that compile themselves when they are first asked, and keep that: it takes longer than a run of a campaign may.
COMPILED = ("xcover",)


def interpreter(name: str) -> Path:
    """The Python of an environment, which `install` makes."""
    return ROOT / ".venv/peers" / name / "bin/python"


def install(*names: str) -> None:
    """Make these environments (all, if none is named) that are not there yet."""
    for name in names or (*ENVIRONMENTS, *PACKAGES):
        folder = ROOT / ".venv/peers" / name
        stamp = folder / "stamp"
        wanted = "\n".join(ENVIRONMENTS.get(name) or PACKAGES[name])
        if stamp.exists() and stamp.read_text() == wanted:
            continue
        if name in PACKAGES and shutil.which("npm") is None:
            print(f"{name} is left out: it needs npm", file=sys.stderr)
            continue
        print(f"installing {name} into {folder}", file=sys.stderr)
        if name in PACKAGES:
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), *PACKAGES[name]], check=True)
        else:
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
            subprocess.run([str(interpreter(name)), "-m", "pip", "install", "--quiet", *ENVIRONMENTS[name]], check=True)
        if name in COMPILED:
            compile_now(name)
        stamp.write_text(wanted)


def compile_now(name: str) -> None:
    """Have a package count the two tilings of two cells, so that no measured run is the first."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "two.dlx"
        path.write_text("a b\na\nb\na b\n")
        command = [str(interpreter(name)), str(ROOT / "scripts/count_covers.py"), name, str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--install", nargs="*", choices=[*ENVIRONMENTS, *PACKAGES], required=True, metavar="NAME", help="default: all"
    )
    install(*parser.parse_args().install)


if __name__ == "__main__":
    main()
