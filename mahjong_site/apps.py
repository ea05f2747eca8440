"""The site as an app: its system checks, its templates' tags, its commands."""

from __future__ import annotations

from django.apps import AppConfig


class MahjongSiteConfig(AppConfig):
    name = "mahjong_site"
    verbose_name = "Mahjong Referee"

    def ready(self) -> None:
        from mahjong_site import checks  # noqa: F401, PLC0415 -- registers the checks once apps are ready
