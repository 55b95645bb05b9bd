"""The functions that tree search needs of `taking`, in games whose actions take cells for good."""

def uct_note_cell(child: int, parent: int) -> None:
    """Note the estimate, for the parent's mover, of a child whose action takes a cell."""

def uct_learn_cells() -> None:
    """Learn from the end of a simulation, at which players hold cells."""

def uct_forget_cells(first_child: int, rows: int) -> None:
    """Clear the values of the cells of `rows` new nodes."""

def uct_move_cell(node: int, to: int) -> None:
    """Move the values of a node's cell to another node number."""
