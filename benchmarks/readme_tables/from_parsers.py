"""List the options of every command and the settings of every learner, from the parsers."""

import argparse
from collections import Counter

from jaxcards.agents.learners.registry import LEARNERS
from jaxcards.cli import train
from jaxcards.cli.main import COMMANDS, build_parser

RUN, LEARNER = "settings of the run", "settings of the learner"
COMMON = 4  # an option of at least this number of commands is described once, in front of all others


def options() -> str:
    """Return the arguments of every command, without the settings of runs and learners."""
    parsers = build_parser()[1]
    lines = {name: _lines(parser, leave_out=(RUN, LEARNER)) for name, parser in parsers.items()}
    number = Counter(line for found in lines.values() for line in found.values())
    common = {line: name for found in lines.values() for name, line in found.items()}
    common = {line: name for line, name in common.items() if number[line] >= COMMON}
    parts = [_section("Options of several commands", *common)]
    for command, found in lines.items():
        own = [line for line in found.values() if line not in common]
        others = [f"`{common[line]}`" for line in found.values() if line in common]
        also = [f"* also {', '.join(others)}"] if others else []
        parts.append(_section(command, _sentence(COMMANDS[command].HELP), "", *own, *also))
    return "\n\n".join(parts)


def settings() -> str:
    """Return the settings of runs and learners, each once unless its help or default differs."""
    parser = build_parser()[1]["train"]
    shown: set[str] = set()
    parts = []
    for learner, about in LEARNERS.items():
        train.show_settings(parser, ["--learner", learner])
        of_run = _lines(parser, groups=(RUN,), options=False)
        found = _lines(parser, groups=(LEARNER,), options=False)
        if not shown:
            parts.append(_section("Every run", *of_run.values()))
            shown |= {*of_run.values()}
        new = [line for line in (of_run | found).values() if line not in shown]
        old = [name for name, line in found.items() if line in shown]
        above = [f"* as above: {', '.join(f'`{name}`' for name in old)}"] if old else []
        parts.append(_section(learner, _sentence(about), "", *new, *above))
        shown |= {*new}
    return "\n\n".join(parts)


def _section(title: str, *lines: str) -> str:
    return "\n".join([f"### {title}", "", *lines])


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _lines(
    parser: argparse.ArgumentParser,
    groups: tuple[str, ...] = (),
    leave_out: tuple[str, ...] = (),
    options: bool = True,
) -> dict[str, str]:
    """Return a line for each visible argument of a parser: the name of the argument -> the line.

    Args:
      parser: of a command.
      groups: titles of the groups to list; empty for all.
      leave_out: titles of groups to leave out.
      options: whether names are those of options, or those of settings in a file.
    """
    found = {}
    for group in parser._action_groups:
        if group.title in leave_out or (groups and group.title not in groups):
            continue
        for action in group._group_actions:
            if action.dest == "help" or action.help in (None, argparse.SUPPRESS):
                continue
            name, value = (action.option_strings or [action.metavar or action.dest])[0], ""
            if not options:
                name = action.dest
            elif action.option_strings and action.nargs != 0:
                value = f" {action.metavar or action.dest.upper()}"
            found[name] = f"* `{name}{value}`: {action.help % {}}"
    return found
