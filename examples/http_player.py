"""A player that is a program of its own: it answers each decision over HTTP.

    python examples/http_player.py 9000
    jaxcards evaluate http://127.0.0.1:9000 random --game euchre --deals 100

It needs only Python, and plays the legal action of the lowest number. docs/opponents.md describes the
messages.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Player(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        choices = question["view"]["choices"]
        legal = [choice["action"] for choice in choices if not choice["forbidden"]]
        answer = json.dumps({"action": min(legal)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    with ThreadingHTTPServer(("127.0.0.1", port), Player) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
