"""The commands of gdl, one file for each group of them; cli.py is the way in."""
