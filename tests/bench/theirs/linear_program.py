"""HiGHS alone on the linear program that gdl makes of a game: `linear_program.py GAME` prints what its run took, as it
chooses by itself, and the value that it finds, in floating point."""

from __future__ import annotations

import importlib
import json
import sys
from time import process_time
from typing import Any

import gdl
from gdl.commands import engines
from gdl.game import known
from solvers.equilibria.positions import explore
from solvers.equilibria.sequence_form import MOST_PARTS, program_of
from solvers.equilibria.sequences import sequences


def main(name: str) -> None:
    title, *settings = name.split(",")
    game = gdl.loads(*gdl.read(title), settings=dict(setting.split("=") for setting in settings)).game
    form = sequences(explore(engines.offer(game, "wasm")))
    program = program_of(form)
    try:
        highspy: Any = importlib.import_module("highspy")
        numpy: Any = importlib.import_module("numpy")
    except ModuleNotFoundError as why:
        print(json.dumps({"missing": str(why)}))
        return
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    for j in range(program.variables):
        solver.addVar(0, highspy.kHighsInf)
        solver.changeColCost(j, -float(program.objective.get(j, 0)))
    for i, row in enumerate(program.rows):
        upper = float(program.bounds[i])
        lower = upper if i in program.equalities else -highspy.kHighsInf
        columns = numpy.array(list(row), dtype="int32")
        solver.addRow(lower, upper, len(row), columns, numpy.array([float(a) for a in row.values()]))
    began = process_time()
    solver.run()
    seconds = process_time() - began
    parts = form.under if form.under <= MOST_PARTS else 1  # of the payoffs that the program has
    least = float(min(known(utilities[0]) for utilities in form.positions.utilities()))
    print(json.dumps({"seconds": seconds, "value": -solver.getInfo().objective_function_value / parts + least}))


if __name__ == "__main__":
    main(sys.argv[1])
