"""Makers of stored things for tests; each makes the least that is valid."""

from __future__ import annotations

from django.contrib.auth.models import User
from factory.declarations import Sequence
from factory.django import DjangoModelFactory


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = Sequence("player{}".format)
