"""The weights that ship with games: a file of `gdl learn`, rounded and packed into `games/weights`.

    python tests/bench/shipped_weights.py backgammon backgammon.safetensors

Weights belong to the rules and the `evaluate` of the game's file: if one of these changes, they are not used until they
are packed again.
"""

from __future__ import annotations

import argparse
import gzip
from array import array
from pathlib import Path

import gdl
from gdl.interpreter.rules_game import RulesGame
from gdl.model.fingerprint import rules_fingerprint
from gdl.wings.learning import tensors

STEPS = 1024  # between whole numbers, to which weights are rounded: half of the bytes
MOST = 200_000  # bytes of a file
FOLDER = Path(__file__).parents[2] / "games" / "weights"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("file", type=Path, help="a file that gdl learn has written")
    asked = parser.parse_args()
    packed = pack(asked.game, asked.file.read_bytes())
    assert len(packed) <= MOST, f"{len(packed):,} bytes"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{asked.game}.safetensors.gz").write_bytes(packed)
    print(f"{len(packed):,} bytes")


def pack(name: str, data: bytes) -> bytes:
    """The bytes of the file that ships, of those that `gdl learn` has written."""
    game = gdl.load(name)
    assert isinstance(game, RulesGame)
    arrays, texts = tensors.read(data, name)
    arrays["weight"] = array("f", [round(weight * STEPS) / STEPS for weight in arrays["weight"]])
    texts["evaluation"] = rules_fingerprint(game.model, with_evaluation=True)
    return gzip.compress(tensors.encode_tensors(arrays, texts), 9, mtime=0)


if __name__ == "__main__":
    main()
