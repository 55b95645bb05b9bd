"""gdl for programs: solve a game, make one from numbers, check one's own. What `import gdl` offers beside loading."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex, Unpack, overload

from gdl import wings
from gdl.errors import GameError, LimitReached, Problem, Refusal, clean, listing, suggestion, warn_of_fault
from gdl.game import Game, Number
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.numbers import plain_numbers
from gdl.playing import loading
from gdl.playing.loading import Given
from gdl.playing.steppable import OwnGame, SteppableMatrix, SteppableTree
from gdl.solution import Solution, Vector
from gdl.states.checked_game import ensure_checked, is_networkx
from gdl.states.explore import Walk, choosers
from gdl.states.protocol import short_repr

if TYPE_CHECKING:
    from gdl.playing.steppable import SteppableGame
    from gdl.solvers.cyclic.state_values import StateValues
    from gdl.solvers.options import Options

MOST_CHECKED = 20_000  # states of one's own game that are looked at

__all__ = ["Answer", "OwnGame", "check_game", "matrix", "solve", "tree"]


@dataclass(frozen=True, repr=False)
class Answer(Solution):
    """A solution together with its game. `str(answer)` is the text that `gdl solve` prints.

    Attributes:
        of: the game. All other attributes are those of `gdl.solution.Solution`.

    Example:
        >>> import gdl
        >>> answer = gdl.solve("figure_5_2", "alpha-beta")
        >>> answer.value["MAX"], answer.best, len(answer.pruned)
        (3, ('a1',), 2)
    """

    of: Any = field(default=None, compare=False, repr=False)  # the game

    if TYPE_CHECKING:  # so that type checkers take the name of a player
        value: Vector[Number | float] | None = None
        regret: Vector[Number] | None = None

    if not TYPE_CHECKING:  # type checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            from gdl.errors.codes import missing_attribute

            raise missing_attribute(self, "answer", name)

    @cached_property
    def values(self) -> StateValues:  # type: ignore[override]
        """The values that the search listed, by the paths of their nodes; and of any state of the game, where the
        answer is exact, by the state itself."""
        from gdl.compiler.packed_game import walked_game
        from gdl.solvers.cyclic.state_values import StateValues

        game, pack, _ = walked_game(self.of)
        return StateValues(super().values, game, self, pack)

    def policy(self, state: Any, player: int | str | None = None) -> Mapping[str, Number | float]:
        """Say how the answer plays in a state.

        Args:
            state: a state of the game in which somebody chooses.
            player: who, by number or name; may be left out where one player alone chooses.

        Returns:
            The probability of each action, in the order of the node.

        Raises:
            KeyError: the answer does not say it, or the player has no choice there.

        Example:
            >>> import gdl
            >>> game = gdl.load("figure_5_2")
            >>> gdl.solve(game).policy(game.initial())
            {'a1': 1, 'a2': 0, 'a3': 0}
        """
        from gdl.compiler.packed_game import walked_game
        from gdl.solvers.cyclic.state_values import state_policy

        played = state_policy(self.of, self, self.values, walked_game(self.of)[2](state))
        who = [one for one, mixture in enumerate(played) if mixture and player in (None, one, self.players[one])]
        if len(who) != 1:
            raise KeyError(f"{len(who) or 'no'} players choose here{' at once: name one' if who else ''}")
        return played[who[0]]

    def __getstate__(self) -> dict[str, Any]:
        return {name: held for name, held in vars(self).items() if name != "values"}  # which are found again

    def __repr__(self) -> str:
        what = "" if self.value is None else f": {', '.join(map(str, self.value))}" + " (exact)" * self.exact
        return f"<{self.game} by {self.solver}{what}>"

    def __str__(self) -> str:
        from gdl.render.text import solution_text

        return solution_text(self, self.of)

    def draw(self, kind: str = "svg", **options: Any) -> Any:
        """Draw the game with the answer on it.

        Args:
            kind: a format of `gdl draw`: `svg`, `html`, `txt`, `tex` and others.
            options: those of `gdl.render.draw.draw`.

        Returns:
            A text; for `png` and `pdf`, bytes.

        Raises:
            Refusal: the format cannot show this answer, or needs an extra that is not installed.
        """
        from gdl.render.draw import draw

        return draw(self.of, self, kind, **options)

    def explain(self, solver: str = "auto", **options: Any) -> str:
        """Tell the search step by step, as `gdl explain` does. The search is run again, and recorded.

        Args:
            solver: a solver that keeps a record of its steps; `auto` picks one.
            options: the options of that solver.

        Returns:
            The text.

        Raises:
            Refusal: the solver keeps no record, or none that does can search the game.
        """
        from gdl.render.trace import story_text

        own = {"alpha-beta"} & {self.solver} if solver == "auto" else set()
        found = _solve_with_trace(self.of, own.pop() if own else solver, **options)
        return story_text(self.of, found)

    def grade(self, answers: str, **options: Any) -> str:
        """Mark a student's answers on the steps of the search, as `gdl grade` does.

        Args:
            answers: the text of the answer sheet.
            options: the options of the solver, such as the limit `time`.

        Returns:
            The marks, as a text.

        Raises:
            GameError: the sheet cannot be read.
            Refusal: no search that can be recorded suits the game.
        """
        if not isinstance(answers, str):
            raise GameError(Problem(f"{answers!r} is no sheet of answers", help="give its text, a str"))
        grade = wings.hook("Answer.grade")
        return str(grade(self.of, _solve_with_trace(self.of, **options), answers))


def _solve_with_trace(game: Game[Any], solver: str = "auto", **options: Any) -> Solution:
    """Solve the game by a search that records its steps."""
    from gdl.explain.minimum import with_minimum
    from gdl.solvers.recorded_steps import solve_by_usual_search, solve_with_steps

    def run(name: str) -> Solution:
        return solve_with_steps(game, name, **options)

    return with_minimum(
        game, run(solver) if solver != "auto" else solve_by_usual_search(game, options, run), options.get("depth")
    )


LOADED = ("settings", "variant", "position", "after")  # what `load` takes beside the path


@overload
def solve(
    game: Given,
    solver: str = "auto",
    *,
    engine: str = "auto",
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    position: str | None = None,
    after: str | Sequence[str] | None = None,
    **options: Unpack[Options],
) -> Answer: ...
@overload
def solve(game: Given, solver: Callable[..., Any], *, engine: str = "auto", **options: Any) -> Answer: ...
def solve(
    game: Given, solver: str | Callable[..., Any] = "auto", *, engine: str = "auto",
    **options: Any,
) -> Answer:  # fmt: skip
    """Solve a game.

    Args:
        game: a game, also one of a class of your own; what `loads` returns; or what `load` takes as `path`, such as a
            networkx graph.
        solver: the name of a solver; `auto` picks one and says why. Or a function of your own: it is called with the
            game (and with the state to begin at, if it has a second parameter without a default) and returns a value,
            an action, a pair of both, a profile or a Solution. Its answer counts as exact only where gdl can prove it.
        engine: `auto`, `interpreter`, `python` or `wasm`, as for `gdl solve --engine`.
        options: the options of the solver, named as on the command line. Every solver takes the limits `time` (seconds)
            and `nodes` (a number of them). With a name or a path also `settings`, `variant`, `position` and `after`, as
            for `load`; reading the game may then take as many seconds before.

    Returns:
        The answer. Where a limit stopped the search, the best one found so far; its `limit` says so.

    Raises:
        Refusal: the solver or an option does not suit the game; the message says what would.
        GameError: the game is wrong.
        LimitReached: a limit stopped the search before there was any answer.

    Warns:
        UserWarning: the compiled engine fails and was not asked for by name, so that the interpreter does the work.

    Example:
        >>> import gdl
        >>> gdl.solve("prisoners").value
        (-2, -2)
        >>> gdl.solve("tic_tac_toe", "mcts", simulations=100, seed=1).exact
        False
    """
    from gdl.compiler.compiled_engine import CHOICES, falling_back, offer
    from gdl.errors.deadline import limit_time
    from gdl.solvers import solve as solved

    if engine not in CHOICES:
        raise Refusal(f"there is no engine {engine!r}: take one of {', '.join(CHOICES)}")
    given = {name: options.pop(name) for name in LOADED if isinstance(solver, str) and name in options}
    if given and not isinstance(game, str | Path) and not is_networkx(game):
        raise Refusal(f"{listing(given)}: a game that is loaded has these already; give them to gdl.load")
    _check_options(solver, options)
    time = options.get("time")
    with limit_time(time, "reading the game"):
        held = loading.game_of(game, **given)

    offered = offer(held, engine, tell=lambda words: warnings.warn(words, stacklevel=2))
    try:
        with limit_time(time):  # while code is made, too
            found = falling_back(lambda: solved(offered, solver, **options), offered, warn_of_fault)
    except LimitReached as limit:
        if not isinstance(limit.partial, Solution):
            raise
        found = limit.partial
    return Answer(**{one.name: getattr(found, one.name) for one in fields(Solution)}, of=held)


def _check_options(solver: str | Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise Refusal where the value of an option is no number of its kind or none of its choices, or a seed is given to
    a solver that takes none."""
    from gdl.solvers import SOLVERS
    from gdl.solvers.options import Options, SolverOptions

    known = {*Options.__annotations__, *(option for row in SOLVERS.values() for option in row.options)}
    for name, value in options.items():
        if name not in known and solver in ("auto", *SOLVERS):  # what others take is their own matter
            help = suggestion(name, sorted(known), "its own are solver=, settings= and the limits time= and nodes=")
            raise Refusal(f"solve has no option {clean(name)}: {help}")
        kind = str(SolverOptions.__annotations__.get(name))
        whole, wanted = "int" in kind, "int" in kind or "float" in kind
        fits = isinstance(value, SupportsIndex if whole else SupportsFloat) and (name == "seed" or value >= 0)  # type: ignore[operator]
        if wanted and value is not None and not fits:
            raise Refusal(f"{name}={value!r}: {name} is {'a whole number' if whole else 'a number'} from 0 up")
        choices = kind.partition("Literal[")[2].partition("]")[0]
        if choices and isinstance(solver, str) and value is not None and repr(value) not in choices.split(", "):
            raise Refusal(f"{name}={value!r}: {name} is one of {choices}")
    takes = SOLVERS[solver].options if isinstance(solver, str) and solver in SOLVERS else ("seed",)
    if options.get("seed") is not None and "seed" not in takes:
        raise Refusal(f"{solver} has no option seed; its options are {listing(sorted(takes), most=len(takes))}")


# ---- games from numbers -----------------------------------------------------------------------------------------


def matrix(
    cells: Sequence[Sequence[Any]] | Mapping[tuple[str, ...], Any], others: Sequence[Sequence[Any]] | None = None, *,
    players: Sequence[str] = ("A", "B"), rows: Sequence[str] = (), columns: Sequence[str] = (), name: str = "matrix",
) -> SteppableGame:  # fmt: skip
    """Make a game in strategic form from numbers.

    Args:
        cells: for two players a list of rows, with one entry for each column: a number, which the column player pays to
            the row player, or a pair of utilities. For more players a mapping from each combination of actions, a tuple
            of names, to the tuple of utilities. Numbers are int or Fraction.
        others: the column player's utilities, as rows of numbers; `cells` then has the row player's.
        players: the names of the players.
        rows: the names of the row player's actions; else r1, r2, …
        columns: the names of the column player's actions; else c1, c2, …
        name: the title of the game.

    Returns:
        The game.

    Raises:
        GameError: the numbers or the names make no game.

    Example:
        >>> import gdl
        >>> game = gdl.matrix([[3, 1], [0, 2]], rows=("up", "down"), columns=("left", "right"))
        >>> gdl.solve(game).value
        (Fraction(3, 2), Fraction(-3, 2))
    """
    if isinstance(cells, Mapping):
        table = {tuple(joint): _vector(cell, len(players)) for joint, cell in cells.items()}
        widest = max((len(joint) for joint in table), default=0)
        actions = tuple(tuple(dict.fromkeys(joint[p] for joint in table if p < len(joint))) for p in range(widest))
        return SteppableMatrix(MatrixModel(name, tuple(players), actions, table))
    listed, beside = _rows(cells), _rows(cells if others is None else others)
    if [*map(len, listed)] != [*map(len, beside)]:
        raise GameError(Problem("the two tables are not of one shape", help="write a number for each cell in both"))
    if others is not None:
        listed = [list(zip(row, other, strict=True)) for row, other in zip(listed, beside, strict=True)]
    width = len(listed[0]) if listed else 0
    if any(len(row) != width for row in listed):
        raise GameError(Problem("the rows are not of one length", help="write a cell for each column in each row"))
    named = tuple(rows) or tuple(f"r{k + 1}" for k in range(len(listed)))
    across = tuple(columns) or tuple(f"c{k + 1}" for k in range(width))
    if (len(named), len(across)) != (len(listed), width):
        raise GameError(Problem("there are not as many names as rows and columns", help="name each row and column"))
    values = [_vector(cell, len(players)) for row in listed for cell in row]
    return SteppableMatrix(
        MatrixModel(name, tuple(players), (named, across), dict(zip(product(named, across), values, strict=True)))
    )


def _rows(cells: Any) -> list[list[Any]]:
    """The rows of a table; raises GameError if it is none."""
    if not isinstance(cells, Iterable) or not all(isinstance(row, Iterable) for row in cells):
        raise GameError(Problem(f"{short_repr(cells)} is no matrix", help="give a list of rows: [[3, 1], [0, 2]]"))
    return [row.tolist() if hasattr(row, "tolist") else list(row) for row in cells]


def tree(root: Any, *, players: Sequence[str] = ("MAX", "MIN"), name: str = "tree") -> SteppableGame:
    """Make a game in extensive form from nested tuples.

    A node where somebody moves is a pair of the player's name and a dict from each action to the node below it:
    `("MAX", {"left": 3, "right": ("MIN", …)})`. With a name between the two, `("MAX", "hidden", {…})`, it lies in the
    information set of that name. At a move of chance each outcome has a pair of its probability and the node below:
    `("chance", {"heads": (Fraction(1, 2), 3), "tails": (Fraction(1, 2), 0)})`. An end is a tuple of utilities, or one
    number: the first player's utility, in a game of two in which the other gets its negative.

    Args:
        root: the root of the tree.
        players: the names of the players.
        name: the title of the game.

    Returns:
        The game.

    Raises:
        GameError: the tuples make no game.

    Example:
        >>> import gdl
        >>> game = gdl.tree(("MAX", {"left": ("MIN", {"a": 3, "b": 5}), "right": 2}))
        >>> gdl.solve(game).best
        ('left',)
    """
    nodes: list[TreeNode] = []
    waiting = [root]
    for node in waiting:  # grows while it is walked: children get their numbers from their parent
        made, below = _node(node, tuple(players), len(waiting))
        nodes.append(made)
        waiting += below
    return SteppableTree(TreeModel(name, tuple(players), tuple(nodes)))


def _node(node: Any, players: tuple[str, ...], first: int) -> tuple[TreeNode, list[Any]]:
    """A node of the tree, whose children have numbers from `first` on, and what was written for these children."""
    match node:
        case ("chance", dict(outcomes)):
            if not all(isinstance(one, tuple) and len(one) == 2 for one in outcomes.values()):
                help = "write a pair for each outcome: its probability, and what follows"
                raise GameError(Problem(f"nature's outcomes have no probabilities: {short_repr(node)}", help=help))
            shares, below = [one[0] for one in outcomes.values()], [one[1] for one in outcomes.values()]
            made = TreeNode("chance", actions=tuple(outcomes), probabilities=tuple(shares),
                            children=tuple(range(first, first + len(below))))  # fmt: skip
            return made, below
        case (str(player), dict(actions)) | (str(player), str(), dict(actions)):
            if player not in players:
                help = f"the players are {', '.join(players)}: name others by players=…"
                raise GameError(Problem(f"no player is called {short_repr(player)}", help=help))
            known = node[1] if len(node) == 3 else None
            made = TreeNode("decision", player=players.index(player), information_set=known, actions=tuple(actions),
                            children=tuple(range(first, first + len(actions))))  # fmt: skip
            return made, list(actions.values())
        case (str(player), *_):
            help = f"write {{name: child, …}}: ({short_repr(player)}, {{'left': 3, 'right': 4}})"
            raise GameError(Problem(f"what {short_repr(player)} can do is no dict: {short_repr(node)}", help=help))
    return TreeNode("terminal", utilities=_vector(node, len(players))), []


def _vector(cell: Any, players: int) -> tuple[Number, ...]:
    """The utilities of a cell or an end: a single number is the first player's, and in a game of two the other gets its
    negative."""
    if isinstance(cell := plain_numbers(cell), tuple | list):
        return tuple(cell)
    opposite = () if players == 1 else (-cell,) if isinstance(cell, Number) and players == 2 else (cell,)
    return (cell, *opposite)


# ---- one's own --------------------------------------------------------------------------------------------------


def check_game(game: Game[Any], states: int = MOST_CHECKED) -> tuple[Problem, ...]:
    """Look for faults in a game that is written in Python.

    It checks that answers keep the protocol of games (`gdl.game.Game`) and the game's own traits, that a state answers
    the same when it is asked again, and that all states of an information set have the same player and the same
    actions.

    Args:
        game: the game.
        states: how many states to look at.

    Returns:
        The problems; () if none was found.

    Example:
        >>> import gdl
        >>> gdl.check_game(gdl.load("nim"), states=100)
        ()
    """
    try:
        held = ensure_checked(game, getattr(game, "traits", None))
        walk = Walk(held, states)
        sets: dict[Any, tuple[Any, Any]] = {}
        found: list[Problem] = []
        for expansion in walk:
            state = walk.states[expansion.number]
            found += _unsteady_names(held, state, expansion.node)
            for player in choosers(expansion.node):
                found += _find_differing_actions(held, sets, player, state, expansion.node)
            if found:
                return tuple(found)
    except LimitReached:
        return ()
    except GameError as error:
        return error.problems
    return ()


def _unsteady_names(game: Game[Any], state: Any, node: Any) -> list[Problem]:
    if game.node(state) == node and hash(state) == hash(state):
        return []
    message = f"node({short_repr(state)}) is not the same when it is asked again"
    return [Problem(message, help="let it depend on the state")]


def _find_differing_actions(
    game: Game[Any], sets: dict[Any, tuple[Any, Any]], player: int, state: Any, node: Any
) -> list[Problem]:
    """A problem if a player could tell the states of an information set apart by the actions available there; else
    none."""
    known = player, game.information_set(state, player)
    here = node.actions if hasattr(node, "player") else node.actions[player]
    first, offered = sets.setdefault(known, (state, here))
    if set(offered) == set(here):
        return []
    held = f"{game.players[player]} has {short_repr(here)} in the state {short_repr(state)}"
    message = f"{held}, and {short_repr(offered)} in the state {short_repr(first)}"
    return [Problem(message, note="Both are in one information set.",
                    help="let information_set tell them apart, or offer the same actions")]  # fmt: skip
