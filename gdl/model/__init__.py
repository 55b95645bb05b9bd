"""The checked game: its core forms, its types and boards, and what its file says about notation and weights."""
