"""What a tree of simulations asks of the search that grows it."""

def tree_longest() -> int:
    """The plies of a simulation, at most, within the tree."""

def tree_expand(node: int, last: int) -> int:
    """Take room for the children of a node, the last of the path; 0 where none is left."""

def tree_choose(node: int) -> int:
    """The child of a decision that a simulation goes on to."""

def tree_join(child: int, parent: int, kind: int) -> int:
    """A new node, whose state is there, joins the tree: how, one of JOIN_…"""

def tree_stop(node: int, last: int) -> None:
    """The simulation comes to no new node, but to this one, which is proven or has no room below it."""

def tree_visit(node: int) -> None:
    """The gain of the simulation is added to a node of its path."""

def tree_note(node: int, parent: int) -> None:
    """What the parent's mover makes of a node about which something is new."""

def tree_pays(node: int, player: int) -> int:
    """What a proven node is worth to a player, times DENOMINATOR."""

def tree_compare(child: int, best: int, parent: int, player: int) -> None:
    """A proven child is worth less to the parent's mover than the best of them, or as much: that is noted."""

def tree_prove(node: int, best: int) -> None:
    """The node is worth as much as one of its children: that is noted."""

def tree_rest() -> None:
    """Forget the simulation that is going on."""

def tree_move(node: int, to: int) -> None:
    """Give a node another number, which is no greater: what the search itself knows of it."""

def tree_goes_on() -> int:
    """The first node is another root: whether the search can go on from it."""
