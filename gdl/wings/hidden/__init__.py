"""Games with hidden information on the compiled engine: unfolded, learnt by samples, and searched for a move."""
