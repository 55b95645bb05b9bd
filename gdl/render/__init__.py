"""Ways to show an answer, one module each."""
