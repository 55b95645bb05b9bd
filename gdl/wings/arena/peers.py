"""The suite `peers` of `gdl bench`: work of gdl beside that of other programs, which are imported only when needed.

A row is `WORK GAME OURS THEIRS AMOUNT`. Both sides first find what shows that they play the same game; then they do the
work in turn, in one process, and the least processor time of each counts. Random play (`steps`) and trees have one loop
for all programs, so what their calls take is what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from math import inf, isclose
from random import Random
from time import process_time
from typing import Any, NamedTuple

import gdl
from gdl.commands import engines
from gdl.errors import Refusal
from gdl.wings.arena.answers import BenchRow

ROUNDS = 5  # of which the best counts, as code is compiled in the first
ENOUGH = 5.0  # seconds after which no round begins, but for two
AT_ONCE = 1024  # plays of a batch
CLOSE = 1e-3  # of two regrets, as ours is that of strategies rounded to fractions
PACKAGES = ("open_spiel", "chess", "pettingzoo", "pgx")
PEERS = [
    "steps connect_four packed open_spiel 100000", "steps connect_four environment open_spiel 100000",
    "steps connect_four adapter pettingzoo 5000", "steps breakthrough packed open_spiel 50000",
    "steps othello packed open_spiel 50000", "steps chess packed open_spiel 20000",
    "steps chess environment chess 5000", "batch connect_four environments pgx 1024000",
    "batch othello environments pgx 204800", "tree connect_four packed open_spiel 6",
    "tree breakthrough packed open_spiel 4", "tree othello packed open_spiel 7", "tree chess packed open_spiel 4",
    "perft chess compiled chess 4", "cfr kuhn compiled open_spiel 5000", "cfr leduc compiled open_spiel 100",
    "cfr kuhn adapter open_spiel 200", "cfr leduc adapter open_spiel 10",
]  # fmt: skip
UNITS = {"steps": "plies", "batch": "plies", "cfr": "iterations"}  # of the amount of a row's work
FACTS = {"tree": "nodes", "perft": "count", "cfr": "regret"}  # shows the same game; else two plies, counted

Work = Callable[[int], Any]  # an amount of it, at the end of which it tells what shows the same game


class Player(NamedTuple):
    """How a program is played: its start; what is legal, nothing at the end; the state after an action, which may be
    the old one, changed; and, for trees, another state after an action."""

    start: Callable[[], Any]
    legal: Callable[[Any], Any]
    take: Callable[[Any, Any], Any]
    child: Callable[[Any, Any], Any] = lambda state, action: state


def measure_pair(row: str) -> BenchRow:
    """Measure a row in this process. `same` is False if the programs differ, else None."""
    work, game, ours, peer, number = row.split()
    amount, note, works = int(number), None, list[Work]()
    try:
        works += [WORKS[work, ours](game)]
        works += [WORKS[work, peer](game)]
        peer = f"{peer} {version(peer)}"
    except (ModuleNotFoundError, Refusal) as absent:
        note = str(absent)
        if not works:  # ours is an interface for the other
            return BenchRow("peers", row, {}, 0.0, peer=peer, note=note)
    times, found, began = [inf, inf], [0.0, 0.0], process_time()
    for lap in range(ROUNDS):
        if lap < 2 or process_time() - began < ENOUGH:
            for index, run in enumerate(works):
                begun = process_time()
                found[index] = run(amount)
                times[index] = min(times[index], process_time() - begun)
    facts = {FACTS.get(work, "ways"): round(found[0], 9)} | ({UNITS[work]: amount} if work in UNITS else {})
    ratio = times[-1] / times[0] if works[1:] else None
    same = isclose(*found, rel_tol=CLOSE, abs_tol=CLOSE / 1000) if work == "cfr" else found[0] == found[1]
    if ratio is None or same:
        return BenchRow("peers", row, facts, times[0], None, None, peer, ratio, note)
    return BenchRow("peers", row, facts, times[0], False, None, peer, ratio, f"{peer} finds {found[1]}")


def _steps(player: Callable[[str], Player], name: str) -> Work:
    """Random play."""
    start, legal, take, _ = ours = player(name)
    ways = _second_plies(ours)

    def run(amount: int) -> int:
        draw, state = Random(1).random, start()
        for _ in range(amount):
            actions = legal(state)
            state = take(state, actions[int(draw() * len(actions))]) if actions else start()
        return ways

    return run


def _second_plies(player: Player) -> int:
    """The number of ways to begin with two actions."""
    start, legal, take, _ = player
    return sum(len(legal(take(start(), first))) for first in tuple(legal(start())))


def _tree(player: Callable[[str], Player], name: str) -> Work:
    """A tree walked to a depth, each of its nodes asked for what is legal."""
    start, legal, _, child = player(name)

    def walk(state: Any, depth: int) -> int:
        actions = legal(state)
        return 1 + sum([walk(child(state, action), depth - 1) for action in actions]) if depth else 1

    return lambda depth: walk(start(), depth)


def _packed_player(name: str) -> Player:
    game = gdl.load(name, packed=True)
    node = game.node
    return Player(game.initial, lambda state: getattr(node(state), "actions", ()), game.successor, game.successor)


def _environment_player(name: str) -> Player:
    env = gdl.environment(name)
    return Player(env.reset, lambda _: env.legal, lambda _, action: env.step(action))


def _board_player(module: str, *name: str) -> Player:
    """A game of PettingZoo."""
    env = import_module(module).env(*name)

    def legal(_: Any) -> list[int]:
        seen, _, over, *_ = env.last()
        found: list[int] = [] if over else seen["action_mask"].nonzero()[0].tolist()
        return found

    return Player(partial(env.reset, seed=1), legal, lambda _, action: env.step(action))


def _change_state(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A function that gives the old state, changed by an action."""
    return lambda state, action: change(state, action) or state


def _openspiel_player(name: str) -> Player:
    pyspiel: Any = import_module("pyspiel")
    state = pyspiel.State
    new = pyspiel.load_game(name).new_initial_state
    return Player(new, state.legal_actions, _change_state(state.apply_action), state.child)


def _chess_player(_: str) -> Player:
    board = import_module("chess").Board
    return Player(board, lambda at: [] if at.is_game_over() else list(at.legal_moves), _change_state(board.push))


def _many_plays(name: str) -> Work:
    """Many plays at once, with what is seen and what is legal, as pgx has them."""
    plays, numpy = gdl.load(name).environments(AT_ONCE), import_module("numpy")
    rows, draw, ways = numpy.arange(AT_ONCE), numpy.random.default_rng(1).random, _second_plies(_packed_player(name))

    def run(amount: int) -> int:
        for _ in range(amount // AT_ONCE):
            plays.step(plays.legal[rows, (draw(AT_ONCE) * plays.count).astype(int)])
            _seen = plays.observations(plays.player), plays.mask
        return ways

    return run


def _pgx_plays(name: str) -> Work:
    env, jax = import_module("pgx").make(name), import_module("jax")
    key, again = jax.random.PRNGKey(1), import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)
    begin = jax.jit(jax.vmap(env.init))

    def step_plays(state: Any, key: Any) -> Any:
        drawn = jax.random.categorical(key, jax.numpy.log(state.legal_action_mask.astype(float)), axis=-1)
        return jax.vmap(again)(state, drawn, jax.random.split(key, AT_ONCE))

    def legal(state: Any) -> Any:
        return [] if state.terminated else state.legal_action_mask.nonzero()[0].tolist()

    ways = _second_plies(Player(partial(jax.jit(env.init), key), legal, jax.jit(env.step)))
    step = jax.jit(step_plays)

    def run(amount: int) -> int:
        state = begin(jax.random.split(key, AT_ONCE))
        for part in range(amount // AT_ONCE):
            state = step(state, jax.random.PRNGKey(part))
        jax.block_until_ready(state)
        return ways

    return run


def _perft(name: str) -> Work:
    return partial(engines.perft, gdl.load(name), engine="wasm", progress=None)


def _their_perft(_: str) -> Work:
    board = import_module("chess").Board()

    def count(depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(depth - 1)
            board.pop()
        return total

    return count


def _cfr(name: str) -> Work:
    """Iterations of CFR+, with the listing of the game and the judging of the strategies."""
    game = gdl.load(name)
    return lambda amount: float(sum(gdl.solve(game, "cfr", iterations=amount).regret or ()))


def _their_cfr(module: str, named: str, name: str) -> Work:
    """Iterations by OpenSpiel, in a game of its own or in one that the module registers."""
    pyspiel: Any = import_module("pyspiel")
    import_module(module)
    game = pyspiel.load_game(named.format(name))

    def run(amount: int) -> float:
        solver = pyspiel.CFRPlusSolver(game)
        for _ in range(amount):
            solver.evaluate_and_update_policy()
        return float(pyspiel.nash_conv(game, solver.tabular_average_policy()))

    return run


PLAYERS: dict[str, Callable[[str], Player]] = {
    "packed": _packed_player, "environment": _environment_player,
    "adapter": partial(_board_player, "gdl.adapters.pettingzoo"),
    "pettingzoo": lambda name: _board_player(f"pettingzoo.classic.{name}_v3"),
    "open_spiel": _openspiel_player, "chess": _chess_player,
}  # fmt: skip
WORKS: dict[tuple[str, str], Callable[[str], Work]] = {
    **{("steps", name): partial(_steps, player) for name, player in PLAYERS.items()},
    **{("tree", name): partial(_tree, PLAYERS[name]) for name in ("packed", "open_spiel")},
    ("batch", "environments"): _many_plays, ("batch", "pgx"): _pgx_plays,
    ("perft", "compiled"): _perft, ("perft", "chess"): _their_perft,
    ("cfr", "compiled"): _cfr, ("cfr", "open_spiel"): partial(_their_cfr, "pyspiel", "{}_poker"),
    ("cfr", "adapter"): partial(_their_cfr, "gdl.adapters.openspiel", "gdl(game={})"),
}  # fmt: skip
