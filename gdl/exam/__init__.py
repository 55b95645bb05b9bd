"""The exam desk: trees explained, graded and made. What needs a solver is given one by the commands."""
