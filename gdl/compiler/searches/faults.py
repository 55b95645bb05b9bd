"""A fault of the rules that kernel code has met, in the interpreter's words."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.compiler import python
from gdl.compiler.reading import Reading
from gdl.compiler.searches.slices import KernelSearch
from gdl.errors import GameError, LimitReached, Refusal, with_play
from gdl.interpreter.rules_game import State
from gdl.states.explore import move_text, moves


def explain_trap(search: KernelSearch, trap: python.Trap, line: Sequence[bytes]) -> GameError | Refusal:
    """The error for a trap: the fault that the interpreter meets at the last of these states or one move later, with
    the play that leads there; where it meets none, the refusal that the trap's code stands for. The states, as words,
    follow one another; the first is that of the search or one move after it."""
    state, play = _follow_line(search, line)
    if state is None:
        return search.lowered.refusal(trap.code)
    here = play
    try:
        for look in (search.game.node, search.game.evaluate):
            look(state)
            for move in moves(search.game.node(state)):
                here = None if play is None else (*play, move_text(move))
                look(search.game.successor(state, move))
            here = play
    except GameError as error:
        if here is not None:
            return with_play(error, here)
        error.state = None if state.memories else error.state
        return error
    except LimitReached:
        pass  # there are more joint moves than the interpreter lists
    return search.lowered.refusal(trap.code)


def _follow_line(search: KernelSearch, line: Sequence[bytes]) -> tuple[State | None, tuple[str, ...] | None]:
    """The interpreter's state at the end of a line of states, and the play that leads there. The play is None if the
    interpreter cannot follow the line, and the state too if it cannot be made from its words."""
    state, play = search.first, tuple[str, ...]()
    for words in line if search.mark(line[0]) != search.mark(search.words_of(state).tobytes()) else line[1:]:
        wanted = search.mark(words)
        for move in moves(search.game.node(state)):
            after = search.game.successor(state, move)
            if search.mark(search.words_of(after).tobytes()) == wanted:
                state, play = after, (*play, move_text(move))
                break
        else:
            return _state_from_words(search, line[-1]), None
    return state, play


def _state_from_words(search: KernelSearch, words: bytes) -> State | None:
    """A state made from its words alone; None if the earlier positions that the rules ask for are not in memory."""
    past = () if search.lowered.keys is None else search.lowered.keys.read(search.module, memoryview(words).cast("i"))
    memories = search.game.initial().memories
    return None if past is None else Reading(search.game, search.lowered, search.module).state(words, memories, past)
