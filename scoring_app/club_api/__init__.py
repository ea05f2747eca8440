"""Clubs, sessions, statistics and jobs over HTTP, for accounts and their tokens."""
