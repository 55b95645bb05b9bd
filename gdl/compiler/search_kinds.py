"""The kinds of compiled searches, by which a solver asks a game's engine for one; `Engine.search` takes the arguments
that the class of the kind takes beside the game, the state and the name of the engine."""

from __future__ import annotations

from typing import Any

from gdl import wings
from gdl.compiler import searches
from gdl.game import SearchKind

ALPHA_BETA = SearchKind("alpha-beta", lambda: searches.star_driver.alpha_beta_search)
STAR = SearchKind("star1", lambda: searches.star_driver.Star)
DEPTH_LIMITED = SearchKind("depth-limited", lambda: searches.principal_variation.PrincipalVariation)
PROOF_NUMBER = SearchKind("proof-number", lambda: searches.proof_number_driver.ProofNumber)
RETROGRADE = SearchKind("retrograde", lambda: searches.retrograde.Retrograde)
MCTS = SearchKind("mcts", lambda: searches.mcts_driver.KernelForest)
# Searches that solvers ask for beside the one of their own name:
VECTORS = SearchKind("depth-limited max^n", lambda: searches.vectors_driver.Vectors)
WINDOWS = SearchKind("depth-limited star2", lambda: searches.star_driver.Star)
UNFOLDED = "the compiled unfolding"  # the hook that has it
UNFOLDING: SearchKind[..., Any] = SearchKind(
    "unfolding", lambda: wings.hook(UNFOLDED), remembers=True, is_installed=lambda: wings.has_hook(UNFOLDED)
)
