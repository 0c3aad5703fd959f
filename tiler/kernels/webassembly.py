"""Machine code for WebAssembly: the kernels as one side module of Pyodide, so that a web page has them.

LLVM makes it from the same optimised module as for a processor (compiler.py). WebAssembly has addresses of 32 bits; the
functions of kernels take and give words of 64 bits all the same, so loader.py calls them as everywhere. Numba and llvmlite make
the object files, `wasm-ld` (Debian's package lld) links them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from tiler.errors import BackendError
from tiler.kernels.code_cache import Machine
from tiler.kernels.digest import compiler

TRIPLE = "wasm32-unknown-emscripten"
#: What every browser has in which Pyodide runs.
_FEATURES = "+bulk-memory,+mutable-globals,+sign-ext,+nontrapping-fptoint"
_RECIPE = "1"  # raised by hand when the code below makes other object files, which are kept


def machine() -> Machine:
    """WebAssembly, as a machine for which kernels are compiled."""
    return Machine(TRIPLE, "generic", _FEATURES, f"{compiler()} {_RECIPE}")


def object_file(module: Any, machine: Machine) -> bytes:
    """The object file of an optimised module that was made for this processor."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(machine.triple)
    options = {"opt": 3, "reloc": "pic", "codemodel": "default"}
    target_machine = target.create_target_machine(machine.cpu, machine.features, **options)
    moved = llvm.parse_assembly(_retargeted(str(module), str(target_machine.target_data)))
    moved.verify()
    return bytes(target_machine.emit_object(moved))


def _retargeted(text: str, layout: str) -> str:
    """The text of a module, for another machine."""
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.MULTILINE)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
    # A side module has no common symbols; and these stand in several object files.
    return re.sub(r"^(@_ZN08NumbaEnv\S+ = )common ", r"\1internal ", text, flags=re.MULTILINE)


def link(parts: Sequence[Path], library: Path) -> None:
    """Link object files as a side module. BackendError if there is no linker."""
    flags = ["--experimental-pic", "-shared", "--no-entry", "--export-all", "--allow-undefined", "--strip-debug"]
    try:
        subprocess.run(["wasm-ld", *flags, *map(str, parts), "-o", str(library)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BackendError(f"wasm-ld cannot link the machine code ({error}); Debian has it in the package lld") from None
