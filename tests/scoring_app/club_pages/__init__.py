"""The pages of clubs and sessions over HTTP."""
