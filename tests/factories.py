"""Makers of stored things for tests; each makes the least that is valid."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone
from factory.declarations import Sequence
from factory.django import DjangoModelFactory

from rules_app.models import Revision, Ruleset


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = Sequence("player{}".format)


def publish(slug: str, document: str) -> Revision:
    """A published revision of a new ruleset."""
    ruleset = Ruleset.objects.create(slug=slug, name_zh=slug, name_en=slug)
    return Revision.objects.create(
        ruleset=ruleset, number=1, document=document, status=Revision.Status.PUBLISHED, published_at=timezone.now()
    )
