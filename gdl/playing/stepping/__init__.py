"""Games that programs step: environments, the numbers of their actions, and what is observed."""
