"""A believable club with a season in several games, made from a seed with the functions that a real club uses."""
