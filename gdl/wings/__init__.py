"""The wings: features that the core does not need. Each is one folder here, with everything of the feature.

The core imports no wing. A wing hands over rows of plain text in its `wing.py`: commands, formats, solvers, hooks. They
name functions as "module:name", which are imported when they are used. WORDS has, for each wing of ours, the words by
which it is asked for, so that a word leads to its wing without the others, and what is missing is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple
from warnings import warn

from gdl.record import Record

Group = Literal["answer", "dialogue", "document"]
Kind = Literal["commands", "solvers", "concepts", "endings", "names", "modules", "hooks"]


class Clash(NamedTuple):
    """An option that is refused unless all options that it `needs` are given, or if one that it `excludes` is.
    `model=net` is the option with this value. `said` is the message; "" for one made from the options' names."""

    option: str
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    said: str = ""
    help: str = ""

    @property
    def lack(self) -> str:
        """The message for an option that is given without another that it needs."""
        needs = " and ".join(f"--{one.replace('=', ' ')}" for one in self.needs)
        return self.said or f"--{self.option} is for {needs}"


class CommandRow(NamedTuple):
    """A command: its function as "module:name" (the core has the file in `gdl/commands` alone), its purpose, and the
    example at the end of its help. `group` says whether it prints an answer (as JSON, too, by --json), holds a
    dialogue, or writes a document. `synonyms` are other programs' names for it, each with the hint that mentions it;
    `clashes` are its options that do not go together; `mends` are options of other programs (NUMBER: a number as a
    further argument), each with the words to write instead."""

    function: str
    purpose: str
    example: str
    group: Group = "answer"
    synonyms: Mapping[str, str] = {}
    section: str = ""  # the heading in the list of commands below which a wing's command stands, behind the core's
    clashes: tuple[Clash, ...] = ()
    mends: Mapping[str, str] = {}
    first_line: tuple[str, str] | None = None  # who begins with this command, and by which command line


class FileRow(NamedTuple):
    """A kind of game file with a language of its own. A text of this kind begins with one of these characters,
    `recognise(text)` says whether it is one, and `describe(text, name)` reads it as the sections of a game."""

    endings: tuple[str, ...]
    begins: str
    recognise: str
    describe: str


class SolverRow(NamedTuple):
    """A solver's record as "module:NAME", the solver behind which it is listed, whether the compiled engine has its
    search, and whether it draws random numbers, so that another program counts other positions. It `finds` answers by
    these concepts of the core, too."""

    record: str
    behind: str
    compiled: bool = False
    draws: bool = False
    finds: tuple[str, ...] = ()


# Situations in which `auto` asks for a solver: positions come again, or something is gained on the way, and all know
# the position; moves at once, or something hidden, though all know the position; positions come again to players with
# aims of their own; the strategic form may be too large to list; all move at once, in more ways than can be looked at.
Situation = Literal[
    "positions return", "all know the position", "positions return to several players", "too large to list",
    "too many joint moves",
]  # fmt: skip


class AttemptRow(NamedTuple):
    """A solver that `auto` may try. `suits`, as "module:function", takes a situation, a game and its traits, and is
    true if the solver is the one to try. Where another one refused a game, this one is tried `before` that solver of
    the core ("": never)."""

    suits: str
    before: str


class Concept(Record):
    """A solution concept: what counts as an answer, apart from how it is found.

    Attributes:
        name: its name.
        definition: in one sentence.
        source: who introduced it.
        others: the solvers that find it besides the one of its name, best first.
        judge: the function that judges profiles by it; "": there is none.
        opening: how the first sentence of an answer begins; "": as that of best play.
        opens_first: whether it begins so even where equilibria are listed.
        pays_value: whether in a game of two opponents every answer pays the value.
        secures: whether each of two opponents gets at least what he can secure, also in an answer that was cut short.
        shares: whether all divide what they win together.
        called: the names of one profile, and of several, that are answers; (): equilibria of its name.
        option: the option of `gdl judge` that says more of it: "as" who commits, "lambda" how precise players are.
    """

    name: str
    definition: str
    source: str
    others: tuple[str, ...] = ()
    judge: str = ""
    opening: str = ""
    opens_first: bool = False
    pays_value: bool = True
    secures: bool = True
    shares: bool = False
    called: tuple[str, ...] = ()
    option: Literal["", "as", "lambda"] = ""

    @property
    def solvers(self) -> tuple[str, ...]:
        """All solvers that find it."""
        return self.name, *self.others


class PageRow(NamedTuple):
    """The place of a page of the manual: its part, and the page behind which it is read. The page is the file
    `docs/NAME.md` of the wing."""

    part: str
    behind: str


class Wing(Record):
    """The rows of one wing. A row that is a text is "module:name", imported when it is used.

    Attributes:
        name: the name of its folder.
        purpose: what it is for, in a line.
        needs: the wings that it imports.
        commands: its commands, by their names.
        files: the kinds of game files that it reads.
        solvers: its solvers, by their names.
        attempts: those of its solvers that `auto` may try.
        concepts: its solution concepts, by their names.
        answers: for each command the types of its answers as JSON.
        hooks: functions for an option of a core command, or a method of the Python API, by its name.
        names: names of the package `gdl`.
        modules: modules that are found below `gdl.adapters` too, by their names there.
        pages: its pages of the manual, by their names.
    """

    name: str
    purpose: str
    needs: tuple[str, ...] = ()
    commands: Mapping[str, CommandRow] = {}
    files: tuple[FileRow, ...] = ()
    solvers: Mapping[str, SolverRow] = {}
    attempts: Mapping[str, AttemptRow] = {}
    concepts: Mapping[str, Concept] = {}
    answers: Mapping[str, tuple[str, ...]] = {}
    hooks: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    modules: Mapping[str, str] = {}
    pages: Mapping[str, PageRow] = {}

    @property
    def endings(self) -> Mapping[str, FileRow]:
        """The kinds of files by their endings."""
        return {ending: row for row in self.files for ending in row.endings}


class Words(NamedTuple):
    """The words by which a wing is asked for, and whether it has pages of the manual or answers."""

    commands: tuple[str, ...] = ()
    solvers: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()


WORDS: Mapping[str, Words] = {
    "stanford": Words(endings=(".kif", ".gdl")),
    "editor": Words(commands=("lsp", "mcp")),
    "exam": Words(
        ("quiz", "sheet", "grade"),
        hooks=("a question as FILE", "a formula with roots", "a note on roots", "Answer.grade", "commands of .exam"),
    ),
    "programs": Words(
        names=("Environment", "Environments", "environment", "make_vec"),
        modules=("gymnasium", "openspiel", "pettingzoo"),
        hooks=("Game.environment", "Game.environments"),
    ),
    "arena": Words(
        ("play", "match", "analyse", "compare", "bench", "engine", "ugi"),
        names=("compare",),
        hooks=("--record", "a record of a play", "the computer player", "the command that plays", "a told action"),
    ),
    "report": Words(("report",), hooks=("check --play",)),
    "page": Words(commands=("page", "site")),
    "learning": Words(("learn",), hooks=("--weights", "shipped weights")),
    "cache": Words(("cache",), hooks=("kept models", "kept code", "kept findings", "the size of what is kept")),
    "tables": Words(hooks=("solve --table", "show --table", "play --table", "verify of a table")),
    "verify": Words(("verify",)),
    "symmetry": Words(
        hooks=("states --symmetry", "solve --symmetry", "folding in a long search", "a table up to symmetry")
    ),
    "hidden": Words(
        solvers=("mccfr",),
        hooks=(
            "the compiled unfolding",
            "the compiled table of sequences",
            "compiled regret minimisation",
            "a plan over possible worlds",
            "an estimate by samples",
            "best replies to a profile",
            "tree search over information sets",
            "search of a page over information sets",
        ),
    ),
    "theory": Words(
        solvers=tuple(
            (
                "grundy shapley payoff-set stationary markov-perfect sequential perfect-bayesian intuitive correlated "
                "coarse-correlated commitment quantal perfect proper evolutionary symmetric team coalition welfare"
            ).split()
        ),
        concepts=tuple(
            (
                "perfect-bayesian sequential intuitive correlated coarse-correlated grundy commitment quantal "
                "perfect proper evolutionary symmetric team coalition welfare"
            ).split()
        ),
        endings=(".agg", ".bagg", ".counts"),
        hooks=(
            "the curve of lambda",
            "judging a distribution of plans",
            "judging shares of coalitions",
            "judging play that comes back",
            "dominance by types",
            "payoffs of subgames",
            "sums of positions",
            "random play that comes back",
            "tables of papers",
            "average rewards",
        ),
    ),
}
FORMER_SOLVERS = {  # solvers of earlier versions: what to use in place of each
    "puct": "depth-limited takes its place, with --weights of gdl learn GAME --model tuples",
}


def load(target: str) -> Any:
    """The object that a text "module:name" names."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


@cache
def wing(name: str) -> Wing | None:
    """A wing of ours; None if it, or one that it needs, is not installed."""
    module = f"{__name__}.{name}"
    try:
        found: Wing = import_module(f"{module}.wing").WING
    except ModuleNotFoundError as missing:
        if missing.name not in (module, f"{module}.wing"):
            raise
        return None
    return found if all(wing(one) for one in found.needs) else None


def wings(kind: Kind | None = None) -> Iterator[Wing]:
    """Our wings that are installed, in the order of WORDS; of a `kind`, those with such words."""
    for name, words in WORDS.items():
        found = wing(name) if kind is None or getattr(words, kind) else None
        if found is not None:
            yield found


def owner(kind: Kind, word: str) -> str | None:
    """The name of the wing of ours that has the word, installed or not; None if no wing has it."""
    return next((name for name, words in WORDS.items() if word in getattr(words, kind)), None)


def missing_wing(kind: Kind, word: str) -> str | None:
    """The name of the wing of ours that has the word, if it is not installed; else None."""
    name = owner(kind, word)
    return None if name is None or wing(name) else name


def find_row(kind: Kind, word: str) -> Any:
    """The row of a word, from the wing that has it, ours or a stranger's; None if no wing has it. Raises Refusal if the
    wing that has it is not installed."""
    name = owner(kind, word)
    if name is None:
        return next((getattr(one, kind)[word] for one in strangers() if word in getattr(one, kind)), None)
    found = wing(name)
    if found is None:
        from gdl.errors import Refusal

        raise Refusal(missing_text(kind, word))
    return getattr(found, kind)[word]


@cache
def strangers() -> tuple[Wing, ...]:
    """The wings of installed packages: their entry points of the group `gdl.wings`, without those that cannot be
    imported. Looking for them is slow, so it is done only for a word that is not found in ours."""
    from importlib.metadata import entry_points

    return tuple(found for point in sorted(entry_points(group="gdl.wings")) if (found := _import_stranger(point)))


def _import_stranger(point: Any) -> Wing | None:
    """The wing of an entry point; None, with a warning, where its package does not hand it out."""
    try:
        found = point.load()
        if not isinstance(found, Wing):
            raise TypeError(f"it names a {type(found).__name__}, and no Wing")
        return found
    except (Exception, SystemExit) as fault:  # whatever a stranger's module does
        package = point.dist.name if point.dist else point.module
        warn(
            f"package {package}: its wing {point.name} cannot be imported: {type(fault).__name__}: {fault}",
            stacklevel=2,
        )
        return None


def hook(name: str) -> Any:
    """The function of a hook. Raises Refusal if the wing that has it is not installed."""
    return load(find_row("hooks", name))


def installed_hook(name: str) -> Any:
    """The function of a hook; None if its wing is not installed."""
    return hook(name) if has_hook(name) else None


def call_hook(name: str, *given: Any) -> Any:
    """The result of a hook's function; None if its wing is not installed."""
    return hook(name)(*given) if has_hook(name) else None


def has_hook(name: str) -> bool:
    """True if the wing of a hook is installed."""
    return wing(str(owner("hooks", name))) is not None


def missing_text(kind: Kind, word: str) -> str:
    """The message for a word whose wing is not installed."""
    what = {
        "commands": f"gdl {word}",
        "solvers": f"the solver {word}",
        "concepts": f"the concept {word}",
        "endings": f"a file {word}",
        "modules": f"gdl.adapters.{word}",
    }.get(kind, word)
    return f"{what} comes with the wing {owner(kind, word)}, which is not installed here"
