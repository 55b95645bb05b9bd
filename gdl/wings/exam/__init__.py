"""The exam desk: trees made, printed and graded. Functions that need a solver get it as an argument from the
commands."""
