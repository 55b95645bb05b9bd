"""The kernel that folds states."""
