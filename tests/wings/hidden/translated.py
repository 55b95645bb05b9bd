"""The searches of games with hidden information, as tests of the translation make them."""

from gdl.wings.hidden.memory_texts import Remembering
from gdl.wings.hidden.sampling import Sampling
from gdl.wings.hidden.simulations import Simulations
from gdl.wings.hidden.unfolding import Unfolding

TRANSLATED = {Unfolding: (Unfolding,), Simulations: (Simulations,), Sampling: (Sampling,)}
SHARED = {Remembering}
