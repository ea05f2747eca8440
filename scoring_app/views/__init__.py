"""Pages of the tables, by subject: opening one, looking at it, recording, single entries, everything else."""
