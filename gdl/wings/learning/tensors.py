"""Files of named arrays of numbers, in the format safetensors (Hugging Face, 2022), which can hold nothing else.

A file consists of eight bytes, the length of the header; the header in JSON, which gives each array's type, shape and
offsets, and holds texts under `__metadata__`; then the numbers, one array after the other. The first of the texts is a
checksum of all bytes but its own. A file is rejected if anything in it differs from this, or if a number is infinite or
not a number.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping
from hashlib import sha256
from math import isfinite
from typing import Any

from gdl.errors import DamagedData, clean

LARGEST = 1 << 28  # bytes of a file, at most
MOST_HEADER = 1 << 16  # bytes of a header, at most
MOST_ARRAYS = 64
MOST_TEXT = 1 << 12  # characters of a text
_HEAD = 8
_TYPES = {"F64": "d", "F32": "f", "I32": "i"}
_NAMES = {code: name for name, code in _TYPES.items()}
_TEXTS, _CHECKSUM = "__metadata__", "checksum"
_BEGINS = b'{"__metadata__":{"checksum":"'  # the beginning of every header, so that the checksum has a fixed place
_AT = _HEAD + len(_BEGINS)
_AFTER = _AT + 2 * sha256().digest_size

Arrays = dict[str, "array[Any]"]


def encode_tensors(arrays: Mapping[str, array[Any]], texts: Mapping[str, str]) -> bytes:
    """The bytes of a file with these arrays, of type `d`, `f` or `i`, and texts."""
    header: dict[str, Any] = {_TEXTS: {_CHECKSUM: "0" * (_AFTER - _AT), **texts}}
    at = 0
    for name, numbers in arrays.items():
        end = at + numbers.itemsize * len(numbers)
        header[name] = {"dtype": _NAMES[numbers.typecode], "shape": [len(numbers)], "data_offsets": [at, end]}
        at = end
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    return with_checksum(b"".join([len(head).to_bytes(_HEAD, "little"), head, *map(_little_endian, arrays.values())]))


def with_checksum(data: bytes) -> bytes:
    """The bytes of a file with the checksum of the rest put in its place."""
    return data[:_AT] + _checksum(data) + data[_AFTER:]


def _checksum(data: bytes) -> bytes:
    """The SHA-256 of all bytes but those of the checksum itself, as hexadecimal digits."""
    digest = sha256(data[:_AT])
    digest.update(memoryview(data)[_AFTER:])
    return digest.hexdigest().encode()


def is_such(data: bytes) -> bool:
    """True if the bytes look like a safetensors file: the length of a header, then a header in JSON."""
    return data[_HEAD : _HEAD + 1] == b"{" and data[_HEAD - 2 : _HEAD] == b"\0\0"


def read(data: bytes, name: str) -> tuple[Arrays, dict[str, str]]:
    """The arrays and texts in the bytes of a file; `name` is the file's name in messages. Raises DamagedData if
    anything in it is wrong."""
    if data[_HEAD:_AT] != _BEGINS:
        why = "it is damaged, or from a version of gdl before 0.2"
        raise DamagedData(f"{clean(name)} has no checksum: {why}; gdl learn --fresh makes it anew")
    try:
        return _read(data)
    except _Wrong as wrong:
        raise DamagedData(f"{clean(name)} is damaged: {wrong}") from None


class _Wrong(Exception):
    """Raised for a damaged part of the file; says what is wrong with it."""


def _read(data: bytes) -> tuple[Arrays, dict[str, str]]:
    length = int.from_bytes(data[:_HEAD], "little")
    if len(data) > LARGEST or length > min(MOST_HEADER, len(data) - _HEAD):
        raise _Wrong("its length or that of its header cannot be")
    if data[_AT:_AFTER] != _checksum(data):
        raise _Wrong("its checksum is not that of what is in it")
    try:
        header = json.loads(data[_HEAD : _HEAD + length].decode(), object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError):
        raise _Wrong("its header is not JSON") from None
    if not isinstance(header, dict) or len(header) > MOST_ARRAYS:
        raise _Wrong("its header does not list arrays")
    texts = header.pop(_TEXTS, {})
    if not isinstance(texts, dict) or not all(isinstance(t, str) and len(t) <= MOST_TEXT for t in texts.values()):
        raise _Wrong("its texts are none")
    texts.pop(_CHECKSUM, None)
    body, at, found = memoryview(data)[_HEAD + length :], 0, Arrays()
    for name, row in header.items():
        found[name] = _array(name, row, body, at)
        at += found[name].itemsize * len(found[name])
    if at != len(body):
        raise _Wrong("it has more bytes than its header tells of")
    return found, texts


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Wrong("its header has a name twice")
    return found


def _array(name: str, row: Any, body: memoryview, at: int) -> array[Any]:
    """The array that a row of the header describes; its numbers must begin at offset `at` of the body."""
    match row:
        case {"dtype": str(type), "shape": [int(count)], "data_offsets": [int(begin), int(end)]} if len(row) == 3:
            numbers = array(_TYPES.get(type, "b"))
            size = numbers.itemsize
            if type in _TYPES and begin == at and 0 <= count <= LARGEST and end == at + size * count <= len(body):
                numbers.frombytes(body[begin:end])
                if sys.byteorder == "big":
                    numbers.byteswap()
                if type != "I32" and not all(map(isfinite, numbers)):
                    raise _Wrong(f"{clean(name)} has a number that is none")
                return numbers
    raise _Wrong(f"{clean(name)} is not where its header says, or no list of numbers")


def _little_endian(numbers: array[Any]) -> bytes:
    if sys.byteorder == "little":
        return numbers.tobytes()
    turned = array(numbers.typecode, numbers)
    turned.byteswap()
    return turned.tobytes()
