"""Pictures of game trees, free of any format: what is drawn at each node and edge, and what is folded."""

from gdl.render.picture.build import picture, title_of
from gdl.render.picture.picture_tree import Bounds, Picture, PictureGroup, PictureNode, Shape

__all__ = ["Bounds", "Picture", "PictureGroup", "PictureNode", "Shape", "picture", "title_of"]
