"""The site: settings, routes, health, and what every page shares."""

from __future__ import annotations

from mahjong_site.celery import app as celery_app

__all__ = ["celery_app"]
