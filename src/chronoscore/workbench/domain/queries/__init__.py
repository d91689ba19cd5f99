"""Reading: every function takes a `Place` and gives only what its visitor may see."""
