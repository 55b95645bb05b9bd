# ruff: noqa: F403
"""The syntax of a file: one frozen class for each rule of grammar.lark, each with its place in the text.

A class marked `rest` gathers all remaining parts of its rule in its last field.
"""

from gdl.syntax.description import *
from gdl.syntax.explicit import *
from gdl.syntax.expressions import *
from gdl.syntax.rules import *
from gdl.syntax.statements import *
from gdl.syntax.words import *
