"""The objects that lower one game, and which of the others each of them uses."""

from __future__ import annotations

from gdl.compiler.lower.context import Context
from gdl.compiler.lower.counting import Counting
from gdl.compiler.lower.ends import Ends
from gdl.compiler.lower.joint_heads import JointHeads
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.plies import Plies
from gdl.compiler.lower.rows import Rows


class Lowering:
    """The lowering of one game: its objects are made from the inside out, so that each is given those that it uses."""

    def __init__(self, context: Context):
        self.context = context
        inner = Naming(context)
        self.rules = inner.rules
        self.past = self.bodies = self.choices = self.naming = inner
        joint_heads = JointHeads(context, inner, inner, inner, inner, inner)
        self.rows = Rows(context, inner, inner, inner.rules, inner, inner, inner, joint_heads)
        self.ends = Ends(context, inner, self.rules)
        self.plies = Plies(context, self.rules, inner, inner)
        self.counting = Counting(context, inner, self.rules, inner, joint_heads, self.rows, self.plies)

    def write(self, features: bool) -> None:
        """All functions that follow from the rules alone; `features`: those of EVAL(s) one by one as well."""
        self.ends.write_status()
        self.ends.write_status_after()
        self.rows.write_listing()
        self.plies.write_moves()
        self.rows.write_bodies()
        self.rows.write_perform()
        self.plies.write_apply()
        self.counting.write()
        self.plies.write_apply_joint()
        self.ends.write_evaluation()
        self.ends.write_quiet()
        if features:
            self.ends.write_features()
        self.past.write_past()
