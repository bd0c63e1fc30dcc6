"""A deal that is over, reviewed on the page; and costs of its moves that cost no time to compute."""

import json

_SEAT = """([id, token, game]) => {
  localStorage.setItem("jaxcards.seats", JSON.stringify({[id]: {token, game}}));
}"""


def review(page, server, game, players, seed=0):
    """Plays a deal, opens its review, and returns what the server says of it."""
    seat = server.sit(game, seats=["you"] + ["heuristic"] * (players - 1), name="Anna")
    seat.play(seed=seed)
    page.goto("/")
    page.evaluate(_SEAT, [seat.id, seat.token, game])
    page.goto(f"/#/table/{seat.id}/review")
    page.wait_for_selector("dialog .felt")
    return seat.ask("GET", "/review").json()


def made_up_costs(found):
    """Costs of all moves of a review: of every other one with a choice, the later the more."""
    moves = []
    for move in found["moves"]:
        choices = found["views"][move["number"]]["choices"]
        legal = [choice["action"] for choice in choices if not choice["forbidden"]]
        costly = len(legal) > 1 and move["number"] % 2 == 1
        better = next(a for a in legal if a != move["action"]) if costly else move["action"]
        cost = move["number"] / 5 if costly else 0.0
        values = {"policy": 1 / len(legal), "cost_error": 0.5}
        costs = {better: 0.0, move["action"]: cost}
        options = [{"action": a, "cost": costs.get(a, 0.25), **values} for a in legal]
        options.sort(key=lambda option: option["cost"])
        facts = {"played": move["action"], "choice": better, "forced": len(legal) == 1}
        facts |= {"number": move["number"], "player": move["player"], "options": options}
        moves.append(facts | {"cost": cost, "cost_error": 0.5})
    by = {"key": "hint.champion", "args": {}}
    return {"by": by, "unit": "points", "worlds": 4, "moves": moves}


def count_costs(page, found, see=lambda: None):
    """Asks what the moves cost, and answers with made-up costs; calls `see` after the first half."""
    asked = []
    page.route("**/costs", lambda route: asked.append(route))
    page.click("#review-costs")
    for status, body in ((202, {"done": 5, "all": 10}), (200, made_up_costs(found))):
        while not asked:
            page.wait_for_timeout(10)
        asked.pop().fulfill(status=status, body=json.dumps(body), content_type="application/json")
        if status == 202:
            see()
    page.wait_for_selector("[data-move]", state="attached")
