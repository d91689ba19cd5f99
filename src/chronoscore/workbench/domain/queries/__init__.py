"""Reading: every function takes an access and gives only what its visitor may see."""
