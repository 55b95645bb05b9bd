"""The fingerprint of a game: a short text that is the same for the same rules, and another one for others.

An answer carries it, so that whoever checks the answer knows that it is of this game and of no other. It is made of the
checked model, with its settings, its variant and its position, and of the actions after which the game begins:

1. A thing without parts (a number, a text, a truth, none) is known by its kind and how it is written.
2. A thing with parts is known by its kind and the digests of its parts, in their order (a Merkle tree). A set and a
   mapping have no order: the digests are sorted.
3. What says nothing of how the game is played is left out: places in the file, titles, names that only its author
   uses, pictures and notations of positions, and what follows from the rest. So is a field that has its usual value:
   a game stays the same when the language gains something that it does not use.

So comments, layout and the order in which a state was built do not matter, and the text is the same on every engine,
platform and version of Python. SHA-256 is that of FIPS 180-4; half of its bits are kept.

Source: Merkle, A digital signature based on a conventional encryption function, CRYPTO 1987.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from gdl.errors import Span
from gdl.game import Rest, Unknown
from gdl.model import core
from gdl.model.board import Board
from gdl.model.games import Model, RulesModel
from gdl.record import Record

FORM = 1  # of the fingerprints; one more when the same rules get another one
_DIGITS = 32  # hexadecimal ones

_LEFT_OUT: Mapping[str, frozenset[str]] = {  # kind of record -> fields that say nothing of how the game is played
    "TreeModel": frozenset({"name", "numbers_of", "decimals", "cost"}),
    "MatrixModel": frozenset({"name", "numbers_of", "decimals", "cost"}),
    "RulesModel": frozenset(
        "name parameters looks appearance notation positions legality numbers_of rewards unit learned cost".split()
    ),
    "Callable": frozenset({"name", "frame", "fixed", "recursive", "type", "types"}),
    "Rule": frozenset({"frame", "simple", "settled"}),
    "Clause": frozenset({"frame", "sum", "winner"}),
    "Feature": frozenset({"frame", "text"}),
    "Quiet": frozenset({"frame"}),
    "Visibility": frozenset({"frame"}),
    "Named": frozenset({"name", "graph", "joins", "parts"}),
    "Lookup": frozenset({"word"}),
}


def fingerprint(model: Model, after: Sequence[str] = ()) -> str:
    """The fingerprint of the game of a checked model, begun after these actions, as `1:` and 32 hexadecimal digits.

    The number before the colon is the form of the fingerprint: two that differ in it cannot be compared.
    """
    return f"{FORM}:{_digest((model, tuple(after))).hex()[:_DIGITS]}"


def rules_fingerprint(model: RulesModel, *, with_evaluation: bool = False) -> str:
    """The fingerprint of a game's rules wherever the game begins, without the evaluation unless it is to count."""
    variables = tuple(variable.copy_with(initial=(len(variable.initial),)) for variable in model.variables)
    rules = model.copy_with(variables=variables, start=core.Turn("everyone"), opening=None)
    return fingerprint(rules if with_evaluation else rules.copy_with(features=(), quiet=None))


def rules_key(model: RulesModel, further: Any) -> str:
    """A key of a game's rules, wherever the game begins, and of `further` facts, which JSON can hold."""
    from hashlib import sha256  # which takes longer to begin than a small game to be solved

    return sha256(json.dumps([rules_fingerprint(model), further]).encode()).hexdigest()


def comparable(one: str, other: str) -> bool:
    """True if two fingerprints have the same form, so that they differ exactly if the games do."""
    return one.partition(":")[0] == other.partition(":")[0]


def _digest(whole: Any) -> bytes:
    """The digest of a thing. Parts that several others share are read once, and nothing recurses."""
    found: dict[int, bytes] = {}  # by identity
    kept: list[Any] = []  # what was read lives on, so that no other thing gets its identity
    stack = [whole]
    while stack:
        thing = stack[-1]
        parts = list(_parts(thing))
        missing = [part for part in parts if id(part) not in found]
        if missing:
            kept += missing
            stack += missing
            continue
        stack.pop()
        found[id(thing)] = _combine_digests(thing, [found[id(part)] for part in parts])
    return found[id(whole)]


def _parts(thing: Any) -> Iterator[Any]:
    """The parts of a record, sequence or mapping."""
    if isinstance(thing, Record):
        yield from (getattr(thing, name) for name in _fields(thing))
    elif isinstance(thing, tuple | frozenset):
        yield from thing
    elif isinstance(thing, Mapping):
        for key, value in thing.items():
            yield key
            yield value
    elif isinstance(thing, Board | Unknown | Rest):
        yield from (getattr(thing, field.name) for field in fields(thing) if field.name != "span")


def _combine_digests(thing: Any, parts: list[bytes]) -> bytes:
    """The digest of a thing, from those of its parts."""
    kind = type(thing).__name__
    if isinstance(thing, Record):
        kind = " ".join([kind, *_fields(thing)])
    elif isinstance(thing, Mapping):
        kind, parts = "mapping", sorted(key + value for key, value in zip(parts[::2], parts[1::2], strict=True))
    elif isinstance(thing, frozenset):
        parts = sorted(parts)
    elif isinstance(thing, Fraction):
        kind = f"number {thing.numerator}/{thing.denominator}"
    elif isinstance(thing, bool | str | range) or thing is None:
        kind = f"{kind} {thing}"
    elif isinstance(thing, int):
        kind = f"number {thing}/1"
    elif not isinstance(thing, tuple | Board | Unknown | Rest):
        raise TypeError(f"a {kind} has no fingerprint")
    head = kind.encode("utf-8", errors="surrogatepass")
    from hashlib import sha256  # which takes longer to begin than a small game to be solved

    return sha256(b"%d:%b" % (len(head), head) + b"".join(parts)).digest()


def _fields(record: Record) -> list[str]:
    """The names of the fields that count."""
    kind = type(record)
    left_out = _LEFT_OUT.get(kind.__name__, frozenset())
    return [name for name in record.fields if name not in left_out and _counts(kind, name, getattr(record, name))]


def _counts(kind: type[Record], name: str, value: Any) -> bool:
    """True if the value of a field counts: it is neither a place in the file nor the default."""
    if isinstance(value, Span) or name == "span":
        return False
    usual = getattr(kind, name, kind)  # without a usual value: something that no field holds
    return type(value) is not type(usual) or value != usual
