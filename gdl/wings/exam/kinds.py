"""The kinds of questions: a table with a row for each, whose function makes of a game the parts that are asked.

A kind that is not here is asked by itself: the search of a tree (gdl/explain/key.py), the conditions on numbers left
open, and the equilibria of a table (gdl/wings/exam/question.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any

from gdl.commands.engines import falling_back, offer
from gdl.commands.solving import find, solve_with_trace
from gdl.errors import Refusal
from gdl.explain.names import Names, fold
from gdl.game import Chance, Decision, Game, Node, Number, Simultaneous, Terminal, Traits, exact, maximiser
from gdl.numbers import read_number, to_text
from gdl.solution import Path, Rule, Solution
from gdl.solvers import SOLVERS
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.equilibria.worked import work_out_equilibria
from gdl.solvers.open_numbers.lattice import read_assumption
from gdl.states.count import histories, states
from gdl.states.game_wrapper import Assigned, GameWrapper
from gdl.states.transformed import Transformed
from gdl.wings.exam.given_tables import bounds_task
from gdl.wings.exam.judged_parts import Judge, Part, Task, names_in_order, number, one_of, several, window, words_in
from gdl.wings.exam.phrases import in_all_languages
from gdl.wings.exam.purpose_search import search_by_purpose
from gdl.wings.exam.purposes import Purposes, read_purpose
from gdl.wings.exam.student_phrases import phrases_heard


@dataclass(frozen=True)
class Subject:
    """The subject of a question: a game, and the options of the search."""

    game: Game[Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    def search(self, solver: str = "auto", *names: str, **more: Any) -> Solution:
        """The answer of a solver to the game. Those of the subject's options that are in `names` are passed on, and
        `more`."""
        given = {name: self.options[name] for name in names if self.options.get(name) is not None}
        return solve_for_exam(self.game, solver, **given, **more)

    @property
    def names(self) -> Names:
        found = Names(self.game)
        if not found.complete:
            raise Refusal("the tree is too large for that question")
        return found


def solve_for_exam(game: Game[Any], solver: str, **options: Any) -> Solution:
    """Solve a game for an exam, with the steps of the search if the solver records them; `auto` prefers such a search,
    and `usual` is the quickest solver."""
    if isinstance(game, Purposes) and game.traits.unknowns:
        if solver != "unknowns":
            raise Refusal("beside a purpose such a question needs known numbers; give them, as in with x = 3")
        return search_by_purpose(game, options.get("cut"), options.get("assume"))
    if solver == "usual":
        offered = offer(game, "auto")
        return falling_back(lambda: find(offered, "auto", **options), offered)
    steps = solver == "auto" and not (SOLVERS["maxn"].lacks(game.traits) or game.traits.unknowns)
    if steps or (solver in SOLVERS and SOLVERS[solver].steps == "recorded"):
        return solve_with_trace(game, solver, **options)
    return find(game, solver, **options)


_MOST_ORDERS = 1_000  # orders (lines of best play) that count as right, at most
SEARCH = "cut", "order", "window", "depth"


# ---- Searches -------------------------------------------------------------------------------------------------------


def _windows(subject: Subject) -> Task:
    found, names = subject.search("auto", *SEARCH), subject.names
    if len(found.players) > 2 or found.rule is None or found.rule.cut is None:
        raise Refusal("only a search of two players that prunes has windows")
    parts = []
    for event in (event for event in found.events if event.event in ("enter", "leave")):
        label, name = "entry" if event.event == "enter" else "exit", names.name(event.node)
        parts.append(window(f"{name} {label}", (event.alpha, event.beta), label, {"node": name}))
    return Task(parts, rule=found.rule, solver=found.solver)


def _leaves(subject: Subject) -> Task:
    found, names = subject.search("auto", *SEARCH), subject.names
    seen = [event for event in found.events if event.event == "leaf" and not event.probe]
    values = [to_text(e.value) if isinstance(e.value, int | Fraction) else str(e.value) for e in seen]
    order = names_in_order("seen", values, "seen", [[names.branch(event.node) for event in seen]])
    return Task([number("count", len(seen), "count"), order], rule=found.rule, solver=found.solver)


ORDERS = "given", "reverse", "best", "worst"


def _orders(subject: Subject) -> Task:
    found = {order: subject.search("alpha-beta", "cut", order=order) for order in ORDERS}
    return Task([number(f"order {order}", found[order].leaves, f"order {order}") for order in ORDERS],
                rule=Rule(found["given"].rule.cut if found["given"].rule else "ge", ""))  # fmt: skip


def _place(subject: Subject) -> Task:
    names, first = subject.names, maximiser(subject.game.players)
    leaves = names.leaves(())

    def search(values: Sequence[Number]) -> Solution:
        by_state = {names.nodes.node_at(leaf).state: value for leaf, value in zip(leaves, values, strict=True)}
        game = Transformed(subject.game, lambda state, _: by_state[state])
        return Subject(game, subject.options).search("alpha-beta", "cut")

    def example(rising: bool) -> list[Number]:
        """Values for the leaves, 1, 2, …, by which every child is better for the mover than its elder siblings
        (`rising`), or worse."""
        order, stack = list[Path](), list[Path]([()])
        while stack:
            path = stack.pop()
            node, below = names.nodes.node_at(path).node, names.children(path)
            up = isinstance(node, Decision) and (node.player == first) == rising
            stack += below[::-1] if up else below
            order += [] if below else [path]
        return [order.index(leaf) + 1 for leaf in leaves]

    numbers, nodes = {path: at for at, path in enumerate(names.paths)}, list[dict[str, Any]]()
    for path in names.paths:
        node = names.nodes.node_at(path).node
        is_max = isinstance(node, Decision) and node.player == first
        nodes.append({"mover": is_max, "children": [numbers[child] for child in names.children(path)]})

    least, rule = search(example(rising=False)).leaves, search(example(rising=True)).rule

    def part(item: str, rising: bool, due: int | None) -> Part:
        def judge(text: str) -> Number | None:
            try:
                said = [read_number(word) for word in words_in(text)]
            except ValueError:
                return None
            return int(search(said).leaves == due) if len(said) == len(leaves) else None

        check = {"check": "place", "nodes": nodes, "leaves": [numbers[leaf] for leaf in leaves], "right": due}
        check["strict"] = rule is not None and rule.cut == "gt"
        return Part(item, " ".join(map(to_text, example(rising))), judge, item, check=check)

    return Task([part("nothing", True, len(leaves)), part("most", False, least)], rule=rule)


def _deepening(subject: Subject) -> Task:
    parts: list[Part] = []
    for depth in range(1, (subject.options.get("depth") or max(map(len, subject.names.paths))) + 1):
        found = subject.search("alpha-beta", "cut", "order", depth=depth)
        told = to_text(found.value[maximiser(found.players)]) if found.value else "?"
        fields = {"depth": str(depth)}
        rights = [[told, action] for action in found.best]
        part = names_in_order(f"depth {depth}", rights[0], "depth", rights[1:])
        head = re.compile(rf"^\s*{depth}\s*:")  # `1: 5 (a2)`
        parts.append(part._replace(fields=fields, judge=partial(_judge_without, head, part.judge)))
    return Task(parts)


def _choice(subject: Subject) -> Task:
    """A multiple choice: the value of the root among the results of typical mistakes (the wrong extreme, the best leaf,
    the first leaf, the mean)."""
    names, first = subject.names, maximiser(subject.game.players)
    right = _policies(subject, names)["minimax minimax"]
    leaves = [names.nodes.node_at(leaf).node.utilities[first] for leaf in names.leaves(())]  # type: ignore[union-attr]
    means = _values(names, first, {0: "mean", 1: "mean"})
    turned = _values(names, first, {first: "worst", 1 - first: "worst"})
    wrong = [turned[()], max(leaves), min(leaves), leaves[0], means[()], right + 1, right - 1]
    options = sorted([right, *list(dict.fromkeys(one for one in wrong if one != right))[:3]])
    letters = dict(zip("ABCDE", options, strict=False))
    letter = next(letter for letter, value in letters.items() if value == right)
    told = [f"({letter}) {to_text(value)}" for letter, value in letters.items()]
    part = one_of("choice", (letter, to_text(right)), "choice")
    return Task([part._replace(check={**part.check, "options": told})], {"options": "   ".join(told)})


def _line(subject: Subject) -> Task:
    """The value and the principal variation; if actions tie, any line of best actions is right."""
    names, values = subject.names, _best_values(subject)
    lines: list[Path] = [()]
    for path in lines:  # grows while it is walked
        node, below = names.nodes.node_at(path).node, names.children(path)
        if (below and not isinstance(node, Decision)) or len(lines) > _MOST_ORDERS:
            raise Refusal("where chance decides, or very much ties, there is no one line of best play")
        if isinstance(node, Decision):
            best = max(values[child][node.player] for child in below)
            lines += [child for child in below if values[child][node.player] == best]
    ends = [one for one in lines if not names.children(one)]
    told = [[names.nodes.node_at(one[: n + 1]).action for n in range(len(one))] for one in ends]
    nodes = [[names.name(one[:n]) for n in range(first, len(one) + 1)] for one in ends for first in (0, 1)]
    value = values[()][maximiser(subject.game.players)]
    nodes += [[*some[:-1], to_text(value)] for some in nodes]  # `A, B, 3`, which ends with the leaf's value
    return Task([number("value", value, "value"), names_in_order("line", told[0], "line", told[1:], nodes)])


def _value(subject: Subject) -> Task:
    found, first = subject.search("usual"), maximiser(subject.game.players)
    if found.value is None or not found.exact or subject.game.traits.constant_sum is None:
        raise Refusal("a game has one value where its utilities have a constant sum")
    return Task([number("value", exact(Fraction(found.value[first])), "value")], {"player": found.players[first]})


def _best_values(subject: Subject) -> Mapping[Path, tuple[Number, ...]]:
    """The payoffs of all players at each node, by path, if everyone plays well."""
    traits = subject.game.traits
    two = len(subject.game.players) < 3 and traits.constant_sum is not None
    return subject.search("expectiminimax" if two else "maxn", values=True).values or {}


def _ucb(subject: Subject) -> Task:
    """The upper confidence bounds of the actions at the root after some simulations of Monte Carlo tree search."""
    node = subject.game.node(subject.game.initial())
    if not isinstance(node, Decision):
        raise Refusal("somebody has to choose at the root")
    count, c = subject.options.get("simulations") or 5 * len(node.actions), subject.options.get("c")
    found = subject.search("mcts", "seed", "c", simulations=count).simulations
    got = [[one.utilities[node.player] for one in found if one.path[:1] == (k,)] for k in range(len(node.actions))]
    if not all(got):
        raise Refusal("not every action is tried in so few simulations; write a larger --simulations")
    totals = ((exact(Fraction(sum(own))), len(own)) for own in got)
    return bounds_task(dict(zip(node.actions, totals, strict=True)), c)


def _counts(subject: Subject) -> Task:
    """The nodes that a search to the end visits without a table of positions, and with one."""
    tree, positions = histories(subject.game).histories, states(subject.game).states
    return Task([number("without table", tree, "without table"), number("with table", positions, "with table")])


# ---- Players who do not play by minimax -----------------------------------------------------------------------------


def _values(names: Names, first: int, ways: Mapping[int, Any]) -> dict[Path, Any]:
    """The value of each node for the player `first`. `ways` says how each player (by number) chooses: `best` for
    themselves, `worst` for themselves, at random (`mean`), or by a plan that maps each node to a child."""
    found: dict[Path, Any] = {}
    for path in sorted(names.paths, key=len, reverse=True):
        node, below = names.nodes.node_at(path).node, [found[child] for child in names.children(path)]
        if isinstance(node, Terminal):
            found[path] = node.utilities[first]
        elif isinstance(node, Chance):
            found[path] = exact(sum((w * x for (_, w), x in zip(node.outcomes, below, strict=True)), Fraction(0)))
        elif isinstance(node, Decision):
            way = ways[node.player]
            if way == "mean":
                found[path] = exact(Fraction(sum(below)) / len(below))
            elif isinstance(way, Mapping):
                found[path] = found[way[path]]
            else:
                found[path] = (max if (node.player == first) == (way == "best") else min)(below)
        else:
            raise Refusal("who moves at once does not take turns")
    return found


def _plan(names: Names, values: Mapping[Path, Any], player: int, is_first: bool) -> dict[Path, Path]:
    """The child that a player takes at each of their nodes. `values` are those for one player: this one (`is_first`),
    who takes the first child of the greatest value, or the opponent, then the first of the least."""
    nodes = ((path, names.nodes.node_at(path).node) for path in names.paths)
    own = [path for path, node in nodes if isinstance(node, Decision) and node.player == player]
    return {path: (max if is_first else min)(names.children(path), key=values.__getitem__) for path in own}


def _policies(subject: Subject, names: Names) -> dict[str, Number]:
    """The values for MAX (or the first player, if nobody is called so) when playing by minimax or by expectimax, each
    against an opponent who plays by minimax or at random; keys such as `expectimax random`."""
    if len(subject.game.players) != 2 or subject.game.traits.constant_sum is None or subject.game.traits.unknowns:
        raise Refusal("two players are needed, of whom one gains what the other loses")
    first = maximiser(subject.game.players)
    other = 1 - first
    best = _values(names, first, {first: "best", other: "best"})
    mean = _values(names, first, {first: "best", other: "mean"})
    mine = {name: _plan(names, values, first, True) for name, values in {"minimax": best, "expectimax": mean}.items()}
    its = {"minimax": _plan(names, best, other, False), "random": "mean"}
    ways = {f"{one} {two}": {first: mine[one], other: its[two]} for one in mine for two in its}
    return {name: _values(names, first, way)[()] for name, way in ways.items()}


def _opponents(subject: Subject) -> Task:
    found = _policies(subject, subject.names)
    player = subject.game.players[maximiser(subject.game.players)]
    return Task([number(name, value, name) for name, value in found.items()], {"player": player})


def _transform_task(subject: Subject) -> Task:
    formula = subject.options.get("transform") or "42*u + 1000"
    change = read_purpose(formula)
    new = solve_for_exam(Transformed(subject.game, lambda _, utility: change(utility)), "auto")
    old, first = subject.search(), maximiser(subject.game.players)
    value = None if new.value is None else exact(Fraction(new.value[first]))
    among = getattr(subject.game.node(subject.game.initial()), "actions", ())
    best, before = one_of("best", new.best, "action", among=among), one_of("before", old.best, "before", among=among)
    parts = [number("value", value, "value"), best, before]
    return Task(parts, {"formula": formula.replace("*", "·")})


# ---- Numbers left open ----------------------------------------------------------------------------------------------


def _search_open(subject: Subject) -> Solution:
    if not subject.game.traits.unknowns:
        raise Refusal("a number is to be left open for such a question, as in: b1: ?x")
    return subject.search("unknowns", "cut", "assume")


def _statements(subject: Subject) -> Task:
    found, names = _search_open(subject), subject.names
    told = {one.subject: one.status for one in found.conditions if one.what == "pruned"}
    parts = [one_of(names.branch(path), (status,), "at", {"node": names.branch(path)}) for path, status in told.items()]  # type: ignore[arg-type]
    if not parts:
        raise Refusal("no branch of this tree can be pruned")
    return Task(parts, rule=found.rule)


def _largest_task(subject: Subject) -> Task:
    found = _search_open(subject)
    if len(found.unknowns) != 1:
        raise Refusal("one number is to be left open")
    free = [one for stretches in found.unknowns.values() for one in stretches if one.pruned == ()]
    highs = [None if one.high is None else ceil(one.high) - 1 if not one.closed[1] else floor(one.high) for one in free]
    lows = [None if one.low is None else floor(one.low) + 1 if not one.closed[0] else ceil(one.low) for one in free]
    whole = [pair for pair in zip(lows, highs, strict=True) if None in pair or pair[0] <= pair[1]]  # type: ignore[operator]
    parts = []
    for item, ends, pick in (("greatest", [high for _, high in whole], max), ("least", [low for low, _ in whole], min)):
        end = None if None in ends or not ends else pick(end for end in ends if end is not None)
        parts.append(number(item, end, item, nothing=phrases_heard()["no end"] if None in ends else ()))
    return Task(parts, rule=found.rule)


class _Filled(Assigned):
    """A game in which the numbers left open have values, by name."""

    @property
    def traits(self) -> Traits:
        return replace(self.game.traits, unknowns=False)


def _interval(subject: Subject) -> Task:
    """The least and the greatest value of the root where each number left open lies between bounds (the value rises
    with all of them, or falls with all if they are costs), and what is pruned whatever they are."""
    if isinstance(subject.game, Purposes):
        raise Refusal("beside a purpose the value need not rise with the numbers left open")
    found, first = _search_open(subject), maximiser(subject.game.players)
    if any(not isinstance(number, int | Fraction) for path in subject.names.paths
           for _, number in getattr(subject.names.nodes.node_at(path).node, "outcomes", ())):  # fmt: skip
        raise Refusal("only numbers at the leaves are left open in such a question")
    assumed = [c for text in subject.options.get("assume") or () for c in read_assumption(text, list(found.unknowns))]
    lows = {c.high: c.low for c in assumed if isinstance(c.low, int | Fraction) and isinstance(c.high, str)}
    highs = {c.low: c.high for c in assumed if isinstance(c.high, int | Fraction) and isinstance(c.low, str)}
    if not set(found.unknowns) <= lows.keys() & highs.keys():
        name = next(iter(found.unknowns))
        raise Refusal(f'the bounds of each number left open are needed, as in assume = "2 <= {name} <= 5"')
    solved = (solve_for_exam(_Filled(subject.game, values.__getitem__), "auto").value or () for values in (lows, highs))
    ends = sorted(exact(Fraction(value[first])) for value in solved)
    parts = [number(name, end, name) for name, end in zip(("least", "greatest"), ends, strict=True)]
    certain = (one.subject for one in found.conditions if (one.what, one.status) == ("pruned", "always"))
    sure = [subject.names.branch(path) for path in certain]  # type: ignore[arg-type]
    return Task([*parts, several("cut", sure, "cut")], rule=found.rule)


# ---- Tables, information sets, positions ----------------------------------------------------------------------------


class _Restricted(GameWrapper):
    """A table without the actions `gone` (player, action)."""

    def __init__(self, game: Game[Any], gone: set[tuple[int, str]]):
        super().__init__(game)
        self.gone = gone

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if not isinstance(node, Simultaneous):
            return node
        kept = (tuple(a for a in some if (p, a) not in self.gone) for p, some in enumerate(node.actions))
        return Simultaneous(tuple(kept))


def _dominance(subject: Subject) -> Task:
    node = subject.game.node(subject.game.initial())
    if not isinstance(node, Simultaneous):
        raise Refusal("a table is needed, in which all players choose at once")

    def list_dominated(gone: set[tuple[int, str]]) -> list[tuple[int, str]]:
        """The actions (player, action) that are strictly dominated in the table without the actions `gone`."""
        worked = work_out_equilibria(_Restricted(subject.game, gone))
        found = worked.rounds[0] if worked.rounds else ()
        return [(one.player, worked.plans[one.player][one.plan]) for one in found]

    orders: list[tuple[tuple[int, str], ...]] = [()]
    while any(longer := [[*one, step] for one in orders for step in list_dominated(set(one))]):
        orders = [tuple(one) for one in longer]
        if len(orders) > _MOST_ORDERS:
            raise Refusal(f"the dominated actions can go in more than {_MOST_ORDERS:,} orders")
    players = subject.game.players
    actions = {fold(action) for some in node.actions for action in some}
    words = [word for player in players for word in player.split() if fold(word) not in actions]
    names = [[action for _, action in one] or ["none"] for one in orders]
    names += [[word for p, action in one for word in (*players[p].split(), action)] for one in orders if one]
    left = [(p, a) for p, some in enumerate(node.actions) for a in some if (p, a) not in orders[0]]
    removed = names_in_order("removed", names[0], "removed", names[1:])
    kept = several("left", [a for _, a in left], "left", words, [] if orders[0] else phrases_heard()["all"])
    if len({a for some in node.actions for a in some}) < sum(map(len, node.actions)):  # one name for two actions
        told = [", ".join(f"{players[p]} {action}" for p, action in some) or "none" for some in (orders[0], left)]
        removed, kept = removed._replace(right=told[0]), kept._replace(right=told[1])
    heads = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, players))})(?:\s*:|['’]s\b)", re.IGNORECASE)  # `A: a b`
    return Task([part._replace(judge=partial(_judge_without, heads, part.judge)) for part in (removed, kept)])


def _judge_without(heads: re.Pattern[str], judge: Judge, text: str) -> Number | None:
    return 1 if judge(text) == 1 else judge(heads.sub(" ", text))


def _subgames(subject: Subject) -> Task:
    """The number of subgames and, with perfect information, the best action at each node. A node begins a subgame
    unless it is in an information set with other nodes, or such a set lies partly below it."""
    names = subject.names
    game = names.nodes.game
    sets: dict[Any, list[Path]] = {}
    for path in names.paths:
        state, node, _ = names.nodes.node_at(path)
        if isinstance(node, Decision):
            sets.setdefault((node.player, game.information_set(state, node.player)), []).append(path)
    inner = [path for path in names.paths if not isinstance(names.nodes.node_at(path).node, Terminal)]
    torn = [some for some in sets.values() if len(some) > 1]
    roots = [p for p in inner if all(len({q[: len(p)] == p for q in some}) == 1 and p not in some for some in torn)]
    parts = [number("subgames", len(roots), "subgames")]
    if not torn:
        values = _best_values(subject)
        for path in sorted(inner, key=len, reverse=True):
            if isinstance(node := names.nodes.node_at(path).node, Decision):
                below = ((names.nodes.node_at(child).action, child) for child in names.children(path))
                worth = {action: values[child][node.player] for action, child in below}
                best = [action for action, amount in worth.items() if amount == max(worth.values())]
                fields = {"node": names.name(path), "mover": game.players[node.player]}
                parts.append(one_of(names.name(path), best, "at", fields, among=list(worth)))
    return Task(parts)


def _averaging(subject: Subject) -> Task:
    if len(subject.game.players) != 1:
        raise Refusal("one player is needed, who does not see everything")
    belief, plan = subject.search("belief"), subject.search("plan")
    if belief.value is None or plan.value is None or belief.regret is None:
        raise Refusal("one player is needed, who does not see everything")
    gets, *others = (number("gets", x, "gets") for x in _amounts_got(subject.game, belief, Fraction(plan.value[0])))

    def judge(text: str) -> Number | None:  # what another choice gets that averaging finds as good is looked at
        return gets.judge(text) or (None if any(other.judge(text) for other in others) else gets.judge(text))

    parts = [one_of("chosen", belief.best, "chosen"), number("promised", belief.value[0], "promised"),  # type: ignore[arg-type]
             gets._replace(judge=judge),
             one_of("truly", plan.best, "truly"), number("secured", plan.value[0], "secured")]  # type: ignore[arg-type]  # fmt: skip
    return Task(parts)


def _amounts_got(game: Game[Any], belief: Solution, most: Fraction) -> list[Number]:
    """The amounts that averaging really gets if it begins with each of the actions that it finds best, where the best
    plan gets the `most`."""
    (player,), sets = game.players, (belief.strategy or {})[game.players[0]]
    first = next(name for name, mix in sets.items() if mix.get(belief.best[0]))
    plans = ({player: {**sets, first: {action: 1}}} for action in belief.best)
    return [exact(most - Fraction(regret(game, one).regret[0])) for one in plans]


def _winner(subject: Subject) -> Task:
    found = subject.search("usual")
    if found.value is None or len(found.players) != 2 or not found.exact:
        raise Refusal("no winner was found")
    more = [p for p, own in zip(found.players, found.value, strict=True) if own > sum(found.value) / 2]
    node = subject.game.node(subject.game.initial())
    mover = found.players[node.player] if isinstance(node, Decision) else ""
    moves = node.actions if isinstance(node, Decision) else ()
    called = _names_of_turns(found.players, mover, moves)
    told = {player: [*some, *(f"{name} wins" for name in some)] for player, some in called.items()}
    among = [*in_all_languages("draw"), *(name for some in told.values() for name in some)]
    alike = [name for player in more for name in told[player]]
    read = partial(re.sub, r"(?i)\bI think\b", "")  # for I is a player, too
    parts = [one_of("winner", more or ["draw"], "winner", alike=alike, read=read, among=among)]
    if more and mover not in more:  # every first move loses
        return Task(parts)
    move = one_of("first", found.best, "first", read=partial(_move_meant, moves=moves), among=(*moves, "none"))
    return Task([*parts, move])


def _names_of_turns(players: Sequence[str], mover: str, moves: Sequence[str]) -> dict[str, list[str]]:
    """The names by which each of two players may go: their own, and phrases such as `P2` for whose turn is the second,
    but those that name a move or the other player, and none if the second begins."""
    own = {player: {*_PIECES.findall(fold(player))} for player in players}
    found = {player: [player] for player in players}
    for player, other, turn in zip(players, players[::-1], ("first player", "second player"), strict=True):
        for phrase in (turn, *phrases_heard()[turn]) if mover in ("", players[0]) else ():
            is_other = not (own[other] - own[player]).isdisjoint(_PIECES.findall(fold(phrase)))
            found[player] += [phrase] if not is_other and words_in(phrase) not in map(words_in, moves) else []
    return found


_PIECES = re.compile(r"\d+|[^\W\d_]+")


def _move_meant(text: str, moves: Sequence[str]) -> str:
    """The move in `take 1 from heap 2`: the verb with the place, then the number; `none` for a move that there is not,
    and any other text unchanged."""
    found = _FROM.search(text)
    known = {word for move in moves for word in words_in(move)}
    verbs = {word.partition("(")[0] for word in known if "(" in word}
    if found and len(verbs) == 1:
        place = found["place"] or str(_ORDINALS.index((found["ordinal"] or "").casefold()) + 1)
        many = found["many"].casefold()
        text = f"{min(verbs)}({place},{_CARDINALS.index(many) + 1 if many in _CARDINALS else many})"
    named = {word for word in words_in(text) if "(" in word and word.partition("(")[0] in verbs}
    return "none" if named and named.isdisjoint(known) else text


_ORDINALS, _CARDINALS = "first second third fourth fifth".split(), "one two three four five".split()
_FROM = re.compile(
    rf"(?P<many>\d+|(?:{'|'.join(_CARDINALS)})\b)(?: \w+)? (?:from|off|of|von|vom) (?:the )?"
    rf"(?:(?P<ordinal>{'|'.join(_ORDINALS)}) \w+|[^\W\d]+ (?P<place>\d+))",
    re.IGNORECASE,
)


# What makes each kind of question of a game, or raises Refusal; the table in the manual says what is asked.
KINDS: Mapping[str, Callable[[Subject], Task]] = {
    "windows": _windows, "leaves": _leaves, "orders": _orders, "place": _place, "deepening": _deepening,
    "line": _line, "ucb": _ucb, "choice": _choice, "opponents": _opponents, "transform": _transform_task,
    "statements": _statements, "interval": _interval, "largest": _largest_task, "dominance": _dominance,
    "subgames": _subgames, "averaging": _averaging, "winner": _winner, "counts": _counts, "value": _value,
}  # fmt: skip
