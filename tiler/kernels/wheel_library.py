"""`python -m tiler.kernels.wheel_library FOLDER`: shared libraries with the machine code of all kernels.

They are for a wheel (hatch_build.py), or for a program in another language (docs/reference/machine-code.md). Needs Numba and a C
compiler. `kernels-0.so` is for every processor of the platform. On x86-64 that means x86-64-v2, and `kernels-1.so` is for
x86-64-v3; a function of the first, `tiler_level`, says which this processor can run. `list.json` has the digests of the kernels.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tiler.errors import BackendError
from tiler.kernels import Kernel
from tiler.kernels.code_cache import Machine
from tiler.kernels.compilation import make
from tiler.kernels.digest import Source, import_all
from tiler.kernels.object_files import host

_LEVEL = """
int tiler_level(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("x86-64-v3") ? 1 : 0;
#else
    return 0;
#endif
}
"""


def processors(triple: str) -> tuple[str, ...]:
    """The processors for which there is a library, by their names in LLVM, the least one first."""
    architecture, _, system = triple.partition("-")
    if architecture == "x86_64":
        return "x86-64-v2", "x86-64-v3"
    return ("apple-m1",) if "darwin" in system or "apple" in system else ("generic",)


def build(folder: Path, kernels: Sequence[Source]) -> None:
    """Write the libraries and their list."""
    folder.mkdir(parents=True, exist_ok=True)
    triple = host().triple
    machines = [Machine(triple, processor, "", host().compiler) for processor in processors(triple)]
    for level, machine in enumerate(machines):
        with tempfile.TemporaryDirectory() as temporary:
            parts = [Path(temporary) / "level.c"] if level == 0 else []
            for part in parts:
                part.write_text(_LEVEL)
            for made in make(kernels, machine):
                parts.append(Path(temporary) / f"{made.name}.o")
                parts[-1].write_bytes(made.object)
            _link(parts, folder / f"kernels-{level}.so")
    listed = {"libraries": [machine.cpu for machine in machines], "kernels": {each.name: each.digest for each in kernels}}
    (folder / "list.json").write_text(json.dumps(listed, indent=1) + "\n")


def _link(parts: Sequence[Path], library: Path) -> None:
    command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), *map(str, parts)]
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BackendError(f"cc cannot link the machine code: {error}") from None


if __name__ == "__main__":
    import_all()
    build(Path(sys.argv[1]), [Source.of(each.function) for each in Kernel.all])
