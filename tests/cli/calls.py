"""Calls of the command line, whose commands the fixture `ran` replaces."""

from jaxcards.cli import main


def error(capsys, *argv: str) -> str:
    assert main.main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("jaxcards: error: ")
    return err


def arguments(ran, *argv: str):
    assert main.main(argv) == 0
    return ran[-1]
