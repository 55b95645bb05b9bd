"""Is the answer one of this game? Its title, its players and what kind of game it is for; and, if it has one, the
fingerprint of the game, with what was asked for beside the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from gdl import wings
from gdl.concepts import CONCEPTS
from gdl.errors import clean, listing
from gdl.game import Decision
from gdl.wings.verify.case import STOPS, VerifierCase
from gdl.wings.verify.concepts import concept_checks
from gdl.wings.verify.stationary import process_of, total_of
from gdl.wings.verify.verdict import ANSWER, ANSWERING, CONCEPTS_OF_PLAIN_ANSWERS, Finding

ASKED = {
    "settings": "--set",
    "variant": "--variant",
    "position": "--position",
    "after": "--after",
    "weights": "--weights",
}
FIELDS = ("game", "fingerprint", *ASKED, "traits", "cost", "solver", "concept")
Takes = Callable[[str], bool | None]  # None: no solver has that name and answers the concept
BOUNDS = {"value", "interval"}  # fields that can be known of a game without a solver for it

TRAITS = ("players", "zero_sum", "chance", "simultaneous", "perfect_information", "perfect_recall", "cyclic")


def check_identity(case: VerifierCase, origin: Mapping[str, Any], takes: Takes | None = None) -> Iterator[Finding]:
    """The answer belongs to this game. `origin`: the fingerprint and the options that an answer of this game would
    state. `takes`: a function of a solver's name, True if that solver accepts the game."""
    found = [*_fingerprint(case, origin), *_title(case, origin), *_check_options(case, origin), *_players(case)]
    found, stop = [*found, *_way(case, takes), *_cost(case)], None
    try:
        found += _traits(case)
    except KeyboardInterrupt as stopped:  # which may come while all positions are looked at
        stop = stopped
    yield from (finding for finding in found if finding.ok is not True)
    same = [finding for finding in found if finding.ok]
    if same and not any(finding.ok is False for finding in found):
        fields = tuple(name for finding in same for name in finding.fields)
        yield Finding(True, fields, f"the answer is of this game, by {listing(finding.text for finding in same)}")
    if stop is not None:
        raise stop


def _fingerprint(case: VerifierCase, origin: Mapping[str, Any]) -> Iterator[Finding]:
    mine, other = origin.get("fingerprint"), case.claim.fingerprint
    if other is None:
        said = "that the rules are these: the answer was made before answers had fingerprints"
        yield Finding(None, ("game",), said)
    elif mine is None:
        yield Finding(None, ("fingerprint",), "the fingerprint of the game")
    elif mine == other:
        yield Finding(True, ("fingerprint",), "its fingerprint")
    elif mine.partition(":")[0] != other.partition(":")[0]:
        yield Finding(None, ("fingerprint",), "the fingerprint of the game: another version of gdl made it")
    else:
        yield Finding(False, ("fingerprint",), f"the answer is of another game: {_difference(case, origin)}")


def _difference(case: VerifierCase, origin: Mapping[str, Any]) -> str:
    """The difference between the answer's game and this one, in words, as far as the answer shows it."""
    for name in ASKED:
        told, mine = case.claim.data.get(name), origin.get(name)
        if told != mine:
            return f"it was made with {_option_text(name, told)}, and is looked at with {_option_text(name, mine)}"
    return "its rules are not these"


def _option_text(name: str, value: Any) -> str:
    """The command-line option that would give this value; "no --option" for None."""
    word = ASKED[name]
    if value is None:
        return f"no {word}"
    if isinstance(value, Mapping):
        return " ".join(f"{word} {clean(str(key))}={clean(str(one))}" for key, one in value.items())
    return f"{word} {clean(', '.join(map(str, value)) if isinstance(value, list) else str(value))}"


def _title(case: VerifierCase, origin: Mapping[str, Any]) -> Iterator[Finding]:
    claim, game = case.claim, case.game
    if claim.game == game.name:
        yield Finding(True, ("game",), "title")
    elif claim.fingerprint is not None and claim.fingerprint == origin.get("fingerprint"):
        yield Finding(None, ("game",), f"the title: the answer calls the game {claim.game}, not {game.name}")
    else:
        yield Finding(False, ("game",), f"the answer is for {claim.game}, the game is {game.name}")


def _check_options(case: VerifierCase, origin: Mapping[str, Any]) -> Iterator[Finding]:
    """The options that changed the game (settings, variant, position and so on) are the same."""
    for name in ASKED:
        told, mine = case.claim.data.get(name), origin.get(name)
        if told == mine and told is not None:
            yield Finding(True, (name,), _option_text(name, told))
        elif told is not None:
            yield Finding(None, (name,), f"{name}: that the answer was made with {_option_text(name, told)}")


def _players(case: VerifierCase) -> Iterator[Finding]:
    claim, game = case.claim, case.game
    if not set(claim.names()) <= set(game.players):
        said = f"the answer is for the players {listing(claim.names())}; {game.name} has {listing(game.players)}"
        yield Finding(False, ("game",), said)
        return
    for name, parts in claim.by_player.items():
        for player in game.players:
            if any(player not in part for part in parts):
                yield Finding(False, (name,), f"{name}: nothing is said of {player}")
    if claim.interval is not None:
        opposed = len(game.players) == 2 and game.traits.constant_sum is not None
        for player, (low, high) in zip(game.players, case.promised_bounds, strict=True):
            if player not in claim.interval and (opposed or None not in (low, high)):
                yield Finding(False, ("interval",), f"interval: nothing is said of {player}")


def _way(case: VerifierCase, takes: Takes | None) -> Iterator[Finding]:
    """The solver exists and takes the game; the concept exists, and is the solver's own if it has one. That is not
    checked of a solver whose wing is not installed, and of a concept that has no checks here."""
    solver, concept = case.claim.solver, case.claim.concept
    is_absent = solver is not None and wings.missing_wing("solvers", solver) is not None
    if solver is not None and is_absent:
        yield Finding(None, ("solver",), wings.missing_text("solvers", solver))
    takes_it = True if solver is None or takes is None or is_absent else takes(solver)
    if not case.claim.exact and (solver == "auto" or (takes_it is False and {*case.claim.keys} & {*ANSWER} <= BOUNDS)):
        takes_it = True  # time was over before a solver was chosen, or looked at the game
    if solver is not None and not takes_it:
        answering = "" if concept is None else f" and answers {clean(concept)}"
        yield Finding(False, ("solver",), f"no solver of {case.game.name} is called {clean(solver)}{answering}")
    others = concept_checks()
    known = concept in (*CONCEPTS_OF_PLAIN_ANSWERS, *others)
    if concept is not None and not known and _is_concept(concept):
        yield Finding(None, ("concept",), f"an answer by the concept {concept}, of which the verifier has no checks")
    elif concept is not None and (not known or (solver in others and solver != concept)):
        yield Finding(False, ("concept",), f"{clean(solver or 'no solver')} answers no concept {clean(concept)}")
    elif concept is not None and not case.claim.exact and ANSWERING.isdisjoint(case.claim.keys):
        yield Finding(True, ("concept",), "the concept, of which nothing is claimed")


def _is_concept(name: str) -> bool:
    """True if a concept has this name, whether or not its wing is installed."""
    return wings.missing_wing("concepts", name) is not None or name in CONCEPTS


def _cost(case: VerifierCase) -> Iterator[Finding]:
    """If the answer speaks of costs, so does the file."""
    if "cost" in case.claim.keys:
        stated = case.claim.data["cost"] is case.game.promises.cost is True
        yield Finding(stated, ("cost",), "its costs" if stated else "the answer is of costs, and the file states none")


def _traits(case: VerifierCase) -> Iterator[Finding]:
    """The traits that the answer states are those of the game."""
    claim, game = case.claim, case.game
    if "traits" not in claim.keys:
        return
    if set(claim.traits) != set(TRAITS):
        yield Finding(False, ("traits",), f"the traits of an answer are {listing(TRAITS, most=len(TRAITS))}")
        return
    unknown = []
    for name, claimed in claim.traits.items():
        actual = getattr(game.traits, name)
        if claimed == actual and type(claimed) is type(actual):
            continue
        if None not in (claimed, actual) or not isinstance(claimed, bool | None):
            said = f"the answer is for a game with {name} {claimed}; {game.name} has {actual}"
            yield Finding(False, ("traits",), said)
        elif claimed is None or _is_seen(case, name) is not claimed:
            unknown.append(name)
    if unknown:
        yield Finding(None, ("traits",), f"of the traits {listing(unknown)}")
    else:
        yield Finding(True, ("traits",), "traits")


def _is_seen(case: VerifierCase, name: str) -> Any:
    """The value of a trait as all positions show it; None if they do not, or cannot be looked at."""
    if not case.claim.exact:  # whose positions need not be met all
        return None
    with suppress(*STOPS):
        if case.game.promises.rewards is None:
            ground = case.graph
            seen = ground.turns is case.game and any(isinstance(node, Decision) for node in ground.positions.nodes)
            shown = {"chance": ground.chance, "cyclic": ground.cyclic, "perfect_information": ground.open}
            return {**shown, "zero_sum": ground.total == 0, "simultaneous": False if seen else None}.get(name)
    with suppress(*STOPS):
        return total_of(process_of(case)) == 0 if name == "zero_sum" and len(case.game.players) == 2 else None
    return None
