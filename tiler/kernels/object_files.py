"""Load object files of kernels into this process by llvmlite; Numba is needed only if there are none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from tiler.kernels import code_cache
from tiler.kernels.code_cache import Machine
from tiler.kernels.digest import Source, compiler

_engines: list[Any] = []  # They own the code that runs.


@lru_cache(maxsize=1)
def host() -> Machine:
    """The machine that this runs on."""
    return Machine(llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), compiler())


def addresses(kernels: Sequence[Source], beside: Sequence[Callable[..., Any]] = ()) -> dict[str, int]:
    """Where the functions of some kernels are, by name. A kernel that is not kept is compiled, and with it what is not kept of
    those beside."""
    found = _kept(kernels)
    if len(found) < len(kernels):
        found = _made(kernels, beside)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(host().triple).create_target_machine()
    # All sections in one block: where large arrays are reserved, two of their own may lie too far apart for their jumps.
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target, use_lmm=True)
    _engines.append(engine)
    for content in found.values():
        engine.add_object_file(llvm.ObjectFileRef.from_data(content))
    engine.finalize_object()
    return {name: int(engine.get_function_address(name)) for name in found}


def _made(kernels: Sequence[Source], beside: Sequence[Callable[..., Any]]) -> dict[str, bytes]:
    """The object files of some kernels, after those that are missing are compiled, by this process or by one that compiles
    already."""
    with code_cache.alone(lambda: len(kernels) - len(_kept(kernels))):
        found = _kept(kernels)
        if len(found) < len(kernels):
            from tiler.kernels.compilation import make

            every = {each.name: each for each in (*kernels, *map(Source.of, beside))}
            there = _kept(every.values())
            made = make([each for each in every.values() if each.name not in there], host())
            found |= {each.name: each.object for each in made}
        return {each.name: found[each.name] for each in kernels}


def _kept(kernels: Collection[Source]) -> dict[str, bytes]:
    return code_cache.find(host(), {(each.name, each.digest) for each in kernels})
