"""Ways in which the compiled engine fails, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gdl.commands import cli
from gdl.compiler import emit, python, wasm
from gdl.compiler.searches import slices

WARNING = "warning: the compiled engine fails on "
ASKED_FOR = "Please report this with the game and the command.\n"

Break = Callable[[pytest.MonkeyPatch], None]


def run(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(cli.commands, words, input=input)


def fails(error: BaseException) -> Callable[..., Any]:
    def failing(*given: Any, **options: Any) -> Any:
        raise error

    return failing


def translation(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(emit, "emit", fails(ValueError("narrowing is written i32(e)")))


def lowering(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(slices, "lower", fails(KeyError("n")))


def instantiation(patch: pytest.MonkeyPatch) -> None:
    import wasmtime

    patch.setattr(wasmtime, "Instance", fails(wasmtime.WasmtimeError("the module cannot be instantiated")))


def loading(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(wasm, "_Runtime", fails(OSError("no such library")))


def every_loading(patch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Whatever the back-end is, its code cannot be loaded, by this error."""
    for backend in (python, wasm):
        patch.setattr(backend, "load", fails(error))


def running(patch: pytest.MonkeyPatch) -> None:
    import wasmtime

    patch.setattr(wasmtime.Func, "__call__", fails(wasmtime.WasmtimeError("out of bounds memory access")))
