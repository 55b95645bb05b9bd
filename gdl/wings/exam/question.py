"""A question of an exam: a game, the items that are asked with their points and right answers, and, for a sheet, the
conventions and the lines for answers. Sheet, key, `gdl quiz --json` and `gdl grade` take it from here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from gdl.errors import Refusal, clean
from gdl.explain.key import BEST, CUT, Key, key
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, exact
from gdl.numbers import to_text
from gdl.render.matrix import one_shot
from gdl.render.node_names import Nodes
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.picture import Bounds
from gdl.render.sentence import is_mixed, profile_text
from gdl.render.unknowns import subtree_name
from gdl.solution import Profile, Rule, Solution
from gdl.solvers.equilibria.regret import regret
from gdl.states.sequential import Sequential
from gdl.wings.exam import lines as line_judges
from gdl.wings.exam.answers import AskedItem, ExamQuestion, QuestionKind
from gdl.wings.exam.judged_parts import Part, Task, plain
from gdl.wings.exam.kinds import Subject
from gdl.wings.exam.phrases import Words
from gdl.wings.exam.purposes import Purposes
from gdl.wings.exam.window_texts import window_text

MINUS = "−"


SORTS = ("nodes", "windows", "cut", "best", "value", "replies", "equilibria")  # the items for which points can be set


def exam_question(kind: QuestionKind, game: str, asked: Sequence[AskedItem]) -> ExamQuestion:
    return ExamQuestion(kind, game, tuple(asked), exact(sum((Fraction(one.points) for one in asked), Fraction(0))))


def items_of_key(right: Key, windows: bool = False, worths: Mapping[str, Number] = {}) -> Iterator[AskedItem]:
    """The items of a tree with their points: the result at each node, with `windows` alpha and beta on entry, the
    skipped branches, and the best action."""
    nodes, alone = worths.get("nodes", 1), [right.names.branch(path) for path in right.skipped]
    for path in right.nodes:
        told = right.value(path)
        yield AskedItem(right.names.name(path), nodes, told, (), (told.replace("= ", " "),) if told[0] != "=" else ())
    for path in right.nodes if windows else ():
        if (ends := right.window(path)) is not None:
            name = f"{right.names.name(path)} window"
            yield AskedItem(name, worths.get("windows", 1), window_text(ends), (), ())
    if right.prunes:
        leaves = [right.names.branch(leaf) for path in right.skipped for leaf in right.names.leaves(path)]
        also, partly = [" ".join(leaves)] * (leaves != alone), alone if len(alone) == 2 else []
        yield AskedItem(CUT, worths.get(CUT, 1), right.cut(), tuple(also), tuple(partly))
    if right.best:
        yield AskedItem(BEST, worths.get(BEST, 1), " ".join(right.to_play), right.ties, ())


@dataclass(frozen=True)
class AnswerLine:
    """A line for an answer: its heading, and the right answer, as text or as rows of a table."""

    asked: str
    right: str
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Question:
    """A question: its items with their points, the text beside the picture, and the lines for answers. A search has a
    key, any other kind `parts`, which judge the answers."""

    asked: ExamQuestion
    text: tuple[str, ...]  # paragraphs: the task, and the conventions
    lines: tuple[AnswerLine, ...]
    key: Key | None = None  # the answer key, if the question is on a search
    parts: tuple[Part, ...] = ()
    title: str = ""  # that a teacher gives it: the name of its game may tell the answer
    own: tuple[str, ...] = ()  # paragraphs of the teacher's, with which the text begins

    @property
    def points(self) -> Number:
        return self.asked.points  # type: ignore[no-any-return]


@numbers_as_in_file
def question(
    game: Game[Any],
    solution: Solution,
    words: Words,
    bounds: Bounds | None = None,
    worths: Mapping[str, Number] = {},
    depth: int | None = None,
) -> Question:
    """The question that follows from a game and its solution: on the search, on equilibria, or on unknown numbers. With
    `bounds`, windows are asked for, too."""
    if solution.unknowns:
        return _open_question(game, solution, words, worths)
    if one_shot(game) is not None or not (solution.visits or solution.values):
        return _equilibria(game, solution, words, worths)
    right = key(game, solution, depth)
    lines = [AnswerLine(words["cut"], words.condition(right.cut()))] if right.prunes else []
    tied = f" (= {', '.join(right.ties)})" if right.ties else ""
    lines += [AnswerLine(words["action"], ", ".join(right.to_play) + tied)] if right.best else []
    asked = exam_question("search", clean(game.name), list(items_of_key(right, bounds is not None, worths)))
    return Question(asked, tuple(_text(game, right, words, bounds)), tuple(lines), right)


def question_of_kind(
    kind: str, task: Task, subject: Subject, words: Words, worths: Mapping[str, Number] = {}
) -> Question:
    """The question that a task from the table of kinds makes."""
    said = words.say(f"task {kind}", **{"solver": words.search(task.solver), **task.fields})
    text = re.sub(r" *\n([.。]?) *", r"\1\n", said).splitlines()  # each row of a table is a paragraph
    if task.rule is not None and task.rule.cut is not None:
        text.append(" ".join(_conventions(subject.game, words, task.rule, task.solver, subject.options.get("window"))))
    return _of_parts(kind, clean(subject.game.name), text, words, task.parts, worths)


def _of_parts(
    kind: str, game: str, text: Sequence[str], words: Words, parts: Sequence[Part], worths: Mapping[str, Number]
) -> Question:
    """A question whose parts judge the answers; `worths` multiplies the points of an item or of the kind."""
    told = tuple(part._replace(points=worths.get(part.item, worths.get(kind, 1)) * part.points) for part in parts)
    rows = [p.table and (tuple(words[name] for name in p.table[0]), *p.table[1:]) for p in told]  # headings are phrases
    lines = (AnswerLine(words.say(p.label, **p.fields), p.key_text(words), r) for p, r in zip(told, rows, strict=True))
    asked = exam_question(kind, game, [part.to_item() for part in told])
    return Question(asked, tuple(text), tuple(lines), None, told)


# ---- Equilibria -----------------------------------------------------------------------------------------------------


def _equilibria(game: Game[Any], solution: Solution, words: Words, worths: Mapping[str, Number]) -> Question:
    """The question on a table, which asks for the best replies and all equilibria, or on a tree with information sets,
    which asks for one equilibrium."""
    table = one_shot(game)
    profiles = solution.equilibria or ((solution.strategy,) if solution.strategy else ())
    if not profiles:
        raise Refusal("no equilibrium was found that could be asked for; ask something else, as in FILE:winner")
    told = [profile_text(solution.players, profile) for profile in profiles]
    asks_all = table is not None and bool(solution.complete)
    any_holds = None if asks_all else partial(_is_right, game, solution, profiles)
    orders = game.node(game.initial()).actions if table is not None else ()  # type: ignore[union-attr]
    judge = partial(line_judges.share_of_profiles, profiles, solution.players, holds=any_holds, orders=orders)
    parts = [
        Part("equilibria", "; ".join(told),
             judge, "equilibria",
             partly=tuple(told) if len(told) > 1 else (), points=len(told) if asks_all else 1,
             table=_rows(solution.players, profiles), check=_profiles_check(game, profiles, asks_all))
    ]  # fmt: skip
    replies = best_replies(game) if table is not None and len(game.players) == 2 else {}
    if replies:
        text = "; ".join(f"{other}: {' '.join(own)}" for other, own in replies.items())
        due = {other: sorted(map(plain, own)) for other, own in replies.items()}
        part = Part("replies", text, lambda said: line_judges.share_of_replies(replies, said), "replies")
        parts.insert(0, part._replace(check={"check": "replies", "right": due}))
    task = "sets" if table is None else "table"
    return _of_parts("equilibria", clean(game.name), [words[task]], words, parts, worths)


def _is_right(game: Game[Any], solution: Solution, profiles: Sequence[Profile], profile: Profile) -> bool:
    """True if the profile is an equilibrium. Where play may go on for ever, those found are right; others that mix
    nowhere are wrong if all of these were found. Raises Refusal where it is open."""
    if game.traits.cyclic is False:
        return not any(regret(game, profile).regret)
    found = line_judges.support_text(profile) in map(line_judges.support_text, profiles)
    if not found and (not solution.exact or any(map(is_mixed, [profile, *profiles]))):
        raise Refusal("this is none of the equilibria that were found, and there may be others")
    return found


def _profiles_check(game: Game[Any], profiles: Sequence[Profile], asks_all: bool) -> Mapping[str, Any]:
    """The data by which a page judges profiles. If all equilibria are asked for, it compares with them; if any one is
    enough, it tests by the payoffs at the ends that nobody gains by another plan. Empty if the page cannot do this."""
    sets, ends = payoffs_by_moves(game)
    actions = {a for one in profiles for own in one.values() for mix in own.values() for a in mix}
    heads = line_judges.heads_of(profiles[0], actions)
    if not asks_all and (game.traits.perfect_recall is False or not sets or {*sets} != {*heads.values()}):
        return {}
    return {
        "check": "profiles",
        "right": "; ".join(profile_text(game.players, profile) for profile in profiles),
        "heads": [[head, sets.index(place)] for head, place in heads.items()],
        "actions": sorted(actions),
        "turns": [next(at for at, place in enumerate(sets) if place[0] == player) for player in game.players],
        "owners": [game.players.index(player) for player, _ in sets],
        "ends": None if asks_all else ends,
    }


def payoffs_by_moves(game: Game[Any]) -> tuple[list[tuple[str, str]], list[tuple[float, dict[int, str], list[float]]]]:
    """All information sets (player, name), each before those that follow it; and all ends, each with the probability of
    chance's moves on the way, the action at each set on the way (by its index), and the payoffs. Both empty for a game
    with too many ends for a page, or of play without end."""
    if game.traits.cyclic is not False:
        return [], []
    turns = Sequential(game)
    sets: dict[tuple[str, str], int] = {}
    ends: list[tuple[float, dict[int, str], list[float]]] = []
    stack: list[tuple[Any, float, dict[int, str]]] = [(turns.initial(), 1.0, {})]
    while stack and len(ends) <= _MOST_ENDS:
        state, chance, taken = stack.pop()
        node = turns.node(state)
        if isinstance(node, Terminal):
            ends.append((chance, taken, [float(amount) for amount in node.utilities]))
        elif isinstance(node, Chance):
            stack += [(turns.successor(state, move), chance * float(weight), taken) for move, weight in node.outcomes]
        elif isinstance(node, Decision):
            place = game.players[node.player], turns.describe(state, node.player)
            number = sets.setdefault(place, len(sets))
            stack += [(turns.successor(state, move), chance, {**taken, number: move}) for move in node.actions]
    return ([], []) if stack else (list(sets), ends)


_MOST_ENDS = 1_000  # ends of a game in the data of a page, at most


def _rows(players: Sequence[str], profiles: Sequence[Profile]) -> tuple[tuple[str, ...], ...]:
    """The profiles as rows of player, information set, action and probability, under a row of headings; empty if all
    profiles are pure and each player has one set."""
    if not any(is_mixed(one) or any(len(sets) > 1 for sets in one.values()) for one in profiles):
        return ()
    numbered = [(f"{n}. " if len(profiles) > 1 else "", one) for n, one in enumerate(profiles, start=1)]
    rows = [
        (number + player, where if len(one[player]) > 1 else "", action, to_text(x))
        for number, one in numbered for player in players
        for where, mix in one[player].items() for action, x in mix.items() if x
    ]  # fmt: skip
    shown = [0, 1, 2, 3] if any(row[1] for row in rows) else [0, 2, 3]
    return tuple(tuple(row[at] for at in shown) for row in [("player", "set", "move", "probability"), *rows])


def best_replies(game: Game[Any]) -> dict[str, list[str]]:
    """The best replies to each action of the other player in a table of two, by texts such as `Ann | left` (the player
    who replies, and the other's action)."""
    start, utilities = game.initial(), one_shot(game)
    node = game.node(start)
    assert isinstance(node, Simultaneous) and utilities is not None
    found: dict[str, list[str]] = {}
    for player in (1, 0):
        for action in node.actions[1 - player]:
            joints = {reply: (action, reply) if player else (reply, action) for reply in node.actions[player]}
            pays = {reply: utilities[joint][player] for reply, joint in joints.items()}
            best = max(pays.values())
            found[f"{game.players[player]} | {action}"] = [reply for reply, pay in pays.items() if pay == best]
    return found


# ---- Numbers left open ----------------------------------------------------------------------------------------------


def open_answers(solution: Solution, game: Game[Any]) -> dict[str, dict[str, str]]:
    """The right answers about unknown numbers: for each item, the condition ("" for always) under which each subject is
    best, skipped or an equilibrium."""
    nodes = Nodes(game)
    found: dict[str, dict[str, str]] = {}
    for one in (one for one in solution.conditions if one.cases):
        if one.what == "pruned":
            subject = subtree_name(nodes, one.subject)
        else:
            subject = ", ".join(map(str, one.subject))
            subject = f"({subject})" if one.what == "equilibrium" else subject
        found.setdefault(_OPEN[one.what], {})[subject] = "" if one.always else one.text
    if solution.rule is not None and solution.rule.cut is not None:
        found.setdefault(CUT, {})
    return found


_OPEN = {"best": BEST, "value": "value", "pruned": CUT, "equilibrium": "equilibria"}
LINES = {BEST: "action", "value": "value", CUT: "cut", "equilibria": "equilibria"}


def _open_question(game: Game[Any], solution: Solution, words: Words, worths: Mapping[str, Number]) -> Question:
    """The question on a game with unknown numbers, a part for each item."""
    found, names = open_answers(solution, game), (*solution.unknowns, "value")

    def part(item: str) -> Part:
        right = found[item]
        told = "; ".join(f"{subject}: {when}" if when else subject for subject, when in right.items()) or "none"

        def judge(text: str) -> Number | None:
            return line_judges.share_of_cases(right, text, names, as_one=item == "value")

        joints = {name: pattern.pattern.replace("\\ ", " ") for name, pattern in line_judges.JOINTS.items()}
        check = {"check": "cases", "right": right, "names": names, "whole": item == "value", "joints": joints}
        return Part(item, told, judge, LINES[item], check={**check, "split": line_judges.CASE.pattern})

    parts = [part(item) for item in LINES if item in found]
    text = [words["open_table" if "equilibria" in found else "open"]]
    if solution.rule is not None and solution.rule.cut is not None:
        text = [f"{text[0]} {words['open_cuts']}"]
        by = solution.solver if isinstance(game, Purposes) else ""
        text.append(" ".join(_conventions(game, words, solution.rule, by)))
    return _of_parts("open", clean(game.name), text, words, parts, worths)


def _text(game: Game[Any], right: Key, words: Words, bounds: Bounds | None) -> list[str]:
    """The paragraphs of the task: the search, then the conventions on which the cuts depend."""
    said = [_task(right, words), *([words["windows"]] if bounds and right.prunes else [])]
    ends = (not isinstance(game, Purposes) and right.window(())) or (None, None)  # there they are of each mover's own
    window = "..".join("" if end is None else _number(end) for end in ends)
    known = _conventions(game, words, right.solution.rule, right.solution.solver, window) if right.prunes else []
    return [" ".join(said), *([" ".join(known)] if known else [])]


def _task(right: Key, words: Words) -> str:
    return words.say("search" if right.prunes else "values", solver=words.search(right.solution.solver))


def text_without_rule(game: Game[Any], right: Key, words: Words) -> list[str]:
    """The paragraphs of the task for a page on which the reader chooses the pruning rule."""
    order = Rule(None, right.solution.rule.order) if right.prunes and right.solution.rule else None
    known = _conventions(game, words, order, right.solution.solver) if order else []
    return [_task(right, words), *([" ".join(known)] if known else [])]


def _conventions(game: Game[Any], words: Words, rule: Rule | None, solver: str, window: str | None = None) -> list[str]:
    """The conventions to print: the pruning rule, the order of children, the window at the root, and, unless the
    search is alpha-beta, the bounds of the utilities that it uses."""
    by = "purpose " if isinstance(game, Purposes) and game.prunes else ""
    found = [words[name] for name in (rule.cut and by + rule.cut, rule.order) if name] if rule else []
    if window and window != "..":
        low, _, high = window.partition("..")
        found.append(words.say("window", low=low or f"{MINUS}∞", high=high or "∞"))
    promised = game.promises.bounds(game.initial()) if solver not in ("alpha-beta", "") else None
    if promised:
        low_end, high_end = promised[0]
        if low_end is not None and high_end is not None:
            found.append(words.say("between", low=_number(low_end), high=_number(high_end)))
        found += [words.say("at most", player=player, most=_number(high))
                  for player, (low, high) in zip(game.players, promised, strict=True)
                  if low is None and high is not None]  # fmt: skip
    total = game.traits.constant_sum
    if len(game.players) > 2 and total is not None:
        found.append(words.say("sum", sum=_number(total)))
    return found


def _number(amount: Number) -> str:
    return to_text(amount).replace("-", MINUS)
