"""Teams and welfare: plans with the greatest sum of utilities."""
