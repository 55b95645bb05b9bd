"""Does `gdl verify` catch solvers that are broken? Each row breaks a copy of them in one place.

    PYTHONPATH=tests/support:tests/wings/verify python tests/bench/verifier.py [SOLVER …] [--write]

The copy solves a game and checks its own answer; what it accepts is printed, and there should be nothing. A row is
wrong, loudly, where the text that it looks for is not there (any more), stands there more than once, or where the answer
is the same as that of the sound copy. Each row runs in a child of this process. (This needs a system that can fork.)
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results" / "verifier.md"
SECONDS = "20"  # that a search or a check may take
TRIED = ("refused", "left open", "ACCEPTED")


class Breakage(NamedTuple):
    """A text in a file of the solvers (in a wing, it is found by the file's name alone), what is put in its place, and
    the answer that shows it: a solver (or a concept) asked of a game, with further words of the command line."""

    file: str
    text: str
    put: str
    game: str
    solver: str
    words: str = ""


B = Breakage
INDUCTION, SEARCH, UCT = "minimax/backward_induction.py", "minimax/windows.py", "mcts/uct_answer.py"
NASH, JUDGED, FOUND = "equilibria/nash.py", "equilibria/regret.py", "../wings/theory/beliefs/assessments.py"
BREAKAGES = (
    # a best action less or more, a value beside the true one, a line that stops, a count that is off
    B(INDUCTION, "best=best_actions(game, game.initial(), found.of)", "best=best_actions(game, game.initial(), found.of)[:1]", "race", "minimax"),
    B(INDUCTION, "value=found.of[game.initial()]", "value=tuple(-v for v in found.of[game.initial()])", "coin_flip", "expectiminimax"),
    B(INDUCTION, "line=principal_variation(game, choose)", "line=principal_variation(game, choose)[:-1]", "three_players", "maxn"),
    B(INDUCTION, "line=principal_variation(game, choose),\n        nodes=found.nodes", "line=principal_variation(game, choose),\n        nodes=found.nodes + 1", "figure_5_2", "minimax"),
    B(INDUCTION, "value=found.of[start]", "value=tuple(2 * v for v in found.of[start])", "race", "minimax", "--depth 3"),
    B(INDUCTION, "return replace(answer, equilibria=() if profile is None else (profile,))", "return replace(answer, equilibria=() if profile is None else (profile, profile))", "entry", "maxn"),
    B(SEARCH, "return self.v > self.beta if strictly else self.v >= self.beta", "return self.v > self.beta", "race", "alpha-beta", "--trace"),
    B(SEARCH, "return self.v < self.alpha if strictly else self.v <= self.alpha", "return self.v <= self.alpha + 3", "figure_5_2", "alpha-beta"),
    B(SEARCH, "line=search.result.line,", "line=search.result.line[:1],", "figure_5_2", "alpha-beta"),
    B(SEARCH, "leaves=search.leaves,\n        notes", "leaves=search.leaves + 1,\n        notes", "figure_5_2", "alpha-beta"),
    B("minimax/shallow.py", "return self.own_value > most if strictly else self.own_value >= most", "return self.own_value > most", "shares", "shallow", "--trace"),
    B("minimax/star.py", "looks.append(StarStep(position, isinstance(node, Decision)))", "looks.append(StarStep(position, False))", "draws", "star2", "--trace"),
    B("minimax/alpha_beta.py", "best=(*answer.best, *tied)", "best=answer.best", "race", "alpha-beta"),
    B("minimax/cut_off.py", "value=found.of[start]", "value=tuple(v + 1 for v in found.of[start])", "three_players", "depth-limited"),
    B("minimax/proof_number.py", "best=best,\n        line", "best=best[:1],\n        line", "race", "proof-number"),
    B("minimax/proof_number.py", "value=constant_sum_vector(game, search.max_player, value, search.watch.total),\n        best=best,", "value=constant_sum_vector(game, search.max_player, -value, search.watch.total),\n        best=best,", "race", "proof-number"),
    B(SEARCH, "leaves=search.leaves,\n        notes", "leaves=search.leaves - 1,\n        notes", "coin_flip", "star1"),
    B("minimax/star.py", "    answer = with_ties(answer, search.game, found)\n", "", "race", "star2"),
    B("minimax/shallow.py", "equilibria=() if profile is None else (profile,))", "equilibria=() if profile is None else (profile, profile))", "three_players", "shallow"),
    B(SEARCH, "line=search.result.line,", "line=search.result.line[:1],", "three_players", "shallow"),
    B("minimax/paranoid.py", "value=tuple(value[0] for value in values if value is not None)", "value=tuple(value[0] + 1 for value in values if value is not None)", "entry", "paranoid"),
    B("../wings/theory/nimbers/grundy.py", "told.copy_with(grundy=nimbers[0], nimbers=after)", "told.copy_with(grundy=nimbers[0] + 1, nimbers=after)", "take", "grundy"),
    B("../wings/theory/nimbers/grundy.py", "classes = dict(sorted(Counter(outcomes).items()))", "classes = dict(sorted(Counter(outcomes[1:]).items()))", "take", "grundy"),
    B("cyclic/cyclic.py", "best=table.best(),", "best=table.best()[:1],", "race", "retrograde"),
    B("cyclic/cyclic.py", "value=constant_sum_vector(table.game, maximiser, value, table.space.constant_sum)", "value=constant_sum_vector(table.game, maximiser, -value - 1, table.space.constant_sum)", "round", "retrograde"),
    B("cyclic/policy_iteration.py", "best=process.best(),", "best=process.best()[:1],", "patience", "policy-iteration"),
    B("cyclic/policy_iteration.py", "process.value(process.values)),", "process.value(process.values) + 1),", "patience", "policy-iteration"),
    B("cyclic/policy_iteration.py", "regret=(0,) * len(answer.players)", "regret=(1,) * len(answer.players)", "patience", "policy-iteration"),
    # strategies where positions come again
    B("../wings/theory/stochastic/shapley.py", "value=(low, exact(total - low)), interval=None, regret=(0, 0)", "value=(low, exact(total - low)), interval=None, regret=(1, 0)", "ruin", "shapley"),
    B("../wings/theory/stochastic/shapley.py", "interval = tightest_bounds(((low, high), rest_bounds((low, high), total)), promised_bounds(stages.game))", "interval = ((found.about, found.about), (-found.about, -found.about))", "stochastic", "shapley"),
    B("../wings/theory/stochastic/stationary.py", "payoffs=tuple(payoffs[k] for k in order)", "payoffs=tuple(payoffs[k] for k in order) * 2", "stationary", "stationary"),
    B("../wings/theory/stochastic/stationary.py", "equilibria=tuple(stages.profile(_plans(stages, found.pure[k])) for k in order)", "equilibria=tuple(stages.profile(_plans(stages, found.pure[k])) for k in order) * 2", "ruin", "markov-perfect"),
    B("../wings/theory/stochastic/stationary.py", "regret=(0,) * len(answer.players) if found.pure", "regret=(100,) * len(answer.players) if found.pure", "stationary", "stationary", "--concept subgame-perfect"),
    # simulations: an action that is none, a line that nobody can play
    B(UCT, "best=tuple(_equally_good(start, root, line)) if certain else line[:1]", "best=(*line[:1], 'pass')", "entry", "mcts"),
    B(UCT, "line=line,\n        nodes", "line=(*line, 'pass'),\n        nodes", "coin_flip", "mcts"),
    # equilibria: one more or fewer, rounded, a regret of 0 that is claimed
    B(JUDGED, "for behaviour in behaviours),\n        payoffs", "for behaviour in behaviours[:1]),\n        payoffs", "battle_of_the_sexes", "nash"),
    B(JUDGED, "payoffs=tuple(judgement.value for judgement in judgements)", "payoffs=tuple(judgement.value for judgement in judgements[:1])", "hawks", "nash"),
    B(NASH, "complete=found.complete,", "complete=not found.complete,", "hawks", "nash"),
    B(NASH, "found.behaviours, judgements, found.one_value)", "found.behaviours[1:], judgements[1:], found.one_value)", "battle_of_the_sexes", "nash", "--concept nash"),
    B("equilibria/lemke_howson.py", "form.positions, found, judgements, constant)", "form.positions, found * 2, judgements * 2, constant)", "hawks", "lemke-howson"),
    B("equilibria/dominance.py", "behaviour = form.pure(cell)", "behaviour = form.pure(tuple(0 for _ in cell))", "prisoners", "dominance"),
    B("equilibria/dominance.py", 'complete=True if kind == "strict" else None', 'complete=False if kind == "strict" else None', "prisoners", "dominance"),
    B("equilibria/subgame_perfect.py", "best=_root_actions(positions, found.worlds)", "best=_root_actions(positions, found.worlds)[:1]", "race", "subgame-perfect"),
    B("equilibria/subgame_perfect.py", "nodes=len(positions.nodes),", "nodes=len(positions.nodes) + 1,", "entry", "subgame-perfect", "--concept subgame-perfect"),
    B(FOUND, "for beliefs in held),", "for beliefs in held[1:]),", "seltens_horse", "sequential"),
    B(FOUND, "judgements = [judge(positions, behaviour) for behaviour in rows]", "rows = [tuple(row and tuple(reversed(row)) for row in behaviour) for behaviour in rows]\n    judgements = [judge(positions, behaviour) for behaviour in rows]", "beer_quiche", "perfect-bayesian"),
    B("../wings/theory/beliefs/assessments.py", "failing = list(_failing_worlds(told, found.worlds))", "failing = list(_failing_worlds(told, found.worlds))[:0]", "beer_quiche", "intuitive"),
    B("../wings/theory/beliefs/signals.py", "def unintuitive(", "def unintuitive(*_):\n    return iter(())\n\n\ndef _unused(", "beer_quiche", "intuitive"),
    B("equilibria/sequence_form.py", "value=judgement.value,\n        best", "value=tuple(v + 1 for v in judgement.value),\n        best", "poker", "sequence-form"),
    B("equilibria/sequence_form.py", "best=first_action(positions, behaviour) if proved else (),\n        strategy=write_profile(positions, behaviour),", "best=first_action(positions, behaviour) if proved else (),\n        strategy=write_profile(positions, tuple(row and tuple(reversed(row)) for row in behaviour)),", "poker", "sequence-form", "--concept nash"),
    B("equilibria/cfr.py", "regret=found.regret,", "regret=tuple(0 for _ in found.regret),", "seltens_horse", "cfr", "--iterations 50"),
    B("equilibria/cfr.py", "interval=None if proved or total is None else _interval(found, total)", "interval=None if proved or total is None else tuple((v, v) for v in found.value)", "poker", "cfr", "--iterations 50"),
    B("equilibria/cfr.py", "regret=found.regret,", "regret=tuple(r / 2 for r in found.regret),", "poker", "mccfr", "--iterations 50"),
    # other concepts
    B("../wings/theory/correlated/correlated.py", "for cell, chance in drawn.items())),", "for cell, chance in list(drawn.items())[:1])),", "hawks", "correlated"),
    B("../wings/theory/correlated/correlated.py", "value=pays if drawn else None", "value=tuple(p + 1 for p in pays) if drawn else None", "hawks", "coarse-correlated"),
    B("../wings/theory/correlated/correlated.py", "return welfare(form, cell) if favoured", "return -welfare(form, cell) if favoured", "hawks", "correlated"),
    B("../wings/theory/commitment/commitment.py", "in zip(columns, replies.items(), strict=True):", "in list(zip(columns, replies.items(), strict=True))[:1]:", "battle_of_the_sexes", "commitment", "--as She"),
    B("../wings/theory/commitment/commitment.py", "value=judgement.value,", "value=tuple(v + 1 for v in judgement.value),", "hawks", "commitment"),
    B("../wings/theory/quantal/quantal.py", "behaviour = behaviour_of(curve, point)", "behaviour = uniform_behaviour(positions)", "hawks", "quantal"),
    B("../wings/theory/quantal/quantal.py", "QuantalResponse(residual=residual)", "QuantalResponse(residual=(residual or 0) + 1)", "prisoners", "quantal"),
    B("../wings/theory/refinements/refinements.py", "dict.fromkeys(form.behaviour(pair) for pair in found)", "dict.fromkeys(form.behaviour(tuple(tuple(reversed(mix)) for mix in pair)) for pair in found)", "prisoners", "perfect"),
    B("../wings/theory/refinements/refinements.py", "answer = with_equilibria(begun, form.positions, behaviours, judgements)", "answer = with_equilibria(begun, form.positions, behaviours * 2, judgements * 2)", "hawks", "proper"),
    B("../wings/theory/evolutionary/evolutionary.py", "stable = [one for one in found if one.stable]", "stable = list(found)", "stag_hunt", "evolutionary"),
    B("../wings/theory/evolutionary/evolutionary.py", "payoffs=tuple((payoff, payoff) for payoff in pays)", "payoffs=tuple((payoff + 1, payoff) for payoff in pays)", "hawks", "evolutionary"),
    B("../wings/theory/team/team_plans.py", "behaviour = search.positions, pure_behaviour(search.positions, search.best)", "behaviour = search.positions, pure_behaviour(search.positions, {h: 0 for h in search.best})", "team", "team"),
    B("../wings/theory/team/team_plans.py", "nodes=len(positions.nodes),\n        strategy", "nodes=len(positions.nodes) - 1,\n        strategy", "hawks", "welfare"),
    B("../wings/theory/team/team_plans.py", "regret=gains(positions, behaviour)", "regret=tuple(0 for _ in gains(positions, behaviour))", "prisoners", "welfare"),
    B("../wings/theory/coalitions/coalitions.py", "core = center if least >= 0 else None", "core = None", "hawks", "coalition"),
    B("../wings/theory/coalitions/coalitions.py", "value = shapley(worths, count)", "value = tuple(reversed(shapley(worths, count)))", "entry", "coalition"),
    # one player, and numbers left open
    B("imperfect_information/plan.py", "best=best,", "best=best[:1],", "monty_hall", "plan"),
    B("imperfect_information/plan.py", "pure_row(len(found.actions), response.choices[h][0])", "pure_row(len(found.actions), 0)", "monty_hall", "plan"),
    B("imperfect_information/forgetful.py", "value=(best.low if sharp else float(best.low),)", "value=((best.low if sharp else float(best.low)) + 1,)", "driver", "forgetful"),
    B("imperfect_information/belief.py", "exact=account.is_promise_kept,", "exact=True,", "matching_pennies", "belief"),
    B("imperfect_information/belief.py", "best=_best_actions(positions, roots, averages, account.is_promise_kept)", "best=('nothing',)", "poker", "belief"),
    B("open_numbers/unknowns.py", "unknowns=intervals(root, opened.region, opened.names)", "unknowns={name: own[:-1] for name, own in intervals(root, opened.region, opened.names).items()}", "umbrella", "unknowns"),
    B("open_numbers/breakpoints.py", "return tuple(piece.interval() for piece in found)", "return tuple(piece.interval() for piece in found[1:])", "two_open", "unknowns", "--expand"),
)  # fmt: skip


class Outcome(NamedTuple):
    """The outcome of a row: how the check ended, its first line and its verdict; the seconds of both commands."""

    kind: str
    said: str
    seconds: float


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("solvers", nargs="*")
    arguments.add_argument("--write", action="store_true")
    asked = arguments.parse_args()
    rows = [row for row in BREAKAGES if not asked.solvers or row.solver in asked.solvers]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT / "gdl", copy / "gdl", symlinks=False, ignore=shutil.ignore_patterns("solvers", "*.tmp"))
        shutil.copytree(ROOT / "solvers", copy / "gdl" / "solvers")
        shutil.copytree(ROOT / "games", copy / "games")
        os.chdir(folder)
        sys.path.insert(0, str(copy))
        found = [(row, broken(row, copy)) for row in rows]
    tell(found, asked.write)
    return 0 if all(outcome.kind in TRIED[:2] for _, outcome in found) else 1


def broken(row: Breakage, copy: Path) -> Outcome:
    """Break the copy, let it solve and check, and mend it."""
    file = copy / "gdl" / "solvers" / row.file
    if not file.exists():
        (file,) = (copy / "gdl" / "wings").rglob(Path(row.file).name)
    text = file.read_text(encoding="utf-8")
    if text.count(row.text) != 1:
        return Outcome("WRONG ROW", f"{text.count(row.text)} times in {row.file}: {row.text}", 0)
    sound = run(row, copy)
    file.write_text(text.replace(row.text, row.put), encoding="utf-8")
    forget(file)
    try:
        found = run(row, copy)
    finally:
        file.write_text(text, encoding="utf-8")
        forget(file)
    print(f"{found.kind:10} {row.solver:18} {row.put[:60]!r} {found.said[:160]}", file=sys.stderr, flush=True)
    if sound.kind != "ACCEPTED" and sound.kind != "left open":
        return Outcome("WRONG ROW", f"the sound copy: {sound.said}", 0)
    return Outcome("WRONG ROW", "it changes nothing", 0) if answers(copy)[0] == answers(copy)[1] else found


def forget(file: Path) -> None:
    """Let Python compile the file anew."""
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()


def answers(copy: Path) -> list[str]:
    """The last two answers, the sound copy's first."""
    return [(copy / name).read_text(encoding="utf-8") for name in ("before.json", "answer.json")]


def run(row: Breakage, copy: Path) -> Outcome:
    """Solve and verify in a child of this process."""
    if (copy / "answer.json").exists():
        (copy / "answer.json").replace(copy / "before.json")
    started = time.monotonic()
    child = os.fork()
    if not child:
        try:
            status = in_child(row, copy)
        except BaseException as fault:
            (copy / "said.json").write_text(json.dumps([f"{type(fault).__name__}: {fault}", "WRONG ROW"]))
            status = 1
        os._exit(status)
    _, _, used = os.wait4(child, 0)
    said, kind = json.loads((copy / "said.json").read_text(encoding="utf-8"))
    return Outcome(kind, said, min(used.ru_utime + used.ru_stime, time.monotonic() - started))


def in_child(row: Breakage, copy: Path) -> int:
    from altered_answers import WRITTEN
    from click.testing import CliRunner

    from gdl.commands.cli import commands

    def command(*words: str) -> Any:
        return CliRunner().invoke(commands, list(words), input=WRITTEN.get(row.game))

    import gdl

    assert Path(gdl.__file__).is_relative_to(copy), gdl.__file__
    game = "-" if row.game in WRITTEN else row.game
    words = row.words.split()
    solved = command("solve", game, "--solver", row.solver, "--json", "--time", SECONDS, *words)
    answer = copy / "answer.json"
    answer.write_text(solved.stdout, encoding="utf-8")
    if solved.exit_code not in (0, 4):
        ends = solved.exception if solved.exit_code == 1 else solved.output
        told(copy, f"solve ends with {solved.exit_code}: {str(ends)[-300:]}", "no answer")
        return 0
    checked = command("verify", game, str(answer), "--time", SECONDS)
    kinds = {0: "ACCEPTED", 1: "refused", 4: "left open", 6: "refused"}
    lines = checked.output.splitlines() or [""]
    said = next((line for line in lines if line.startswith("FAILS")), lines[0])
    if checked.exception is not None and not isinstance(checked.exception, SystemExit):
        said = f"traceback: {checked.exception!r}"
        told(copy, said, "TRACEBACK")
        return 0
    told(copy, said, kinds.get(checked.exit_code, f"exit {checked.exit_code}"))
    return 0


def told(copy: Path, said: str, kind: str) -> None:
    (copy / "said.json").write_text(json.dumps([said, kind]), encoding="utf-8")


def tell(found: Sequence[tuple[Breakage, Outcome]], write: bool) -> None:
    """Print what was accepted; with `write` the whole table goes into a file."""
    counts = Counter(outcome.kind for _, outcome in found)
    bad = [(row, outcome) for row, outcome in found if outcome.kind not in TRIED[:2]]
    for row, outcome in bad:
        print(f"{outcome.kind}: {row.solver} of {row.game} {row.words}, {row.file}: {row.put}\n    {outcome.said}")
    summary = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{len(found)} breakages, {len({row.solver for row, _ in found})} solvers: {summary}")
    if write:
        head = [
            "# Solvers that were broken, and what the verifier said",
            "",
            "`PYTHONPATH=tests/support:tests/wings/verify python tests/bench/verifier.py --write`: a copy of the solvers, broken in one place,"
            f" solves a game and checks its own answer. {len(found)} breakages: {summary}.",
            "",
            "| solver | game | file | what was put there | the check | says |",
            "|---|---|---|---|---|---|",
        ]
        body = [
            f"| {row.solver} | {row.game} {row.words} | {row.file} | `{_cell(row.put)}` | {outcome.kind} | {_cell(outcome.said)} |"
            for row, outcome in found
        ]
        RESULTS.write_text("\n".join([*head, *body, ""]), encoding="utf-8")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")[:90]


if __name__ == "__main__":
    sys.exit(main())
