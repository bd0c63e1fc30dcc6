"""A bot that plays over HTTP: it opens a table of `jaxcards serve` and plays deals there.

    python examples/play_over_http.py http://127.0.0.1:8300 euchre 2

It needs only Python. docs/serve.md and /openapi.json of the server describe the API.
"""

import json
import random
import sys
import urllib.request


def ask(method, address, body=None, token=None):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(
        urllib.request.Request(address, data, headers, method=method)
    ) as answer:
        return json.load(answer)


def events(address, token):
    """Yield the table, now and after each action: the data of Server-Sent Events."""
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def main(server="http://127.0.0.1:8300", game="jass", deals="1"):
    api = f"{server}/api"
    number = ask("POST", f"{api}/games/check", {"game": game})["players"]
    seats = ["you"] + ["champion"] * (number - 1)
    seat = ask("POST", f"{api}/tables", {"game": game, "seats": seats, "name": "a bot"})
    table, token, left = f"{api}/tables/{seat['id']}", seat["token"], int(deals)
    for state in events(f"{table}/events", token):
        view = state["view"]
        legal = [choice for choice in view["choices"] if not choice["forbidden"]] if view else []
        if legal:
            choice = random.choice(legal)
            ask("POST", f"{table}/actions", {"turn": state["turn"], "action": choice["action"]}, token)
        elif state["status"] in ("deal over", "over", "failed"):
            # The keys of texts, such as "result.score", with their arguments: docs/play.md, "A view".
            print([score["result"] for score in view["scores"]] if view else state["failure"])
            left -= 1
            if not left or state["status"] != "deal over":
                return
            ask("POST", f"{table}/deals", {"turn": state["turn"]}, token)


if __name__ == "__main__":
    main(*sys.argv[1:])
