"""A program that imports the solvers by both of their names, and ends with an error unless they are the same modules."""

OLD_AND_NEW = """
import solvers.minimax.alpha_beta as old
import gdl
import gdl.solvers.minimax.alpha_beta as new
import solvers
from solvers import SOLVERS, auto
from solvers.mcts import mcts
assert solvers is gdl.solvers and old is new and auto is gdl.solvers.auto and mcts is gdl.solvers.mcts.mcts
assert isinstance(SOLVERS["nash"], gdl.solvers.solver.Solver) and new.__spec__.name == new.__name__
import importlib.util, pickle
assert pickle.loads(b"csolvers.auto\\nPick\\n.") is gdl.solvers.auto.Pick
assert importlib.util.find_spec("solvers.nothing") is None
print(solvers.solve(gdl.load("prisoners")).value[0])
"""
