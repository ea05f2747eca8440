"""Out of the ledger and into it: spreadsheets, printed sheets, and documents that import again."""
