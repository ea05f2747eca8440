"""The frame of every page: languages, theme, headers, refusals."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from urllib.parse import urlencode

import pytest
from django.test import Client, RequestFactory
from django.test.client import MULTIPART_CONTENT
from django.utils import translation

from mahjong_site.context import doors
from mahjong_site.errors import server_error

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("accepted", "language", "title"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.5", "zh-hans", "麻将裁判"),
        ("zh-TW", "zh-hans", "麻将裁判"),
        ("en-US,en;q=0.9", "en", "Mahjong Referee"),
        ("fr", "zh-hans", "麻将裁判"),
    ],
)
def test_home_speaks_the_browsers_language(client: Client, accepted: str, language: str, title: str):
    page = client.get("/", headers={"accept-language": accepted}).content.decode()

    assert f'<html lang="{language}">' in page
    assert f"<title>{title}</title>" in page


@pytest.mark.django_db
def test_the_pages_for_accounts_speak_one_language(client: Client):
    page = client.get("/accounts/login/", headers={"accept-language": "zh-CN"}).content.decode()

    assert "用户名或邮箱" in page


def test_the_switch_outweighs_the_browser_and_returns_to_the_page(client: Client):
    answer = client.post("/i18n/setlang/", {"language": "en", "next": "/accounts/login/"}, headers={"accept-language": "zh-CN"})

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert '<html lang="en">' in client.get("/", headers={"accept-language": "zh-CN"}).content.decode()


def test_the_switch_never_leads_to_another_site(client: Client):
    answer = client.post("/i18n/setlang/", {"language": "en", "next": "https://example.org/"})

    assert answer["Location"] == "/"


@pytest.mark.parametrize(("cookie", "attribute"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ('"><script>', "")])
def test_a_chosen_theme_is_there_from_the_first_byte(client: Client, cookie: str, attribute: str):
    client.cookies["theme"] = cookie

    page = client.get("/", headers={"accept-language": "en"}).content.decode()

    assert f'<html lang="en"{attribute}>' in page


def test_pages_carry_strict_headers_and_no_inline_code(client: Client):
    answer = client.get("/")
    page = answer.content.decode()

    assert set(answer["Content-Security-Policy"].split("; ")) == {
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    }
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cache-Control"] == "private"
    assert "geolocation=()" in answer["Permissions-Policy"]
    assert {"HX-Request", "Cookie", "Accept-Language"} <= {name.strip() for name in answer["Vary"].split(",")}
    assert "<style" not in page
    assert " style=" not in page
    assert "<script>" not in page


def test_the_api_pages_keep_their_own_style_exception_to_themselves(client: Client):
    assert "style-src 'self' 'unsafe-inline'" in client.get("/api/docs/")["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/nowhere/", "/nowhere"])
def test_a_wrong_address_gets_a_page_in_the_readers_language(client: Client, path: str):
    answer = client.get(path, headers={"accept-language": "zh-CN"})

    assert answer.status_code == 404
    assert "这个地址没有内容" in answer.content.decode()


def test_a_wrong_address_of_the_api_gets_json(client: Client):
    answer = client.get("/api/v1/nowhere/", headers={"accept-language": "en"})

    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    assert answer.json()["error"]["message"].startswith("There is nothing at this address")


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "The request is too large: it has 10000000 bytes, and at most 2621440 are read."),
        ("zh-CN", "请求太大：共 10000000 字节，最多只读 2621440 字节。"),
    ],
)
def test_a_client_that_sends_too_much_still_reads_the_answer(live_server, language: str, message: str):
    """A socket that closed while the body was under way would show as a broken pipe."""
    headers = {"Content-Type": "application/json", "Accept-Language": language}
    request = urllib.request.Request(f"{live_server.url}/api/v1/anything/", data=b"x" * 10_000_000, headers=headers)

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)

    assert refused.value.code == 400
    assert json.load(refused.value) == {"error": {"code": "bad_input", "message": message, "path": ""}}
    refused.value.close()


@pytest.mark.parametrize("path", ["/rules/search/?q=%00", "/rules/%00/"])
def test_a_null_character_is_refused(client: Client, path: str):
    assert client.get(path).status_code == 400


@pytest.mark.parametrize("form", [{"code": "a\x00b"}, {"\x00": "1"}])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", MULTIPART_CONTENT])
def test_a_form_with_a_null_character_is_refused(client: Client, form: dict[str, str], kind: str):
    body = form if kind == MULTIPART_CONTENT else urlencode(form)
    answer = client.post("/join/", body, content_type=kind, headers={"Accept-Language": "zh"})

    assert answer.status_code == 400
    assert "表单里有空字符" in answer.content.decode()


def test_a_form_without_its_token_is_refused_with_a_way_on():
    answer = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "en"}, headers={"accept-language": "zh-CN"})

    assert answer.status_code == 403
    assert "请刷新页面后重新提交" in answer.content.decode()


def test_a_fault_of_ours_gets_a_page_that_asks_nothing_of_the_database(rf: RequestFactory, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = server_error(rf.get("/"))

    assert answer.status_code == 500
    assert "服务器出错了" in answer.content.decode()


def test_a_fault_of_ours_answers_the_api_in_json(rf: RequestFactory):
    answer = server_error(rf.get("/api/v1/variants/"))

    assert answer.status_code == 500
    assert json.loads(answer.content)["error"]["code"] == "server_error"


@pytest.mark.parametrize(
    ("path", "door"),
    [("/score/", "Score"), ("/tables/new/", "Table"), ("/t/k3/secret/", "Table"), ("/rules/search/", "Rules"), ("/clubs/", None)],
)
def test_the_header_says_in_which_part_of_the_site_one_is(path: str, door: str | None):
    with translation.override("en"):
        current = [one.label for one in doors(path) if one.current]

    assert current == ([door] if door else [])
