"""The ordered table of the solvers: a row is imported when it is asked for, so a command waits for no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from gdl import wings
from gdl.solvers.solver import Solver

_ROWS = {
    "minimax": ("minimax.backward_induction", "MINIMAX"),
    "expectiminimax": ("minimax.backward_induction", "EXPECTIMINIMAX"),
    "maxn": ("minimax.backward_induction", "MAXN"),
    "alpha-beta": ("minimax.alpha_beta", "ALPHA_BETA"),
    "depth-limited": ("minimax.cut_off", "DEPTH_LIMITED"),
    "proof-number": ("minimax.proof_number", "PROOF_NUMBER"),
    "star1": ("minimax.star", "STAR1"),
    "star2": ("minimax.star", "STAR2"),
    "shallow": ("minimax.shallow", "SHALLOW"),
    "paranoid": ("minimax.paranoid", "PARANOID"),
    "retrograde": ("cyclic.cyclic", "RETROGRADE"),
    "policy-iteration": ("cyclic.policy_iteration", "POLICY_ITERATION"),
    "mcts": ("mcts.mcts", "MCTS"),
    "nash": ("equilibria.nash", "NASH"),
    "lemke-howson": ("equilibria.lemke_howson", "LEMKE_HOWSON"),
    "global-newton": ("equilibria.path_following", "GLOBAL_NEWTON"),
    "logit": ("equilibria.path_following", "LOGIT"),
    "dominance": ("equilibria.dominance", "DOMINANCE"),
    "subgame-perfect": ("equilibria.subgame_perfect", "SUBGAME_PERFECT"),
    "sequence-form": ("equilibria.sequence_form", "SEQUENCE_FORM"),
    "cfr": ("equilibria.cfr", "CFR"),
    "plan": ("imperfect_information.plan", "PLAN"),
    "forgetful": ("imperfect_information.forgetful", "FORGETFUL"),
    "pure-plans": ("imperfect_information.pure_plans", "PURE_PLANS"),
    "belief": ("imperfect_information.belief", "BELIEF"),
    "unknowns": ("open_numbers.unknowns", "UNKNOWNS"),
}


class _Table(Mapping[str, Solver]):
    """The solvers by name, in the order in which they are offered, those of wings among them. Solvers of
    installed packages, and a user's functions by `python:FILE.py:NAME`, are found by name as well; they are not listed,
    so nothing picks them."""

    def __getitem__(self, name: str) -> Solver:
        if name not in _ROWS:
            return _further_solver(name)
        module, attribute = _ROWS[name]
        row: Solver = getattr(import_module(f"gdl.solvers.{module}"), attribute)
        return row

    def __iter__(self) -> Iterator[str]:
        rows = {name: row for wing in wings.wings("solvers") for name, row in wing.solvers.items()}
        for name in _ROWS:
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
