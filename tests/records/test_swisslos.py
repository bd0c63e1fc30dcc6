"""The Swisslos data: rows of 72 integers there and back, legal cards, and what is refused."""

import dataclasses
import json

import h5py
import jax
import numpy as np
import pytest
from records.swisslos_played import GAME, cards, deals, trump
from support import quick

import jaxcards
from jaxcards import records, xla
from jaxcards.cli.main import main
from jaxcards.records import formats, swisslos_layout, swisslos_weis
from jaxcards.records.items import Read, Refused
from jaxcards.records.swisslos_rows import row_of, rows_of
from jaxcards.records.swisslos_writer import Writer


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        patch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
        yield


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.swisslos.h5"
    with Writer(path) as writer:
        writer.write(deals())
    return path


def read(path):
    return list(formats.format_to_read(path).read(path))


def test_the_widths_come_from_the_layout():
    assert swisslos_layout.NUM_INTEGERS == 72 == len(swisslos_layout.WIDTHS)
    assert swisslos_layout.NUM_INPUTS == 71 * 36 + 6 == 2562


def test_a_deal_comes_back_from_its_rows(file):
    assert formats.format_to_read(file).name == formats.SWISSLOS
    found = [item.record for item in read(file)]
    assert records.problems(found) == [None] * len(deals())
    assert {42 in record.actions for record in deals()} == {True, False}
    for given, back in zip(deals(), found, strict=True):
        assert (back.deck, back.dealer, trump(back)) == (given.deck, given.dealer, trump(given))
        assert cards(back) == cards(given) and back.game == "jass/swisslos"
        assert back.source["calls"] == "unknown" and back.seconds is None
        if 42 not in given.actions:
            assert back.points == given.points


def test_rows_come_back_as_they_were(file):
    again = rows_of(GAME, [item.record for item in read(file)])
    for given, back in zip(rows_of(GAME, deals()), again, strict=True):
        np.testing.assert_array_equal(back.state, given.state)
        np.testing.assert_array_equal(back.action, given.action)
        np.testing.assert_array_equal(back.player, given.player)


@pytest.fixture(scope="module")
def seen():
    """Of each deal what the engine says before each card: legal cards, the row, who is to play."""

    def look(state):
        row = row_of(GAME.observe(state, state.current_player))
        return GAME.legal_action_mask(state)[:36], row, state.current_player

    looked = quick.jit(jax.vmap(look))
    replays = map(records.replay, deals())
    return [jax.device_get(looked(jax.tree.map(lambda x: x[-37:-1], one.states))) for one in replays]


def test_a_row_is_what_the_player_saw(seen):
    """Rows equal those of the engine, except for the order of the hand; Weis are among them."""
    given = rows_of(GAME, deals())
    for rows, (_, own, players) in zip(given, seen, strict=True):
        ordered, _ = swisslos_layout.as_observed(rows.state, rows.action)
        np.testing.assert_array_equal(ordered, own)
        np.testing.assert_array_equal(rows.player, players)
    assert any(rows.state[:, 44:71].any() for rows in given)


def test_legal_slots_are_the_legal_cards_of_the_game(seen):
    number = 0
    for rows, (masks, _, _) in zip(rows_of(GAME, deals()), seen, strict=True):
        hands = rows.state[:, swisslos_layout.HAND]
        for hand, legal, mask in zip(
            hands, swisslos_layout.legal_slots(rows.state), masks, strict=True
        ):
            assert sorted((hand[legal] - 1).tolist()) == np.flatnonzero(mask).tolist()
            number += int(legal.sum() < (hand > 0).sum())
    assert number > 50, "the rule has said no"


def in_public_form(rows):
    """Rows as the public data have them: cards of a Weis stay shown after they were played."""
    state, shown = rows.state.copy(), {}
    for row, player in zip(state, rows.player.tolist(), strict=True):
        for further, part in enumerate(swisslos_layout.SHOWN, start=1):
            cards = shown.setdefault((player + further) % 4, set())
            cards |= set(row[part].tolist()) - {0}
            row[part] = sorted(cards, reverse=True) + [0] * (9 - len(cards))
    return state


def test_rows_of_the_public_form_become_what_a_player_sees(seen):
    changed = 0
    for rows, (_, own, _) in zip(rows_of(GAME, deals()), seen, strict=True):
        public = in_public_form(rows)
        np.testing.assert_array_equal(swisslos_layout.as_observed(public, rows.action)[0], own)
        changed += int((np.sort(public[:, 44:71]) != np.sort(own[:, 44:71])).any(1).sum())
    assert changed > 50, "played cards were shown"


def test_a_hand_in_order_has_the_same_card():
    for rows in rows_of(GAME, deals()[:3]):
        state, action = swisslos_layout.as_observed(rows.state, rows.action)
        places = np.arange(len(state))
        played = state[places, swisslos_layout.HAND.start + action]
        np.testing.assert_array_equal(
            played, rows.state[places, swisslos_layout.HAND.start + rows.action]
        )


def test_weis_as_notes():
    shown = [(1, 3, (0, 1, 2, 35)), (1, 0, (13, 14, 15)), (5, 3, (4,))]
    notes = swisslos_weis.to_notes(shown)
    assert notes[1] == "Weis of seat 3: 6d 7d 8d As; Weis of seat 0: Tc Jc Qc"
    record = records.DealRecord("jass", (), 0, (), notes=notes, source={"weis": "as shown"})
    assert swisslos_weis.of_notes(record) == shown
    assert swisslos_weis.of_notes(deals()[0]) is None
    assert swisslos_weis.by_seat(shown, 1) == {3: {0, 1, 2, 35}, 0: {13, 14, 15}}
    assert swisslos_weis.single([5, 6, 7, 8, 14, 23, 32]) == [(5, 14, 23, 32), (5, 6, 7, 8)]
    assert swisslos_weis.single([7, 8, 9]) == [(7, 8, 9)], "cards outside of Weis are kept, too"


def test_an_unfinished_deal_has_unknown_cards(tmp_path):
    deal = deals()[0]
    short = [
        dataclasses.replace(deal, actions=deal.actions[:number], points=None)
        for number in (len(deal.actions) - 36 + 2, len(deal.actions) - 30)
    ]
    with Writer(tmp_path / "a.swisslos.h5") as writer:
        writer.write(short)
    first, second = (item.record for item in read(tmp_path / "a.swisslos.h5"))
    assert records.problems([first, second]) == [None, None]
    assert first.unknown == tuple(range(18, 36)) and first.deck[:18] == deal.deck[:18]
    assert second.unknown == () and second.deck == deal.deck and second.points is None


def test_times_and_players_come_along(tmp_path):
    deal = deals()[0]
    seconds = tuple(float(number) for number in range(len(deal.actions)))
    said = '{"usernickname": "ann", "eq": 3, "iq": 4}'
    given = dataclasses.replace(deal, seconds=seconds, players=(said, "bob", "cid", "dan"))
    with Writer(tmp_path / "a.swisslos.h5") as writer:
        writer.write([given])
    with h5py.File(tmp_path / "a.swisslos.h5") as opened:
        (group,) = opened.values()
        assert group["state"].shape == (36, 72) and group["state"].dtype == np.uint8
        assert group["time"].shape == (36, 1) and group["action"].dtype == np.uint8
        assert group["state"].compression == "gzip" and group["state"].maxshape == (None, 72)
    (item,) = read(tmp_path / "a.swisslos.h5")
    assert item.record.players[1:] == ("bob", "cid", "dan") and '"eq": 3' in item.record.players[0]
    assert item.record.seconds[1:] == seconds[-36:]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 3, 2, 1), (2, 0, 3, 1)])
def test_other_orders_of_player_ids_are_read(file, order):
    """The order of play in the first trick determines the seats."""
    with h5py.File(file, "r+") as opened:
        (group,) = opened.values()
        group["player_id"][:] = np.array(order, np.uint8)[group["player_id"][:]]
        names = [{"usernickname": f"player_{order.index(number)}"} for number in range(4)]
        del group.attrs["players"]
        group.attrs["players"] = json.dumps(names)
    found = [item.record for item in read(file)]
    seats = [(seat - order.index(0)) % 4 for seat in range(4)]
    for given, back in zip(deals(), found, strict=True):
        assert cards(back) == cards(given) and back.deck == given.deck
        assert back.dealer == seats[given.dealer]
        assert [back.players[seats[seat]] for seat in range(4)] == [f"player_{n}" for n in range(4)]


@pytest.mark.slow
def test_other_presets_keep_their_rules(tmp_path, capsys):
    game = jaxcards.make("jass/tournament", undertrump="void")
    deal = records.play_deal(game, jaxcards.agent.RandomAgent(), (), jaxcards.rollouts.deal_keys(0, 1))
    with Writer(tmp_path / "a.swisslos.h5") as writer:
        writer.write([deal])
        with pytest.raises(jaxcards.UserError, match="cannot express jass/slalom"):
            other = {"game": "jass/slalom", "rules": {}, "facts": {"totals": (0, 0)}}
            writer.write([dataclasses.replace(deal, **other)])
    (item,) = read(tmp_path / "a.swisslos.h5")
    assert (item.record.game, item.record.rules) == ("jass/tournament", {"undertrump": "void"})


@pytest.mark.slow
def test_a_group_is_of_one_game(tmp_path):
    log = {"log": "S2500_1"}
    given = [dataclasses.replace(deal, source=log) for deal in deals(2)]
    given[1] = dataclasses.replace(given[1], game="jass/schieber_2500")
    with Writer(tmp_path / "a.swisslos.h5") as writer:
        writer.write(given)
    found = [item.record for item in read(tmp_path / "a.swisslos.h5")]
    assert {record.game for record in found} == {"jass/swisslos", "jass/schieber_2500"}


def test_a_link_is_not_followed(file, tmp_path):
    with h5py.File(tmp_path / "b.h5", "w") as linked:
        linked["a"] = h5py.ExternalLink(str(file), "/")
    assert formats.format_to_read(tmp_path / "b.h5").name == formats.OWN_ARRAYS
    with h5py.File(file, "r+") as opened:
        opened["b"] = h5py.SoftLink(next(iter(opened)))
    refused = [item.reason for item in read(file) if isinstance(item, Refused)]
    assert refused == ["b is a link, and links are not followed"]


def test_data_sets_of_the_command_line(tmp_path, capsys):
    out = tmp_path / "a.swisslos.h5"
    assert main(["simulate", "jass/swisslos", "--deals", "3", "--out", str(out)]) == 0
    assert main(["convert", str(out), str(tmp_path / "a.jsonl")]) == 0
    assert "3 records read, 3 written (3 deals, 0 repaired), 0 refused" in capsys.readouterr().out


# --- Bad input ----------------------------------------------------------------------------------


def put(name, row, value, column=0):
    def change(group):
        group[name][row, column] = value

    return change


def replace(name, values):
    def change(group):
        del group[name]
        group[name] = values

    return change


def swap_rows(group):
    state = group["state"][:]
    state[[40, 41]] = state[[41, 40]]
    group["state"][:] = state


@pytest.mark.parametrize(
    "change, place, words",
    [
        (put("state", 40, 37, 2), "rows 36 to 71", "row 40: a card is from 1 to 36, or 0 for none"),
        (put("state", 40, 7, 71), "rows 36 to 71", "row 40: trump is from 1 to 6"),
        (put("state", 40, 0, 71), "rows 36 to 71", "row 40: trump is from 1 to 6"),
        (put("action", 71, 8), "rows 36 to 71", "row 71: action 8 is beyond the hand of 1 cards"),
        (put("action", 40, 9), "rows 36 to 71", "row 40: action is from 0 to 8"),
        (put("player_id", 40, 4), "rows 36 to 71", "row 40: player_id is from 0 to 3"),
        (put("time", 40, -1), "rows 36 to 71", "row 40: time is at least 0"),
        (put("time", 40, np.inf), "rows 36 to 71", "row 40: time is at least 0"),
        (swap_rows, "rows 36 to 71", "row 40: the cards of the table differ from those"),
        (lambda group: group["player_id"].__setitem__(
            40, (group["player_id"][40] + 1) % 4), "rows 36 to 71", "but it is the turn of"),
        (replace("action", np.zeros((3, 1), np.uint8)), "group", "data sets have different lengths"),
        (replace("state", np.zeros((3, 71), np.uint8)), "group", "state must be uint8[n, 72], not"),
        (replace("time", np.zeros((3, 1), np.int64)), "group", "time must be float32[n, 1], not int64"),
        (lambda group: group.pop("action"), "group", "action is missing"),
        (lambda group: group.attrs.__setitem__("players", "{"), "group", "players is not JSON"),
        (lambda group: group.attrs.__setitem__("players", "[1]"), "group", "must be a list of 4"),
        (lambda group: group.attrs.__setitem__("players", 3), "group", "players is not a short text"),
    ],
    ids=range(17),
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_row(file, change, place, words):
    with h5py.File(file, "r+") as opened:
        (group,) = opened.values()
        change(group)
    found = read(file)
    refused = [item for item in found if isinstance(item, Refused)]
    assert len(refused) == 1, refused
    assert place in refused[0].place and words in refused[0].reason and "\n" not in refused[0].reason
    good = [item for item in found if isinstance(item, Read)]
    assert len(good) == (0 if place == "group" else len(deals()) - 1)


def test_a_card_in_two_hands(file):
    with h5py.File(file, "r+") as opened:
        (group,) = opened.values()
        for column in group.values():
            column.resize(2, axis=0)
        state, action = group["state"][:], group["action"][:, 0]
        other = next(slot for slot in range(9) if slot != action[1])
        own = next(slot for slot in range(9) if slot != action[0])
        group["state"][0, 35 + own] = state[1, 35 + other]
    (item,) = read(file)
    assert item.reason == f"row 0: card {state[1, 35 + other]} is in the hands of two players"


def test_rows_of_no_deal_are_passed_over_however_many(file):
    with h5py.File(file, "r+") as opened:
        (group,) = opened.values()
        state = group["state"][:]
        state[36 : 36 * 11, 0] = 5  # nothing begins there
        group["state"][:] = state
    found = read(file)
    assert [type(item) for item in found] == [Refused, Read]
    assert "rows 0 to 36" in found[0].place and "a deal has at most 36 cards" in found[0].reason


def test_a_truncated_file_is_refused(file):
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(jaxcards.UserError, match="is not an HDF5 file, or damaged"):
        read(file)


def test_an_illegal_card_is_found_by_the_replay(file, tmp_path, capsys):
    """The rows agree with each other, and yet the card breaks a rule."""
    with h5py.File(file, "r+") as opened:
        (group,) = opened.values()
        legal = swisslos_layout.legal_slots(group["state"][:])
        row = next(row for row in range(1, 4) if not legal[row].all())
        slot = int(legal[row].argmin())
        for column in group.values():
            column.resize(row + 1, axis=0)
        group["action"][row] = slot
    out = tmp_path / "a.jsonl"
    assert main(["convert", str(file), str(out)]) == 2
    assert "is not legal; legal are" in capsys.readouterr().err


@pytest.mark.parametrize("number", [40, pytest.param(1_000, marks=pytest.mark.slow)])
def test_any_numbers_in_the_rows_give_deals_or_reasons(file, number):
    """Cells of any value, rows lost, doubled and exchanged: what is read fits its game."""
    with h5py.File(file) as opened:
        (given,) = opened.values()
        whole = {name: given[name][:180] for name in given}
    good, bad = 0, 0
    for seed in range(number):
        rng = np.random.default_rng(seed)
        rows = rng.permutation(180) if rng.random() < 0.02 else np.arange(180)
        for _ in range(rng.integers(0, 3)):
            rows = np.delete(rows, rng.integers(len(rows)))
            rows = np.insert(rows, rng.integers(len(rows)), rng.integers(180))
        columns = {name: values[rows].copy() for name, values in whole.items()}
        for _ in range(rng.integers(0, 4)):
            values = columns[rng.choice(["state", "state", "action", "player_id"])]
            place = rng.integers(len(values)), rng.integers(values.shape[1])
            values[place] = rng.integers(0, rng.choice([4, 10, 40, 256]))
        with h5py.File(file, "w") as opened:
            for name, values in columns.items():
                opened[f"S2500_1/{name}"] = values
        found = read(file)
        read_records = [item.record for item in found if isinstance(item, Read)]
        assert all(problem is None or problem for problem in records.problems(read_records))
        assert all("\n" not in item.reason for item in found if isinstance(item, Refused))
        good, bad = good + len(read_records), bad + len(found) - len(read_records)
    assert good > number and bad > number / 4
