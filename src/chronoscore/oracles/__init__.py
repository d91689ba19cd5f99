"""How good could any system be? Oracles, ceilings and hard instances."""
