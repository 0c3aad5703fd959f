"""Compile kernels by Numba, in separate processes (compilation.py): so no search has Numba in its memory, and the user's settings
for Numba are not read or changed.

A kernel and all functions that it calls become one object file, with one function for callers. It takes the address of two words,
for its result and its exception, and then words as in signature.py. The object file needs nothing of Numba or Python, since no
kernel makes an array or counts references.

    python -m tiler.kernels.compiler

reads lines of JSON, each with the kernels to be compiled next, and answers each by one.
"""

from __future__ import annotations

import base64
import functools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from queue import SimpleQueue
from threading import Thread
from types import FunctionType
from typing import Annotated, Any, get_origin, get_type_hints

import llvmlite.binding as llvm
import numba.core.callconv
import numba.core.compiler
import numba.core.compiler_lock
import numba.core.sigutils
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import intrinsic

from tiler.kernels import webassembly
from tiler.kernels.code_cache import Machine
from tiler.kernels.inner import inners, population, seldom, trailing_zeros
from tiler.kernels.signature import DTYPES, Array, Number, Signature, Struct

_core: Any = numba.core
_tuples: Any = types.BaseTuple
_WORD = ir.IntType(64)
_NOBODY = ir.Constant(ir.IntType(8).as_pointer(), None)
_RAISED = _core.callconv.excinfo_ptr_t
#: For functions that kernels call: nothing that only Python would call, and no references.
_INNER = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, "boundscheck": False}


def compiled(function: Callable[..., Any], name: str, machine: Machine) -> bytes:
    """The object file of a kernel; its function has this name there."""
    hints = get_type_hints(function, include_extras=True)
    gives = _numba_type(hints.pop("return"))
    takes = [_numba_type(hint) for hint in hints.values()]
    flags = _core.compiler.Flags()
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = False
    context = cpu_target.target_context
    _core.compiler_lock.global_compiler_lock.acquire()
    try:
        source: Any = cpu_target.typing_context, context, _for_compiler(function), takes, gives, flags, {}
        kernel = _core.compiler.compile_extra(*source)
        library = context.codegen().create_library(name)
        library.add_ir_module(_entry_point(name, Signature.of(function), kernel.fndesc.llvm_func_name, takes, gives))
        library._final_module.link_in(kernel.library._get_module_for_linking(), preserve=True)
        for each in library._final_module.functions:
            if not each.is_declaration and each.name != name:
                each.linkage = "internal"
        library._optimize_final_module()
    finally:
        _core.compiler_lock.global_compiler_lock.release()
    foreign = [each.name for each in library._final_module.functions if each.is_declaration and not each.name.startswith("llvm.")]
    if foreign:
        raise TypeError(f"{function.__qualname__} needs {', '.join(foreign)} of Numba: write it as a loop")
    if machine.triple == webassembly.TRIPLE:
        return webassembly.object_file(library._final_module, machine)
    target = llvm.Target.from_triple(machine.triple)
    options = {"opt": 3, "reloc": "pic", "codemodel": "small"}
    return bytes(target.create_target_machine(machine.cpu, machine.features, **options).emit_object(library._final_module))


def _entry_point(name: str, signature: Signature, kernel: str, takes: Sequence[Any], gives: Any) -> ir.Module:
    """A function of words that calls a kernel as Numba makes it, which takes each number and each field of an array by itself.
    Addresses are words too: WebAssembly has them in 32 bits, and callers need not know."""
    context = cpu_target.target_context
    module = ir.Module(name)
    type_ = context.call_conv.get_function_type(gives, takes)
    inside = ir.Function(module, type_, kernel)
    door = ir.Function(module, ir.FunctionType(ir.IntType(32), [_WORD] * (1 + len(signature.parameters))), name)
    builder = ir.IRBuilder(door.append_basic_block())
    outcome = builder.inttoptr(door.args[0], _WORD.as_pointer())
    arguments: list[Any] = []
    for (_, parameter), given in zip(signature.parameters, door.args[1:], strict=True):
        if isinstance(parameter, Number):
            arguments.append(_number(builder, parameter, given))
            continue
        reader = _Words(builder, builder.inttoptr(given, _WORD.as_pointer()))
        for part in [part for _, part in parameter.parts] if isinstance(parameter, Struct) else [parameter]:
            if isinstance(part, Number):
                arguments.append(_number(builder, part, next(reader)))
            else:
                arguments.extend(_array(builder, part, reader))
    result, raised = builder.alloca(type_.args[0].pointee), builder.alloca(_RAISED)
    builder.store(ir.Constant(_RAISED, None), raised)
    code = builder.call(inside, [result, raised, *arguments])
    if signature.result is not None:
        number = builder.load(result)
        builder.store(number if number.type == _WORD else builder.zext(number, _WORD), _at(builder, outcome, 0))
    builder.store(builder.ptrtoint(builder.load(raised), _WORD), _at(builder, outcome, 1))
    builder.ret(code)
    return module


class _Words:
    """Consecutive words, read one after the other."""

    def __init__(self, builder: Any, first: Any) -> None:
        self._builder, self._first, self._read = builder, first, 0

    def __iter__(self) -> _Words:
        return self

    def __next__(self) -> Any:
        self._read += 1
        return self._builder.load(_at(self._builder, self._first, self._read - 1))


def _at(builder: Any, words: Any, place: int) -> Any:
    return builder.gep(words, [ir.Constant(_WORD, place)])


def _number(builder: Any, number: Number, word: Any) -> Any:
    return builder.trunc(word, ir.IntType(8)) if number.kind == "boolean" else word


def _array(builder: Any, array: Array, words: _Words) -> list[Any]:
    """The description of an array for Numba: owner (none), number of items, bytes of each, address, shape and strides."""
    kind = ir.IntType(8 * DTYPES[array.kind].itemsize)
    bytes_ = ir.Constant(_WORD, DTYPES[array.kind].itemsize)
    items = builder.inttoptr(next(words), kind.as_pointer())
    shape = [next(words) for _ in range(array.dimensions)]
    strides = [bytes_]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    size = functools.reduce(builder.mul, shape)
    return [_NOBODY, _NOBODY, size, bytes_, items, *shape, *strides]


def _for_compiler(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function in a form that calls compiled functions in place of the Python ones."""
    assert isinstance(function, FunctionType)
    used = set(function.__code__.co_names)
    names = {name: _callee(value) if name in used else value for name, value in function.__globals__.items()}
    twin = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    return twin


def _callee(value: Any) -> Any:
    if isinstance(value, FunctionType):
        if value in _INSTRUCTIONS:
            return _INSTRUCTIONS[value]
        if value in inners:
            return _inner(value)
    return value


@cache
def _inner(function: FunctionType) -> Any:
    """A function that kernels call, compiled when it is called with other types."""
    return CPUDispatcher(_for_compiler(function), targetoptions={**_INNER, "inline": "always" if inners[function] else "never"})


def _instruction(make: Callable[[Any, Any], Any], result: Any, takes: Any = types.uint64) -> Any:
    """A machine instruction from a word of 64 bits, or another type."""

    def typed(typing: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return make(builder, arguments[0])

        return result(takes), generate

    return intrinsic(typed)


def _expect_false(builder: Any, condition: Any) -> Any:
    bit = ir.IntType(1)
    expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
    return builder.call(expect, [condition, bit(0)])


_INSTRUCTIONS: dict[Callable[..., Any], Any] = {
    seldom: _instruction(_expect_false, types.boolean, types.boolean),
    # The second argument: the result for zero does not matter.
    trailing_zeros: _instruction(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)), types.uint64),
    population: _instruction(lambda builder, word: builder.ctpop(word), types.int64),
}


def _numba_type(hint: Any) -> Any:
    """An annotation as Numba has it: of a number, an array (its text says which), nothing, or a NamedTuple of such."""
    simple = {int: types.int64, bool: types.boolean, np.uint64: types.uint64, type(None): types.void}
    if hint in simple:
        return simple[hint]
    if get_origin(hint) is Annotated:
        return _core.sigutils._parse_signature_string(hint.__metadata__[0])
    parts = get_type_hints(hint, include_extras=True)
    return _tuples.from_types([_numba_type(parts[name]) for name in hint._fields], hint)


def _function(module: str, file: str, name: str) -> Callable[..., Any]:
    """A kernel, out of its module, which may be one that is no part of a package."""
    try:
        found = import_module(module)
        if found.__spec__ is None or found.__spec__.origin != file:
            raise ImportError
    except ImportError:
        spec = spec_from_file_location(module, file)
        assert spec is not None
        assert spec.loader is not None
        found = module_from_spec(spec)
        spec.loader.exec_module(found)
    kernel: Callable[..., Any] = getattr(found, name).function
    return kernel


def _lines() -> Iterator[str]:
    """The lines that the other process writes. At their end this process ends at once, also while it compiles: the other one has
    what it wanted, or it is dead."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


def main() -> None:
    """Answer lines of [machine, [[module, file, name, name in the object file], ...]] by lists of object files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that started this one ends it.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Modules may print.
    for line in _lines():
        machine, kernels = json.loads(line)
        made = [compiled(_function(*where), symbol, Machine(*machine)) for *where, symbol in kernels]
        try:
            print(json.dumps([base64.b64encode(each).decode() for each in made]), file=answers, flush=True)
        except BrokenPipeError:
            os._exit(1)  # The other process is gone.


if __name__ == "__main__":
    main()
