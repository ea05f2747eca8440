"""All that clubs, sessions, tables and ledgers can do, as JSON under /api/v1/.

`callers` says who calls and what he may, `base` and `acts` what all endpoints share; the others are one subject each.
"""
