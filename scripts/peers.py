"""Make environments for programs of others from PyPI, each with the versions that the campaigns were measured with:

    python scripts/peers.py --install                 all that are not there yet
    python scripts/peers.py --install xcover pyxcc    only these

They are in .venv/peers. Campaigns ask the programs in them by scripts/count_covers.py, scripts/count_models.py and
scripts/maxsat.py; what comes from Debian instead the first lines of the campaign name. `scripts/bench_search.py` compares xcover.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What pip installs into each environment.
ENVIRONMENTS = {
    "xcover": ("xcover==0.2.6", "numba==0.68.1", "numpy==2.4.6"),
    "exact-cover": ("exact-cover==1.5.0", "numpy==2.4.6"),
    "dxz": ("dxz==0.0.6",),
    "pyxcc": ("pyxcc==0.1.1",),
    "counters": ("pyganak==2.8.0", "d4Solver==1.0.0", "tididi-cnf==0.1.2"),
    "graphillion": ("graphillion==2.1",),
    "maxsat": ("hermax==1.2.10", "python-sat==1.9.dev17"),
}


def interpreter(name: str) -> Path:
    """The Python of an environment, which `install` makes."""
    return ROOT / ".venv/peers" / name / "bin/python"


def install(*names: str) -> None:
    """Make these environments (all, if none is named) that are not there yet."""
    for name in names or ENVIRONMENTS:
        python = interpreter(name)
        stamp = python.parent.parent / "stamp"
        wanted = "\n".join(ENVIRONMENTS[name])
        if stamp.exists() and stamp.read_text() == wanted:
            continue
        print(f"installing {name} into {python.parent.parent}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(python.parent.parent)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *ENVIRONMENTS[name]], check=True)
        stamp.write_text(wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", nargs="*", choices=ENVIRONMENTS, required=True, metavar="NAME", help="default: all")
    install(*parser.parse_args().install)


if __name__ == "__main__":
    main()
