"""Let only the page of this studio in: an ASGI application around the whole server, which refuses whatever it does not know.

A page of another site can make a browser send requests to this machine. So the host must be this machine by one of its own names,
with the port (else a name of a foreign site could be bound to it), requests must come from the studio's own page, and all that
does something needs a cookie, which is given once for the token of a link. Other users of the machine do not know the token.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 16 << 20  #: of a request
MOST_TOKEN_BYTES = 4 << 10  #: of a request that shows a token; its sender is not known yet
BODY_SECONDS = 60.0  #: in which a request has to be here
MOST_HEADER_BYTES = 32 << 10
RATE, BURST = 60.0, 600.0  #: requests a second in the long run, and at once
MOST_WRONG_TOKENS = 20
ENTER = "/enter"  #: where a token is exchanged

_ANOTHER = "press Enter in the terminal in which tiler studio runs: it prints a link for the address of this page"
_POLICY = (
    "default-src 'self'; script-src 'self'{scripts}; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class _Refused(Exception):  # noqa: N818
    """A request is refused: its status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Guard:
    """The application that lets requests through to another one. `scripts` are hashes of inline scripts that the page may run
    (`sha256-...`)."""

    def __init__(self, app: App, port: int, *, scripts: Iterable[str] = (), now: Callable[[], float] = time.monotonic) -> None:
        self._app, self._port, self._now = app, port, now
        self._hosts = frozenset(f"{host}:{port}" for host in ("localhost", "127.0.0.1", "[::1]"))
        self._tokens: set[str] = set()
        self._spent: set[str] = set()
        self._wrong = 0
        self._secret = secrets.token_urlsafe(32)
        self._tickets, self._filled = BURST, now()
        policy = _POLICY.format(scripts="".join(f" '{hash}'" for hash in scripts))
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    @property
    def cookie_name(self) -> str:
        """The name of the cookie; servers on other ports have others."""
        return f"tiler-studio-{self._port}"

    def new_token(self) -> str:
        """A token for a link, which can be used once."""
        token = secrets.token_urlsafe(24)
        self._tokens.add(token)
        self._wrong = 0
        return token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            return
        guarded = self._with_headers(scope, send)
        try:
            headers = self._check(scope)
            body = _Body(receive, MOST_TOKEN_BYTES if scope["path"] == ENTER else MOST_BYTES)
            if scope["path"] == ENTER:
                await self._enter(headers, body, guarded)
                return
            if scope["path"].startswith("/api/") and not self._has_cookie(headers):
                raise _Refused(403, f"this page has no access to the studio; {_ANOTHER}")
            await self._app(scope, body.receive, guarded)
        except _Refused as refused:
            await _reply(guarded, refused.status, {"error": refused.why})

    def _check(self, scope: Scope) -> dict[bytes, list[bytes]]:
        """The headers of a request that may pass."""
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            raise _Refused(431, "the headers are too long")
        host = self._only(headers, b"host")
        if host not in self._hosts:
            raise _Refused(421, "this is the studio of this machine: open it as http://127.0.0.1 with its port")
        origin, site = self._only(headers, b"origin"), self._only(headers, b"sec-fetch-site")
        if origin is not None and origin != f"http://{host}":
            raise _Refused(403, "requests of other sites are refused")
        is_navigation = scope["method"] == "GET" and scope["path"] == "/"
        if site not in (None, "same-origin", *(["none"] if is_navigation else [])):
            raise _Refused(403, "requests of other sites are refused; open the link that the terminal shows by itself")
        if self._only(headers, b"sec-fetch-dest") in ("iframe", "frame", "embed", "object", "fencedframe"):
            raise _Refused(403, "the studio is no part of another page")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise _Refused(405, "requests are GET or POST")
        if scope["method"] == "POST":
            self._check_post(headers, origin, site)
        self._take_ticket()  # Last, so that another site cannot use them up.
        return headers

    def _check_post(self, headers: dict[bytes, list[bytes]], origin: str | None, site: str | None) -> None:
        if origin is None and site is None:
            raise _Refused(403, "a request that does something must say where it comes from")
        kind = (self._only(headers, b"content-type") or "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refused(415, "requests are JSON")
        length = self._only(headers, b"content-length")
        if length is not None and (not length.isdecimal() or int(length) > MOST_BYTES):
            raise _Refused(413, f"a request has at most {MOST_BYTES >> 20} MB")

    def _only(self, headers: dict[bytes, list[bytes]], name: bytes) -> str | None:
        values = headers.get(name, [])
        if len(values) > 1:
            raise _Refused(400, f"{name.decode()} is given twice")
        return values[0].decode("latin-1") if values else None

    def _take_ticket(self) -> None:
        """Count a request; refuse it if there are too many."""
        now = self._now()
        self._tickets = min(BURST, self._tickets + (now - self._filled) * RATE)
        self._filled = now
        if self._tickets < 1:
            raise _Refused(429, "too many requests; wait a second")
        self._tickets -= 1

    def _has_cookie(self, headers: dict[bytes, list[bytes]]) -> bool:
        for value in headers.get(b"cookie", []):
            try:
                cookies = SimpleCookie(value.decode("latin-1"))
            except CookieError:
                continue
            found = cookies.get(self.cookie_name)
            if found is not None and hmac.compare_digest(found.value.encode(), self._secret.encode()):
                return True
        return False

    async def _enter(self, headers: dict[bytes, list[bytes]], body: _Body, send: Send) -> None:
        """Exchange a token for the cookie."""
        if b"content-type" not in headers:
            raise _Refused(405, "the token is sent by POST")
        token = _token_of(await body.read())
        if self._wrong >= MOST_WRONG_TOKENS:
            raise _Refused(429, f"too many wrong tokens; {_ANOTHER}")
        if self._has_cookie(headers) and token in self._spent:
            await _reply(send, 204, None)
            return
        if token in self._spent:
            raise _Refused(403, f"this link was used before; {_ANOTHER}")
        known = [one for one in self._tokens if hmac.compare_digest(one.encode(), token.encode())]
        if not known:
            self._wrong += 1
            raise _Refused(403, f"this link is not one of this studio; {_ANOTHER}")
        self._tokens.discard(known[0])
        self._spent.add(known[0])
        cookie = f"{self.cookie_name}={self._secret}; Path=/; HttpOnly; SameSite=Strict"
        await _reply(send, 204, None, [(b"set-cookie", cookie.encode())])

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        """A function that sends with the headers that keep the page safe."""
        stored = b"no-store" if scope["path"].startswith(("/api/", ENTER)) else b"no-cache"

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message.get("headers", [])}
                added = [*self._headers, (b"cache-control", stored)]
                more = [(name, value) for name, value in added if name not in own]
                message = {**message, "headers": [*message.get("headers", []), *more]}
            await send(message)

        return guarded


class _Body:
    """The body of a request, which must not be too long, whatever its headers say."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most = receive, most
        self._bytes, self._is_over = 0, False

    async def receive(self) -> Message:
        try:
            # Once the body is over, the application waits for the end of the connection.
            async with asyncio.timeout(None if self._is_over else BODY_SECONDS):
                message = await self._receive()
        except TimeoutError:
            raise _Refused(408, "the request did not come to its end") from None
        self._is_over = not message.get("more_body", False)
        self._bytes += len(message.get("body", b""))
        if self._bytes > self._most:
            raise _Refused(413, f"a request has at most {self._most:,} bytes")
        return message

    async def read(self) -> bytes:
        parts = []
        while True:
            message = await self.receive()
            if message["type"] != "http.request":
                raise _Refused(400, "the request broke off")
            parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                return b"".join(parts)


def _token_of(body: bytes) -> str:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        data = None
    token = data.get("token") if isinstance(data, dict) else None
    if not isinstance(token, str) or not 0 < len(token) <= 200:
        raise _Refused(400, 'the body is {"token": "..."}')
    return token


async def _reply(send: Send, status: int, content: object, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body = b"" if content is None else json.dumps(content).encode()
    kind = [] if content is None else [(b"content-type", b"application/json")]
    all_headers = [*kind, (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body})
