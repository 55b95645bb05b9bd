"""Games that programs step: environments, and those of Gymnasium, PettingZoo and OpenSpiel."""
