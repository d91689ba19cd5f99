"""Upper bounds: greedy and exact extractive oracles, any-text and human ceilings."""
