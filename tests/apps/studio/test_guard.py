"""The guard refuses forged requests; it is asked without a port."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tiler.apps.studio.guard import MOST_BYTES, MOST_TOKEN_BYTES, MOST_WRONG_TOKENS, Guard

PORT = 8520
HOST = f"127.0.0.1:{PORT}"
BURST = 20.0  # requests at once; the page may make more
HOME = {"host": HOST, "origin": f"http://{HOST}", "sec-fetch-site": "same-origin", "content-type": "application/json"}


async def inner(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body and answers everything."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"inside"})


def guarded(now: Callable[[], float] = lambda: 0.0) -> Guard:
    return Guard(inner, PORT, scripts=["sha256-abc="], now=now)


def ask(guard: Guard, method: str = "POST", path: str = "/api/lay", **how: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=guard)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, **how)

    return asyncio.run(asked())


def entered(guard: Guard) -> dict[str, str]:
    """Headers with the cookie."""
    reply = ask(guard, path="/enter", headers=HOME, json={"token": guard.new_token()})
    assert reply.status_code == 204
    return {**HOME, "cookie": reply.headers["set-cookie"].partition(";")[0]}


def without(headers: dict[str, str], *names: str, **others: str) -> dict[str, str]:
    return {**{name: value for name, value in headers.items() if name not in names}, **others}


def test_the_page_itself_is_let_in() -> None:
    guard = guarded()
    assert ask(guard, headers=entered(guard), content=b"{}").text == "inside"
    assert ask(guard, "GET", "/", headers={"host": HOST, "sec-fetch-site": "none"}).status_code == 200
    assert ask(guard, "GET", "/main.js", headers={"host": f"localhost:{PORT}", "sec-fetch-site": "same-origin"}).text == "inside"
    assert ask(guard, "GET", "/main.js", headers={"host": f"[::1]:{PORT}"}).text == "inside"


#: Nineteen kinds of forged requests: how each differs from one of the page, and the status of the refusal.
FORGED: dict[str, tuple[dict[str, Any], int]] = {
    "another host": ({"host": "example.org"}, 421),
    "another host with the port": ({"host": f"example.org:{PORT}"}, 421),
    "a host that begins as ours does": ({"host": f"127.0.0.1.example.org:{PORT}"}, 421),
    "a host that ends as ours does": ({"host": f"xlocalhost:{PORT}"}, 421),
    "our host with another port": ({"host": "127.0.0.1:9999"}, 421),
    "our host without a port": ({"host": "127.0.0.1"}, 421),
    "all addresses": ({"host": f"0.0.0.0:{PORT}"}, 421),
    "a rebound host with its own origin": ({"host": f"evil.test:{PORT}", "origin": f"http://evil.test:{PORT}"}, 421),
    "another origin": ({"origin": "https://example.org"}, 403),
    "no origin to speak of": ({"origin": "null"}, 403),
    "the origin of another port": ({"origin": "http://127.0.0.1:9999"}, 403),
    "the origin by another scheme": ({"origin": f"https://{HOST}"}, 403),
    "another site": ({"sec-fetch-site": "cross-site"}, 403),
    "another port of this machine": ({"sec-fetch-site": "same-site"}, 403),
    "a frame of another page": ({"sec-fetch-dest": "iframe"}, 403),
    "a form": ({"content-type": "application/x-www-form-urlencoded"}, 415),
    "a text": ({"content-type": "text/plain"}, 415),
    "no cookie": ({"cookie": ""}, 403),
    "the cookie of another studio": ({"cookie": f"tiler-studio-{PORT}=AAAA"}, 403),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_request_is_refused(kind: str) -> None:
    changed, status = FORGED[kind]
    guard = guarded()
    reply = ask(guard, headers={**entered(guard), **changed}, content=b"{}")
    assert reply.status_code == status
    assert reply.json()["error"]


def test_nothing_that_does_something_says_nothing_of_where_it_comes_from() -> None:
    guard = guarded()
    assert ask(guard, headers=without(entered(guard), "origin", "sec-fetch-site"), content=b"{}").status_code == 403


def test_a_header_is_not_given_twice() -> None:
    guard = guarded()
    twice = [*entered(guard).items(), ("host", HOST)]
    assert ask(guard, headers=twice, content=b"{}").status_code == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(method: str) -> None:
    guard = guarded()
    assert ask(guard, method, headers=entered(guard)).status_code == 405


def test_a_page_of_another_site_cannot_open_the_studio() -> None:
    assert ask(guarded(), "GET", "/", headers={"host": HOST, "sec-fetch-site": "cross-site"}).status_code == 403


def test_a_websocket_is_closed() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    asyncio.run(guarded()({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_a_token_is_used_once_and_the_refusal_says_how_to_get_another() -> None:
    guard = guarded()
    token = guard.new_token()
    first = ask(guard, path="/enter", headers=HOME, json={"token": token})
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"tiler-studio-{PORT}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    again = ask(guard, path="/enter", headers=HOME, json={"token": token})
    assert again.status_code == 403
    assert "used before; press Enter in the terminal" in again.json()["error"]
    own = {**HOME, "cookie": cookie.partition(";")[0]}
    assert ask(guard, path="/enter", headers=own, json={"token": token}).status_code == 204
    assert ask(guard, path="/enter", headers=HOME, json={"token": guard.new_token()}).status_code == 204


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"token": 1}', b'{"token": ""}', b"[" * MOST_TOKEN_BYTES])
def test_no_token_is_refused(body: bytes) -> None:
    assert ask(guarded(), path="/enter", headers=HOME, content=body).status_code == 400


def test_a_token_is_not_taken_from_a_link_that_is_opened() -> None:
    guard = guarded()
    assert ask(guard, "GET", f"/enter?token={guard.new_token()}", headers={"host": HOST}).status_code == 405


def test_tokens_cannot_be_tried_out() -> None:
    guard = guarded()
    token = guard.new_token()
    for _ in range(MOST_WRONG_TOKENS):
        assert ask(guard, path="/enter", headers=HOME, json={"token": "wrong"}).status_code == 403
    assert ask(guard, path="/enter", headers=HOME, json={"token": token}).status_code == 429
    assert ask(guard, path="/enter", headers=HOME, json={"token": guard.new_token()}).status_code == 204


def test_a_request_has_a_size() -> None:
    guard = guarded()
    headers = entered(guard)
    assert ask(guard, headers={**headers, "content-length": str(MOST_BYTES + 1)}, content=b"").status_code == 413

    async def parts() -> Any:
        for _ in range(MOST_BYTES // (1 << 20) + 1):
            yield bytes(1 << 20)

    assert ask(guard, headers=headers, content=parts()).status_code == 413
    assert ask(guard, headers={**headers, "x-long": "x" * 40_000}, content=b"").status_code == 431


def test_too_many_requests_are_refused_until_some_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.apps.studio.guard.BURST", BURST)
    clock = [0.0]
    guard = guarded(lambda: clock[0])
    for _ in range(int(BURST)):
        assert ask(guard, "GET", "/", headers={"host": HOST}).status_code == 200
    assert ask(guard, "GET", "/", headers={"host": HOST}).status_code == 429
    clock[0] = 1.0
    assert ask(guard, "GET", "/", headers={"host": HOST}).status_code == 200


def test_every_reply_tells_the_browser_what_the_page_may_do() -> None:
    guard = guarded()
    for reply in (
        ask(guard, "GET", "/", headers={"host": HOST}),
        ask(guard, headers={"host": "evil.test"}),
        ask(guard, headers=entered(guard), content=b"{}"),
    ):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self' 'sha256-abc='" in policy
        assert "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"]


def test_another_site_does_not_use_up_the_requests_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.apps.studio.guard.BURST", BURST)
    guard = guarded()
    for _ in range(int(BURST) + 1):
        assert ask(guard, "GET", "/icon.svg", headers={"host": HOST, "sec-fetch-site": "cross-site"}).status_code == 403
    assert ask(guard, "GET", "/", headers={"host": HOST}).status_code == 200


def test_whoever_has_no_cookie_sends_little() -> None:
    assert ask(guarded(), path="/enter", headers=HOME, content=bytes(MOST_TOKEN_BYTES + 1)).status_code == 413


def test_a_request_that_does_not_come_to_its_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tiler.apps.studio.guard.BODY_SECONDS", 0.0)
    guard, sent = guarded(), list[Any]()

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(name.encode(), value.encode()) for name, value in HOME.items()]
    asyncio.run(guard({"type": "http", "method": "POST", "path": "/enter", "headers": headers}, receive, send))
    assert sent[0]["status"] == 408
