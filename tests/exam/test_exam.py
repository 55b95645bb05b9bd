"""Published problems from courses, text books and autograders, with the answers their sources print.

`exam/NAME.game` is a problem in our language; `exam/answers.json` holds what is known of it beside the `expect` lines
of the file: numbers and names only. Names begin with the kind of problem: ab (alpha-beta), mm (minimax), em
(expectiminimax), mn (maxn), bl (beliefs and forgetting), eq (equilibria). The keys of an answer:

- value, best, line, depth (plies searched); values (of nodes, by path "0.1"), choices (best action, by the node's name).
- tree: how many nodes or leaves a search without pruning looks at, or their names.
- runs: what alpha-beta does under the rules "ge" and "gt", recomputed by a separate program: leaves and nodes visited,
  roots of the pruned subtrees, and the window at every cut, also where nothing was left to skip.
- published: what the source prints of its alpha-beta, and the rule by which it holds.
- pure, mixed, corners: equilibria, pure ones complete; number: of all equilibria (of behaviour: 0 if there are none);
  none: profiles that are no equilibrium; error, misprinted: what a source gets wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from click.testing import CliRunner
from compiled_soon import recorded_up_to
from exam_answers import ANSWERS, FOLDER, game_of, number, of_kind, path, vector

import gdl
from gdl.commands import cli
from gdl.errors import GameError, Refusal
from gdl.game import Number, Terminal
from gdl.inspection import expectations
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.solution import Path, Profile, Solution
from gdl.solvers import solve
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.positions import explore as positions_of
from gdl.solvers.equilibria.regret import expectation, regret
from gdl.solvers.horizon import Horizon
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax
from gdl.solvers.minimax.cut_off import depth_limited
from gdl.states.explore import explore


def having(*keys: str) -> list[str]:
    """The problems whose answers have these keys."""
    return [name for name, answer in ANSWERS.items() if all(key in answer for key in keys)]


def test_every_problem_has_its_answers() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.game")) == sorted(ANSWERS)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answers_that_the_file_itself_expects(name: str) -> None:
    loaded = gdl.loads(*gdl.read(FOLDER / f"{name}.game"))
    assert [(o.text, o.found) for o in expectations.run(loaded.description, gdl.play, solve) if not o.holds] == []


def test_the_files_expect_what_the_table_says() -> None:
    """Every value and first choice of the table stands in its file as well, but for searches cut off at a depth."""
    for name in having("value", "best"):
        if ANSWERS[name].get("depth") != 2:
            text = (FOLDER / f"{name}.game").read_text()
            assert "expect value = " in text and "expect best = " in text, name


# ---- Alpha-beta ---------------------------------------------------------------------------------------------------


def searched(name: str, cut: str) -> Solution:
    return alpha_beta(game_of(name), cut=cut, depth=ANSWERS[name].get("depth"))


def windows(solution: Solution) -> list[tuple[Number | None, ...]]:
    """The window at every cut, in the order of the cuts."""
    found = {visit.path: (visit.alpha_after, visit.beta_after) for visit in solution.visits}
    return [found[cut.node] for cut in solution.cuts]


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("name", having("runs"))
def test_alpha_beta_under_both_rules(name: str, cut: str) -> None:
    answer = ANSWERS[name]
    run = answer["runs"].get(cut) or answer["runs"]["both"]
    solution = searched(name, cut)
    assert solution.value == vector(answer["value"], solution.players)
    assert solution.best[0] == answer["best"]
    assert (solution.leaves, solution.nodes) == (run["leaves"], run["nodes"])
    assert [skipped.path for skipped in solution.pruned] == list(map(path, run["pruned"]))
    assert windows(solution) == [(number(alpha), number(beta)) for alpha, beta in run["windows"]]
    assert solution.exact == (name != "ab-cs188proj-2-3a-vary-depth")


def labels(solution: Solution) -> list[str | None]:
    """The names of the visited nodes, in the order of the visits."""
    return [visit.label for visit in solution.visits]


def pruned_leaves(game: TreeGame, solution: Solution) -> Iterator[tuple[Path, Terminal]]:
    stack = [(skipped.path, game.model.nodes[state_at(game, skipped.path)]) for skipped in reversed(solution.pruned)]
    while stack:
        here, node = stack.pop()
        if node.kind == "terminal":
            yield here, Terminal(node.utilities)
        children = [((*here, k), game.model.nodes[child]) for k, child in enumerate(node.children)]
        stack.extend(reversed(children))


def state_at(game: TreeGame, where: Path) -> int:
    state = game.initial()
    for position in where:
        state = game.model.nodes[state].children[position]
    return state


def what_is_left(game: TreeGame, solution: Solution, where: Path = ()) -> Any:
    """The visited tree as nested lists of MAX's utilities."""
    node = game.model.nodes[state_at(game, where)]
    if node.kind == "terminal":
        return node.utilities[0]
    visited = {visit.path for visit in solution.visits}
    below = [(*where, position) for position in range(len(node.children))]
    return [what_is_left(game, solution, child) for child in below if child in visited]


@pytest.mark.parametrize("name", having("published"))
def test_published_facts_of_alpha_beta(name: str) -> None:
    published = dict(ANSWERS[name]["published"])
    rule = published.pop("rule")
    game = game_of(name)
    for cut in ("ge", "gt") if rule == "both" else (rule,):
        solution = searched(name, cut)
        values = {visit.path: visit for visit in solution.visits}
        found = {
            "nodes": solution.nodes,
            "leaves": solution.leaves,
            "windows": [list(window) for window in windows(solution)],
            "pruned": [".".join(map(str, skipped.path)) for skipped in solution.pruned],
            "pruned_leaves": [".".join(map(str, where)) for where, _ in pruned_leaves(game, solution)],
            "unknown": [str(end.utilities[0]).lstrip("?") for _, end in pruned_leaves(game, solution)],
            "left": what_is_left(game, solution),
            "labels": sorted(str(label) for label in labels(solution)),
            "order": labels(solution),
            "bounds": {
                ".".join(map(str, where)): v.value
                for where, v in values.items()
                if v.bound != "exact" and len(where) == 1
            },
        }
        for fact, printed in published.items():
            assert found[fact] == printed, fact


@pytest.mark.parametrize("name", [n for n in having("published") if ANSWERS[n]["published"]["rule"] != "both"])
def test_a_source_that_fits_one_rule_does_not_fit_the_other(name: str) -> None:
    other = {"ge": "gt", "gt": "ge"}[ANSWERS[name]["published"]["rule"]]
    published, solution = ANSWERS[name]["published"], searched(name, other)
    assert (published.get("labels"), published.get("leaves")) != (sorted(map(str, labels(solution))), solution.leaves)


@pytest.mark.parametrize("name", [n for n in having("published") if "unknown" in ANSWERS[n]["published"]])
def test_minimax_asks_for_the_leaves_that_alpha_beta_does_not_need(name: str) -> None:
    with pytest.raises(GameError, match=r"unknown utility \?x"):
        minimax(game_of(name))


# ---- Values, best actions and lines without pruning ---------------------------------------------------------------

SOLVERS = {"alphabeta": "minimax", "minimax": "minimax", "expectiminimax": "expectiminimax", "maxn": "maxn"}
WHOLE = [
    name
    for name in of_kind(*SOLVERS)
    if "unknown" not in ANSWERS[name].get("published", {}) and ANSWERS[name].get("depth") != 2
]


@pytest.mark.parametrize("name", WHOLE)
def test_values_by_backward_induction(name: str) -> None:
    answer, game = ANSWERS[name], game_of(name)
    solution = solve(game, SOLVERS[answer["kind"]], values=True)
    if "value" in answer:
        assert solution.value == vector(answer["value"], game.players)
    if "best" in answer:
        assert solution.best[0] == answer["best"]
    if "line" in answer:
        assert list(solution.line) == answer["line"]
    for where, value in answer.get("values", {}).items():
        assert solution.values[path(where)] == vector(value, game.players), where
    assert solution.exact


@pytest.mark.parametrize("name", having("choices"))
def test_best_actions_at_named_nodes(name: str) -> None:
    game = game_of(name)
    values = solve(game, SOLVERS[ANSWERS[name]["kind"]], values=True).values
    found = {}
    for where in values:
        node = game.model.nodes[state_at(game, where)]
        if node.label:
            worth = [values[(*where, position)][node.player] for position in range(len(node.actions))]
            found[node.label] = node.actions[worth.index(max(worth))]
    assert {label: found[label] for label in ANSWERS[name]["choices"]} == ANSWERS[name]["choices"]


@pytest.mark.parametrize("name", having("tree"))
def test_size_of_the_whole_tree(name: str) -> None:
    answer, game = ANSWERS[name]["tree"], game_of(name)
    depth = ANSWERS[name].get("depth", 100)
    solution = depth_limited(game, depth=depth)
    horizon = Horizon(game, depth)
    found = {
        "nodes": solution.nodes,
        "leaves": solution.leaves,
        "labels": sorted(str(horizon.label(state)) for state in explore(horizon).states),
    }
    assert {fact: found[fact] for fact in answer} == answer
    if "labels" in answer:
        assert solution.nodes == len(answer["labels"])


@pytest.mark.parametrize("name", having("depth", "best"))
def test_best_action_of_a_search_cut_off_at_a_depth(name: str) -> None:
    answer, game = ANSWERS[name], game_of(name)
    solution = depth_limited(game, depth=answer["depth"])
    assert solution.best[0] == answer["best"]
    if "value" in answer:
        assert solution.value == vector(answer["value"], game.players)


# ---- Equilibria ---------------------------------------------------------------------------------------------------


def plan(game: Any, choices: Any) -> Profile:
    """A pure profile: one action per player in a matrix, else one at each information set."""
    if isinstance(choices, list):
        return {p: {"start": {a: 1}} for p, a in zip(game.players, choices, strict=True)}
    return {p: {name: {action: 1} for name, action in sets.items()} for p, sets in choices.items()}


def mixture(game: Any, given: Any) -> Profile:
    """A mixed profile: rows and columns of a matrix, else probabilities at each information set."""
    if isinstance(given, dict):
        return {p: {h: {a: number(x) for a, x in m.items()} for h, m in sets.items()} for p, sets in given.items()}
    assert isinstance(game, MatrixGame)
    return {
        player: {"start": {action: number(x) for action, x in zip(actions, row, strict=True)}}
        for player, actions, row in zip(game.players, game.model.actions, given, strict=True)
    }


def only_played(profile: Profile) -> Profile:
    """Without the actions that are never taken, so that profiles compare."""
    return {
        p: {h: {a: x for a, x in mix.items() if x} for h, mix in sorted(sets.items())} for p, sets in profile.items()
    }


def is_pure(profile: Profile) -> bool:
    return all(len(mix) == 1 for sets in only_played(profile).values() for mix in sets.values())


def in_order(profiles: Sequence[Profile]) -> list[str]:
    return sorted(json.dumps(only_played(profile), default=str) for profile in profiles)


EQUILIBRIA = [name for name in of_kind("equilibrium") if "perfect_recall" not in ANSWERS[name]]


@pytest.mark.parametrize("name", EQUILIBRIA)
def test_every_equilibrium_found_is_one(name: str) -> None:
    game = game_of(name)
    solution = solve(game, "nash")
    assert solution.equilibria
    for profile in solution.equilibria:
        assert not any(regret(game, profile).regret)


@pytest.mark.parametrize("name", having("pure"))
def test_pure_equilibria_are_all_found_and_no_others(name: str) -> None:
    game = game_of(name)
    found = [profile for profile in solve(game, "nash").equilibria if is_pure(profile)]
    assert in_order(found) == in_order([plan(game, choices) for choices in ANSWERS[name]["pure"]])


@pytest.mark.parametrize("name", [n for n in EQUILIBRIA if "number" in ANSWERS[n]])
def test_number_of_equilibria(name: str) -> None:
    solution = solve(game_of(name), "nash")
    assert (len(solution.equilibria), solution.complete) == (ANSWERS[name]["number"], True)


@pytest.mark.parametrize("name", having("mixed"))
def test_published_mixed_equilibria(name: str) -> None:
    """Each is an equilibrium; unless it lies inside a continuum, it is one of those listed."""
    game = game_of(name)
    solution = solve(game, "nash")
    for given in ANSWERS[name]["mixed"]:
        profile = mixture(game, given)
        assert not any(regret(game, profile).regret)
        if solution.complete:
            assert only_played(profile) in [only_played(found) for found in solution.equilibria]


@pytest.mark.parametrize("name", having("corners"))
def test_a_continuum_is_given_by_its_corners(name: str) -> None:
    game, corners = game_of(name), ANSWERS[name]["corners"]
    solution = solve(game, "nash")
    found = in_order(solution.equilibria)
    assert solution.complete is False
    assert all(corner in found for corner in in_order([mixture(game, corner) for corner in corners]))
    share = Fraction(1, len(corners))
    middle = [[sum(share * number(c[side][k]) for c in corners) for k in range(3)] for side in (0, 1)]
    assert not any(regret(game, mixture(game, middle)).regret)


@pytest.mark.parametrize("name", having("none"))
def test_what_is_rejected_is_no_equilibrium(name: str) -> None:
    game = game_of(name)
    for given in ANSWERS[name]["none"]:
        assert any(regret(game, mixture(game, given)).regret)


@pytest.mark.parametrize("name", having("dominant"))
def test_dominant_action_and_best_replies(name: str) -> None:
    game, answer = game_of(name), ANSWERS[name]
    solution = solve(game, "dominance")
    assert f"{answer['dominant']} is strictly dominant for 1 and for 2." in solution.notes
    assert in_order(solution.equilibria) == in_order([plan(game, [answer["dominant"]] * 2)])
    for column, reply in answer["replies"].items():
        gains = {row: regret(game, plan(game, [row, column])).regret[0] for row in game.model.actions[0]}
        assert [row for row, gain in gains.items() if not gain] == [reply]


@pytest.mark.parametrize("name", having("same_choice"))
def test_probability_that_both_choose_the_same(name: str) -> None:
    game = game_of(name)
    (profile,) = [profile for profile in solve(game, "nash").equilibria if not is_pure(profile)]
    first, second = (profile[player]["start"] for player in game.players)
    assert sum(first[action] * second[action] for action in first) == number(ANSWERS[name]["same_choice"])


@pytest.mark.parametrize("name", having("misprinted"))
def test_a_misprinted_equilibrium_is_none(name: str) -> None:
    """Printed: 3/4 for the football where the exercise's own numbers, and ours, have 1/4."""
    game = game_of(name)
    printed = mixture(game, ANSWERS[name]["misprinted"])
    assert any(regret(game, printed).regret)
    assert in_order([printed])[0] not in in_order(solve(game, "nash").equilibria)


def test_an_equilibrium_that_was_overlooked() -> None:
    """One sheet of the exercise says that game 2 has no equilibrium; another gives the one in mixed strategies."""
    assert "no equilibrium" in ANSWERS["eq-um-freetime2-game2"]["error"]
    assert len(solve(game_of("eq-um-freetime2-game2"), "nash").equilibria) == 1


def test_the_sequence_form_agrees_with_the_published_equilibrium() -> None:
    name = "eq-stoc94-sequence-form"
    game = game_of(name)
    published = regret(game, mixture(game, ANSWERS[name]["mixed"][0]))
    solution = solve(game, "sequence-form")
    assert solution.value == published.value
    assert solution.regret == published.regret == (0, 0)


# ---- Players who forget -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", having("perfect_recall"))
def test_players_who_forget_are_seen_and_refused(name: str) -> None:
    game = game_of(name)
    assert game.traits.perfect_recall is ANSWERS[name]["perfect_recall"] is False
    for solver in ("nash", "dominance", "sequence-form"):
        with pytest.raises(Refusal, match="forget"):
            solve(game, solver)


def worth(game: Any, profile: Profile) -> tuple[Number, ...]:
    positions = positions_of(game)
    return expectation(positions, read_profile(positions, profile))


def test_the_absent_minded_driver_does_best_by_a_mixture() -> None:
    answer = ANSWERS["bl-gilboa-absent-minded"]["optimum"]
    game = game_of("bl-gilboa-absent-minded")
    best = worth(game, mixture(game, answer["profile"]))
    assert best == (number(answer["value"]),)
    twelfths = [{"1": {"1": {"B": Fraction(k, 12), "E": Fraction(12 - k, 12)}}} for k in range(13) if k != 8]
    assert all(worth(game, profile) < best for profile in twelfths)


def test_wichardts_game_has_no_equilibrium_in_behaviour_strategies() -> None:
    """The first player's payoff is linear in each of their two choices: where no two best pairs of actions share one,
    only pure pairs are best, and against none of these the second player's mixture is. Every utility is linear in that
    mixture, and the first player's best pairs change at one half only: one mixture of each part and the ends stand for
    all."""
    game = game_of("eq-wichardt2008")
    for share in (0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1):
        guess = {"B": share, "T": 1 - share}
        pays = {pair: worth(game, against(*pair, guess)) for pair in product("RL", "rl")}
        best = [pair for pair, (first, _) in pays.items() if first == max(pays.values())[0]]
        assert not any(a[0] == b[0] or a[1] == b[1] for a, b in combinations(best, 2))
        for pair in best:
            assert pays[pair][1] < max(worth(game, against(*pair, {reply: 1}))[1] for reply in "BT")


def against(first: str, second: str, guess: dict[str, Number]) -> Profile:
    return {"1": {"1": {first: 1}, "1b": {second: 1}}, "2": {"2": guess}}


UNNAMED = "players MAX, MIN\ntree\n MAX A\n  MIN B\n   MAX D (5, 3)\n   MAX E (6, 9)\n  MIN C\n   MAX F (2, 4)\n   MAX G (7, 0)\n"


def test_nodes_with_names_are_called_by_them_where_actions_are_but_numbers() -> None:
    """The story called G `node 2.2`."""
    assert "so G is never looked at" in gdl.solve(gdl.loads(UNNAMED), "alpha-beta").explain()


def test_a_search_of_more_nodes_than_are_kept_is_told_without_its_steps() -> None:
    with recorded_up_to(3):
        result = CliRunner().invoke(cli.commands, ["step", "figure_5_2"], input="q\n")
    assert result.exit_code == 0 and "more than 3 nodes were visited" in result.output and "MAX 3" in result.output
