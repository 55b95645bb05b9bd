"""Evaluations that are learned by self-play: tables of patterns, nets, and tree search that a net leads."""
