"""The exam desk: trees explained, graded and made. Functions that need a solver get it as an argument from the
commands."""
