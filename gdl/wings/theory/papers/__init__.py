"""Answers as papers print them."""
