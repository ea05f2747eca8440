"""The rule book: what the pages of a ruleset show, made from its document and from what the engine says of its examples."""
