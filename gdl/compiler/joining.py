"""Kernels from their files: the kernel Python that a search joins with a game's module.

A kernel is a file of `gdl/compiler/kernels`, or of a wing's folder `kernels`, written in kernel Python. What it imports
says what it is joined with:

    from gdl.compiler.kernels.words import *     the words of kernel Python, a stub: nothing is joined
    from gdl.compiler.kernels.game import *      what every game's module gives, and these words: the same
    from gdl.compiler.kernels.frames import *    another kernel file, which is joined before this one

A constant of a kernel, `DEPTH = const(1)`, may be set by the search that joins it; the comment `# set: …` marks those.
Branches that constants of the kernel decide are folded away, so that a variant costs nothing, and need not find names
that only another variant uses.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from gdl.compiler.ir.module import Module
from gdl.errors.installed import package_folder

FOLDER = package_folder() / "compiler" / "kernels"
_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


class KernelPart(NamedTuple):
    """A piece of kernel Python: the file that tracebacks and messages name, and its syntax tree."""

    file: str
    tree: ast.Module


Code = str | Sequence[str | KernelPart | Module]  # the code of a module: the game's own as text or nodes, and kernels
Pieces = tuple[KernelPart | Module, ...]  # the code that is joined with a game


class KernelError(ValueError):
    """An error in kernel Python that a back-end cannot take, with its place: a bug of the compiler."""


WRONG = (ValueError, KeyError, AssertionError, TypeError)  # the exceptions of a back-end for code that it cannot take


def locate_error(wrong: Exception, file: str, line: int, function: str = "") -> KernelError:
    """A KernelError with the place of an error in a kernel file, unless it has one already."""
    if isinstance(wrong, KernelError):
        return wrong
    within = f" in {function}" if function else ""
    return KernelError(f"{Path(file).name}:{line}{within}: {wrong}")


@dataclass(frozen=True)
class Kernel:
    """Kernel files with their constants set, in the order in which they are joined."""

    parts: tuple[KernelPart, ...]
    calls: frozenset[str]  # the functions that the code calls, of the game's module and its own

    def text(self) -> str:
        """The code as it is joined, for people."""
        return "\n\n\n".join(f"# {Path(part.file).name}\n\n{ast.unparse(part.tree)}" for part in self.parts)


def kernel(*names: str, **settings: int) -> Kernel:
    """The kernel files of these names and those that they import, with constants set to these values.

    Raises ValueError where no file has such a constant, or where two files give it.
    """
    files = _closure(names)
    given = {name: int(value) for name, value in settings.items()}
    declared = {target: value for name in files for target, value in _declared_constants(name)}
    if strange := given.keys() - declared.keys():
        raise ValueError(f"no constant of {', '.join(names)} is called {', '.join(sorted(strange))}")
    known = {name: value for name, value in (declared | given).items() if isinstance(value, int)}
    made = [_fold_file(name, tuple((word, known[word]) for word in _words(name) if word in known)) for name in files]
    return Kernel(tuple(part for part, _ in made), frozenset().union(*(calls for _, calls in made)))


@lru_cache(maxsize=256)
def _fold_file(name: str, known: tuple[tuple[str, int], ...]) -> tuple[KernelPart, frozenset[str]]:
    """One kernel file with the values of the constants that it mentions, and the functions that it calls. The tree is
    shared by many kernels, and must not be changed."""
    tree, constants = _tree(name), dict(known)
    _set(tree, constants)
    part = KernelPart(str(kernel_file(name)), _Fold(constants).module(tree))
    calls = (node.func for node in ast.walk(part.tree) if isinstance(node, ast.Call))
    return part, frozenset(called.id for called in calls if isinstance(called, ast.Name))


def kernels() -> list[str]:
    """The names of all kernel files."""
    return sorted(({file.stem for file in FOLDER.glob("*.py")} | _files_of_wings().keys()) - {"__init__"})


@cache
def functions(name: str, **settings: int) -> Mapping[str, ast.FunctionDef]:
    """The functions of a kernel file, by name, as trees in which the constants that are set are replaced by their
    values."""
    tree = _tree(name)
    _set(tree, settings)
    known = {target: value for target, value in _constants(tree) if value is not None}
    made = _Put(settings).visit(_Fold(known).module(tree))
    return {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}


def called_functions(function: ast.FunctionDef) -> list[str]:
    """The names of the functions that a function calls, in the order of the first calls."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = [name for name in calls if isinstance(name, ast.Name)]
    return list(dict.fromkeys(name.id for name in sorted(names, key=lambda name: (name.lineno, name.col_offset))))


def kernel_constants(*files: str) -> Any:
    """The constants of kernel files whose values are plain numbers, as the files give them, as attributes of one
    object."""
    return SimpleNamespace(**{name: value for file in files for name, value in constants(file).items()})


@cache
def constants(name: str) -> Mapping[str, int]:
    """The constants of one kernel file whose values are plain numbers, as the file gives them."""
    return {target: value for target, value in _declared_constants(name) if isinstance(value, int)}


@cache
def _declared_constants(name: str) -> tuple[tuple[str, int | None], ...]:
    """The constants that a kernel file declares, with their values; None for a value that is no plain number."""
    return tuple(_constants(_head(name)))


@cache
def _words(name: str) -> tuple[str, ...]:
    """All words in a kernel file, among them all names that it mentions."""
    return tuple(dict.fromkeys(re.findall(r"\w+", _text(name))))


def _closure(names: Sequence[str]) -> list[str]:
    """The kernel files of these names and all that they import, each after those that it imports."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name in found:
            return
        for other in _joins(name):
            add(other)
        found[name] = None

    for name in names:
        add(name)
    return list(found)


@cache
def _files_of_wings() -> Mapping[str, Path]:
    """The kernel files of wings, by their names, which no two kernels share."""
    return {file.stem: file for file in sorted(FOLDER.parents[1].glob("wings/*/kernels/*.py"))}


@cache
def kernel_file(name: str) -> Path:
    """The file of a kernel, or of a stub that is not there."""
    file = FOLDER / f"{name}.py"
    return file if file.exists() else _files_of_wings().get(name, file)


@cache
def _text(name: str) -> str:
    return kernel_file(name).read_text(encoding="utf-8")


@cache
def _head(name: str) -> ast.Module:
    """The syntax tree of a file up to its first function: its imports and declarations."""
    return ast.parse(_text(name).split("\ndef ", 1)[0])


def _tree(name: str) -> ast.Module:
    """A syntax tree of the file that may be changed, without docstring and imports; lines have the file's numbers."""
    tree = ast.parse(_text(name), str(kernel_file(name)))
    tree.body = _code(tree)
    return tree


def _code(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a file without its docstring and imports."""
    return [
        node
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


@cache
def _joins(name: str) -> tuple[str, ...]:
    """The kernel files that a file imports, in the order of its imports. Imports of stubs are left out."""
    nodes = [node for node in _head(name).body if isinstance(node, ast.ImportFrom)]
    modules = [str(node.module).rpartition(".")[2] for node in nodes]
    return tuple(module for module in modules if kernel_file(module).exists())


def _constants(tree: ast.Module) -> Iterator[tuple[str, int | None]]:
    """The constants that a file declares, with their values; None for a value that is no plain number."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="const"), args=[value])):
                try:
                    found = ast.literal_eval(value)
                except ValueError:
                    found = None
                yield name, found if isinstance(found, int) else None


def _set(tree: ast.Module, settings: Mapping[str, int]) -> None:
    """Replace the values of constants that are set in the tree of a file."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="const")) as call):
                if name in settings:
                    call.args = [ast.copy_location(ast.Constant(settings[name]), call)]


class _Put(ast.NodeTransformer):
    """Replaces names by their values."""

    def __init__(self, values: Mapping[str, int]):
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        known = self.values.get(node.id)
        return node if known is None or isinstance(node.ctx, ast.Store) else ast.Constant(int(known))


class _Fold(ast.NodeTransformer):
    """Removes branches that constants decide, and statements after a `return` that is always reached."""

    def __init__(self, constants: Mapping[str, int]):
        self.constants = constants

    def module(self, tree: ast.Module) -> ast.Module:
        """Fold a whole file."""
        tree.body = self._block(tree.body)
        return tree

    def value(self, node: ast.expr) -> int | None:
        """The value of a test, if constants decide it; else None."""
        match node:
            case ast.Constant(value=int(value)):
                return int(value)
            case ast.Name(id=name):
                return self.constants.get(name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                known = self.value(operand)
                return None if known is None else int(not known)
            case ast.BoolOp(op=op, values=values):
                return self._fold_logic(isinstance(op, ast.And), [self.value(v) for v in values])
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                a, b = self.value(left), self.value(right)
                return None if a is None or b is None else int(_COMPARED[type(op)](a, b))
        return None

    @staticmethod
    def _fold_logic(all: bool, values: Sequence[int | None]) -> int | None:
        """The value of `and` (`all`) or `or` of these values, if it is decided before the first unknown one (None);
        else None."""
        for value in values:
            if value is None:
                return None
            if bool(value) != all:
                return int(not all)
        return int(all)

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        known = self.value(node.test)
        if known is not None:
            return self._block(node.body if known else node.orelse)
        node.test = self.visit(node.test)
        node.body = self._block(node.body) or [ast.copy_location(ast.Pass(), node)]
        node.orelse = self._block(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        known = self.value(node.test)
        if known is not None:
            found: ast.expr = self.visit(node.body if known else node.orelse)
            return found
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Leave out conditions that constants settle; a condition that decides the whole replaces it."""
        known = self.value(node)
        if known is not None:
            return ast.copy_location(ast.Constant(known), node)
        all, left = isinstance(node.op, ast.And), list[ast.expr]()
        for value in node.values:
            settled = self.value(value)
            if settled is None:
                left.append(self.visit(value))
            elif bool(settled) != all:  # the conditions behind it are never evaluated
                left.append(ast.copy_location(ast.Constant(settled), value))
                break
        if len(left) == 1:
            return left[0]
        node.values = left
        return node

    def _visit_body(self, node: Any) -> ast.stmt:
        for name in {"test", "iter"}.intersection(node._fields):
            setattr(node, name, self.visit(getattr(node, name)))
        node.body = self._block(node.body) or [ast.copy_location(ast.Pass(), node)]
        return node  # type: ignore[no-any-return]

    visit_While = visit_For = visit_FunctionDef = _visit_body

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in body:
            made: ast.stmt | list[ast.stmt] = self.visit(statement)
            found += made if isinstance(made, list) else [made]
            if found and isinstance(found[-1], ast.Return | ast.Break | ast.Continue):
                break
        return found
