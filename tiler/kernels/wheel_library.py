"""`python -m tiler.kernels.wheel_library [--wasm] FOLDER`: shared libraries with the machine code of all kernels.

They are for a wheel (hatch_build.py), or for a program in another language (docs/reference/machine-code.md). Needs Numba and a C
compiler. `kernels-0.so` is for every processor of the platform. On x86-64 that means x86-64-v2, and `kernels-1.so` is for
x86-64-v3; a function of the first, `tiler_level`, says which this processor can run. `list.json` has the digests of the kernels.
With `--wasm` there is one library, for WebAssembly (webassembly.py); that needs `wasm-ld` in place of a C compiler.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tiler.errors import BackendError
from tiler.kernels import Kernel, code_cache, webassembly
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
    """Write the libraries of this platform and their list. Takes what is kept, and compiles the rest."""
    triple = host().triple
    machines = [Machine(triple, processor, "", host().compiler) for processor in processors(triple)]
    for level, machine in enumerate(machines):
        with _object_files(kernels, machine) as parts:
            if level == 0:
                parts.append(parts[0].with_name("level.c"))
                parts[-1].write_text(_LEVEL)
            _link(parts, _library(folder, level))
    _list(folder, machines, kernels)


def build_webassembly(folder: Path, kernels: Sequence[Source]) -> None:
    """Write the library for WebAssembly and its list."""
    machine = webassembly.machine()
    with _object_files(kernels, machine) as parts:
        webassembly.link(parts, _library(folder, 0))
    _list(folder, [machine], kernels)


def _library(folder: Path, level: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"kernels-{level}.so"


@contextmanager
def _object_files(kernels: Sequence[Source], machine: Machine) -> Iterator[list[Path]]:
    """The object files of kernels, in a folder that is there for a while."""
    objects = code_cache.find(machine, {(each.name, each.digest) for each in kernels})
    missing = [each for each in kernels if each.name not in objects]
    if missing:
        objects |= {made.name: made.object for made in make(missing, machine)}
    with tempfile.TemporaryDirectory() as temporary:
        parts = [Path(temporary) / f"{each.name}.o" for each in kernels]
        for part in parts:
            part.write_bytes(objects[part.stem])
        yield parts


def _list(folder: Path, machines: Sequence[Machine], kernels: Sequence[Source]) -> None:
    listed = {"libraries": [machine.cpu for machine in machines], "kernels": {each.name: each.digest for each in kernels}}
    (folder / "list.json").write_text(json.dumps(listed, indent=1) + "\n")


def _link(parts: Sequence[Path], library: Path) -> None:
    command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), *map(str, parts)]
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BackendError(f"cc cannot link the machine code: {error}") from None


def main() -> None:
    """Write the libraries with all kernels into a folder."""
    parser = argparse.ArgumentParser(prog="python -m tiler.kernels.wheel_library", description="Write the kernels as libraries.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wasm", action="store_true", help="for WebAssembly, in place of this platform")
    arguments = parser.parse_args()
    import_all()
    kernels = [Source.of(each.function) for each in Kernel.all]
    (build_webassembly if arguments.wasm else build)(arguments.folder, kernels)


if __name__ == "__main__":
    main()
