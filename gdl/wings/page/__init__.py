"""Pages to play a game on, the site with the manual and all games, and its playground."""
