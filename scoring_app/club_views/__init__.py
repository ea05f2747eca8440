"""Pages of a club: members, roles, invitations, seasons, rulesets, standings."""
