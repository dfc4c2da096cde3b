"""A server on the loopback that speaks as much of OpenAI's chat API as a single turn needs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


@contextmanager
def standin(reply: Callable[[str], str]) -> Iterator[str]:
    """The base URL of a model that answers the last user message with `reply` of it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond({"object": "list", "data": [{"id": "standin", "object": "model"}]})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = [m["content"] for m in request["messages"] if m["role"] == "user"][-1]
            if not isinstance(asked, str):
                asked = "".join(part["text"] for part in asked)
            message = {"role": "assistant", "content": reply(asked)}
            head = {"id": "standin", "created": 0, "model": request["model"]}
            if request.get("stream"):
                self.stream(
                    [
                        {**head, "choices": [{"index": 0, "delta": message}]},
                        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
                        {**head, "choices": [], "usage": _USAGE},
                    ]
                )
            else:
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                whole = {"object": "chat.completion", "choices": [choice], "usage": _USAGE}
                self.respond({**head, **whole})

        def stream(self, chunks: list[dict[str, Any]]) -> None:
            events = [json.dumps({"object": "chat.completion.chunk", **c}) for c in chunks]
            lines = "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"])
            self.send(lines.encode(), "text/event-stream")

        def respond(self, body: Any) -> None:
            self.send(json.dumps(body).encode(), "application/json")

        def send(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
