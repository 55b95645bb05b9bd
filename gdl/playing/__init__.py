"""Games played: by people, by the computer, by programs."""
