"""Symmetries of a game: renamings of cells, values and players after which it is the same game.

    rules -written-> one term -search-> renamings that turn it into itself -group-> images of positions

A position and its image have the same value, with the players renamed as the symmetry says, whether play can reach
the image or not: nothing here asks where a game starts.
"""
