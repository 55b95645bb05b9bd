"""The ordered table of the solvers: a row is imported when it is asked for, so a command waits for no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from gdl import wings
from gdl.solvers.solver import Solver

_NAMES = {  # module -> its solvers, whose rows have their names in capitals there
    "minimax.backward_induction": "minimax expectiminimax maxn",
    "minimax.alpha_beta": "alpha-beta",
    "minimax.cut_off": "depth-limited",
    "minimax.proof_number": "proof-number",
    "minimax.star": "star1 star2",
    "minimax.shallow": "shallow",
    "minimax.paranoid": "paranoid",
    "cyclic.cyclic": "retrograde",
    "cyclic.policy_iteration": "policy-iteration",
    "mcts.mcts": "mcts",
    "equilibria.nash": "nash",
    "equilibria.lemke_howson": "lemke-howson",
    "equilibria.path_following": "global-newton logit",
    "equilibria.dominance": "dominance",
    "equilibria.subgame_perfect": "subgame-perfect",
    "equilibria.sequence_form": "sequence-form",
    "equilibria.cfr": "cfr",
    "imperfect_information.plan": "plan",
    "imperfect_information.forgetful": "forgetful",
    "imperfect_information.pure_plans": "pure-plans",
    "imperfect_information.belief": "belief",
    "open_numbers.unknowns": "unknowns",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


class _Table(Mapping[str, Solver]):
    """The solvers by name, in the order in which they are offered, those of wings among them. Solvers of
    installed packages, and a user's functions by `python:FILE.py:NAME`, are found by name as well; they are not listed,
    so nothing picks them."""

    def __getitem__(self, name: str) -> Solver:
        if name not in _MODULES:
            return _further_solver(name)
        row: Solver = getattr(import_module(f"gdl.solvers.{_MODULES[name]}"), name.upper().replace("-", "_"))
        return row

    def __iter__(self) -> Iterator[str]:
        rows = {name: row for wing in wings.wings("solvers") for name, row in wing.solvers.items()}
        for name in _MODULES:
            yield name
            yield from (other for other, row in rows.items() if row.behind == name)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _further_solver(name: str) -> Solver:
    if not isinstance(name, str) or name == "auto":  # which is no search, and what is asked for most
        raise KeyError(name)
    row = None if ":" in name else wings.find_row("solvers", name)
    if row is not None:
        found: Solver = wings.load(row.record)
        return found
    from gdl.solvers.own_search import named_solver

    return named_solver(name)


SOLVERS: Mapping[str, Solver] = _Table()
