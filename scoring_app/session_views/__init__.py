"""Pages of a session: players, seats, tables, clock, devices, settling up; the hall."""
