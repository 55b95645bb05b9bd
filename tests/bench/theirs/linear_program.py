"""HiGHS alone on the linear program of a game's sequences: `linear_program.py GAME [left]` prints what its run took, as
it chooses by itself, and the value that it finds, in floating point. `left`: on what gdl leaves of the program."""

from __future__ import annotations

import json
import sys
from time import process_time

import gdl
from gdl.commands import engines
from gdl.game import require_number
from gdl.solvers.equilibria.highs import is_installed, load_into_highs
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.sequence_form import MOST_PARTS, program_of
from gdl.solvers.equilibria.sequences import prune_sequences, sequences


def main(name: str, part: str = "") -> None:
    title, *settings = name.split(",")
    game = gdl.loads(*gdl.read(title), settings=dict(setting.split("=") for setting in settings)).game
    form = sequences(explore(engines.offer(game, "wasm")))
    program = program_of(form, prune_sequences(form) if part == "left" else None)
    if not is_installed():
        print(json.dumps({"missing": "highspy"}))
        return
    solver = load_into_highs(program)
    began = process_time()
    solver.run()
    seconds = process_time() - began
    parts = form.under if form.under <= MOST_PARTS else 1  # of the payoffs that the program has
    least = float(min(require_number(utilities[0]) for utilities in form.positions.utilities()))
    print(json.dumps({"seconds": seconds, "value": -solver.getInfo().objective_function_value / parts + least}))


if __name__ == "__main__":
    main(*sys.argv[1:])
