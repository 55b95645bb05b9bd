"""The commands of gdl, one file for each group of them; gdl/cli.py is the way in."""
