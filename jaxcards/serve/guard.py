"""What every request passes before the server looks at it: host, origin, pace and size; and headers."""

import contextlib
import dataclasses
import json
import time
from collections import OrderedDict
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jaxcards.serve.settings import ServeSettings
from jaxcards.view.text import Text, render

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_LOCAL = ("localhost", "127.0.0.1", "::1")
_MOST_ADDRESSES = 10_000


class _TooLarge(Exception):
    pass


class Guard:
    """Refuses what no client of ours sends, and adds headers to every answer.

    A page of another site cannot act here: its requests have its `Origin`. Nor can a name that was
    bent to this address (DNS rebinding): its requests have another `Host`.
    """

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app, self._settings = app, settings
        self._hosts = {*_LOCAL, settings.host.lower(), *(name.lower() for name in settings.names)}
        # A server on all addresses does not know its own names: unless some are given, any Host passes.
        self._any = settings.host in ("0.0.0.0", "::") and not settings.names
        self._too_long = Text("error.too_long", most=settings.max_body)
        self._pace = _Pace(settings.requests_per_second, settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]}
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _refuse(send, *refused)
            return
        await self._within_size(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, Text] | None:
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy may see another end of this body than the server does (request smuggling).
            return 400, Text("error.two_lengths")
        host = _name(headers.get("host", ""))
        if not host or not (self._any or host in self._hosts):
            return 400, Text("error.host")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != headers["host"].lower():
            return 403, Text("error.other_site")
        if not self._pace.allows((scope.get("client") or ("",))[0]):
            return 429, Text("error.too_fast")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._settings.max_body:
            return 413, self._too_long
        return None

    async def _within_size(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and break it off where its body is longer than it may be."""
        size, started, refused = 0, False, False

        # A body in chunks has no length in advance: count its bytes as they come.
        async def counted() -> Message:
            nonlocal size, refused
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._settings.max_body:
                # An answer that has begun cannot become a refusal any more.
                if not (started or refused):
                    refused = True
                    await _refuse(send, 413, self._too_long)
                raise _TooLarge
            return message

        async def marked(message: Message) -> None:
            nonlocal started
            if refused:
                return  # an answer has been given; this is what the framework makes of the error
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", []), *_header_list(scope["path"])]
            await send(message)

        with contextlib.suppress(_TooLarge):
            await self._app(scope, counted, marked)


class _Pace:
    """A bucket of requests for each address, which fills up again with time."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        now = time.monotonic()
        # Take the entry out and put it back: so entries are in the order of their last use.
        left, at = self._left.pop(address, (float(self._burst), now))
        left = min(self._burst, left + (now - at) * self._per_second)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return allowed


def _name(host: str) -> str:
    """Return the name of a host without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _header_list(path: str) -> list[tuple[bytes, bytes]]:
    # "no-cache" lets a browser keep a page, if it asks for a newer one each time.
    cache = "no-store" if path.startswith("/api/") else "no-cache"
    headers = HEADERS | {"cache-control": cache}
    return [(name.encode(), text.encode()) for name, text in headers.items()]


async def _refuse(send: Send, status: int, why: Text) -> None:
    body = json.dumps({"error": render(why, (), ()), "text": dataclasses.asdict(why)}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), *_header_list("/api/")]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    if status == 400:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
