"""The cache: models of game files that have not changed, and their code, kept between two starts."""
