"""What tree search asks of the kernel that is joined with it where actions take cells for good."""

def uct_note_cell(child: int, parent: int) -> None:
    """What the parent's mover makes of a child that takes a cell."""

def uct_learn_cells() -> None:
    """What a simulation says of the cells that players came to hold."""

def uct_forget_cells(first_child: int, rows: int) -> None:
    """Nothing is known of the cells of so many new nodes."""

def uct_move_cell(node: int, to: int) -> None:
    """What is known of a node's cell belongs to another number."""
