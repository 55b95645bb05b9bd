"""A search on a tree, told to whoever learns it: its key, the names of its nodes, its steps one by one, and the least
that it must look at."""
