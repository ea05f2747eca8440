"""Routes. The apps own their pages; what is here belongs to the site."""

from __future__ import annotations

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from mahjong_site import health, views

handler400 = "mahjong_site.errors.bad_request"
handler403 = "mahjong_site.errors.permission_denied"
handler404 = "mahjong_site.errors.page_not_found"
handler500 = "mahjong_site.errors.server_error"

# The API browser ships a page with inline styles of its own.
api_docs = csp_update({"style-src": [SELF, UNSAFE_INLINE]})(SpectacularSwaggerSplitView.as_view(url_name="api_schema"))

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("rules_app.urls")),
    path("", include("scoring_app.urls")),
    path("", include("scoring_app.export_urls")),
    path("", include("scoring_app.club_urls")),
    path("api/v1/", include("rules_app.api_urls")),
    path("api/v1/", include("scoring_app.api_urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("api/docs/", api_docs, name="api_docs"),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
