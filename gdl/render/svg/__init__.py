"""Pictures as SVG, with nothing but the standard library."""

from gdl.render.svg.tree import svg

__all__ = ["svg"]
