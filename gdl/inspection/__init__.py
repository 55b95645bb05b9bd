"""A game file held to itself: findings by play, its `expect` lines, the coverage of its rules."""
