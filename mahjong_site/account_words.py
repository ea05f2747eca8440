"""Words of the pages for accounts whose Chinese is ours: the library's own mixes two languages (用户名或email)."""

from __future__ import annotations

from django.utils.translation import gettext_noop

WORDS = (
    gettext_noop("Username or email"),
    gettext_noop("Email Addresses"),
    gettext_noop("Email Address"),
    gettext_noop("The following email addresses are associated with your account:"),
    gettext_noop("Primary"),
    gettext_noop("Re-send Verification"),
    gettext_noop("Add Email Address"),
    gettext_noop("Add Email"),
    gettext_noop("Email Confirmation"),
    gettext_noop("Please Confirm Your Email Address"),
    gettext_noop("Confirm Email Address"),
    gettext_noop("You have confirmed %(email)s."),
    gettext_noop("Removed email address %(email)s."),
    gettext_noop("Primary email address set."),
)
