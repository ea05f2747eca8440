"""The site with one more page: every component, to be looked at and measured."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from mahjong_site import urls
from rules_app.engine.tiles import PLAYING

handler404 = urls.handler404


def gallery(request: HttpRequest) -> HttpResponse:
    return render(request, "components.html", {"keys": list(range(PLAYING))})


urlpatterns = [path("gallery/", gallery), *urls.urlpatterns]
