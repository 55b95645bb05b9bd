"""The weights of an evaluation as a text file: one line for each feature, its weight before it.

```
# What men and steps are worth in breakthrough.
0.0312  men(Black) - men(White)
-0.004  steps(Black) - steps(White)
```

A feature is written as in the game's file, without its weight there; `#` begins a remark. Reading such a file can do
nothing but fill in numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction

from gdl.errors import DamagedData, clean
from gdl.game import Number, exact
from gdl.model.games import Model, RulesModel

LARGEST = 1 << 16  # bytes of a file
_LINE = re.compile(r"([+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?)\s+(\S.*)", re.ASCII)


def features(model: RulesModel) -> list[str]:
    """The names of the features: their text, on one line."""
    return [" ".join(clean(feature.text).split()) for feature in model.features]


def with_weights(model: Model, text: str, name: str) -> RulesModel:
    """The model with the weights of a file's text, which is called `name`.

    Raises DamagedData where the text is no such file, or is not about the features of this game.
    """
    wanted = features(model) if isinstance(model, RulesModel) else []
    if not isinstance(model, RulesModel) or not wanted:
        raise DamagedData(f"{clean(name)} is of no use: {clean(model.name)} has no evaluate section to be weighed")
    found: dict[str, Number] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = f"{clean(name)}, line {number}"
        row = _LINE.fullmatch(line.strip())
        if row is None:
            raise DamagedData(f"{place}: a line is a number and a feature, as in '0.5  {wanted[0]}'")
        feature = " ".join(row[2].split())
        if feature not in wanted or feature in found:
            what = "is weighed twice" if feature in found else f"is no feature of {clean(model.name)}"
            raise DamagedData(f"{place}: '{clean(feature)}' {what}")
        found[feature] = exact(Fraction(row[1]))
    missing = [feature for feature in wanted if feature not in found]
    if missing:
        raise DamagedData(f"{clean(name)} has no weight for '{missing[0]}'")
    weights = zip(model.features, wanted, strict=True)
    return model.copy_with(features=tuple(feature.copy_with(weight=found[text]) for feature, text in weights))
