"""Settings of a server, from a file and from options."""

import pytest

from jaxcards.cli import main
from jaxcards.errors import UserError
from jaxcards.serve.settings import ServeSettings, check_data


@pytest.mark.parametrize(
    "line, why",
    [
        ("--port 70000", "port must be from 0 to 65535"),
        ("--players champoin", "did you mean 'champion'"),
        ("--players openspiel:ismcts:10", "only in evaluate"),
        ("--warm jas", "did you mean 'jass'"),
        ("--language it", "language"),
        ("--prot 1", "did you mean --port"),
        ("--config nowhere.toml", "nowhere.toml"),
        ("--data .", "is a folder"),
        ("--host 203.0.113.7", "cannot listen on 203.0.113.7"),
    ],
)
def test_bad_options_are_one_line(line, why, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("jaxcards.xla.cache.enable", lambda wanted: None)
    assert main.main(["serve", *line.split()]) == 2
    said = capsys.readouterr().err
    assert why in said and said.count("\n") == 1


def test_options_win_over_the_file(tmp_path):
    from jaxcards import settings

    file = tmp_path / "serve.toml"
    file.write_text('port = 9000\nplayers = ["heuristic"]\npause = 2\n')
    found = settings.load(ServeSettings, file, {"port": 9001})
    assert (found.port, found.players, found.pause) == (9001, ("heuristic",), 2.0)
    file.write_text("prot = 9000\n")
    with pytest.raises(UserError, match="did you mean 'port'"):
        settings.load(ServeSettings, file)


@pytest.mark.parametrize(
    "host, loopback",
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("x.org", False)],
)
def test_what_others_can_reach(host, loopback):
    assert ServeSettings(host=host).loopback is loopback


def test_the_folder_of_the_file_is_made(tmp_path):
    check_data(tmp_path / "a" / "b" / "tables.sqlite")
    assert (tmp_path / "a" / "b").is_dir()
