"""List the options of every command and the settings of every learner, from the parsers."""

import argparse
from collections import Counter
from collections.abc import Collection

from jaxcards.agents.learners.registry import LEARNERS
from jaxcards.cli import train
from jaxcards.cli.main import COMMANDS, build_parser

RUN, LEARNER = "settings of the run", "settings of the learner"
COMMON = 4  # an option of at least this number of commands is described once, in front of all others


def options() -> str:
    """Return the arguments of every command, without the settings of runs and learners."""
    found = {}
    for command, parser in build_parser()[1].items():
        titles = {group.title for group in parser._action_groups} - {RUN, LEARNER}
        found[command] = [(_option(action), *_texts(action)) for action in _actions(parser, titles)]
    number = Counter(option for arguments in found.values() for option in arguments)
    common = [option for option, commands in number.items() if commands >= COMMON]
    lines = []
    for option in common:
        of = ", ".join(command for command, arguments in found.items() if option in arguments)
        lines.append(f"{_line(*option)} ({of})")
    parts = [_section("Options of several commands", "", *lines)]
    for command, arguments in found.items():
        own = [_line(*option) for option in arguments if option not in common]
        parts.append(_section(command, COMMANDS[command].HELP, *own))
    return "\n\n".join(parts)


def settings() -> str:
    """Return the settings of runs and learners; those of an earlier learner only with their default."""
    parser = build_parser()[1]["train"]
    defaults: dict[str, str] = {}
    parts = []
    for learner, about in LEARNERS.items():
        train.show_settings(parser, ["--learner", learner])
        found = {action.dest: _texts(action) for action in _actions(parser, (RUN, LEARNER))}
        new = [_line(name, *texts) for name, texts in found.items() if name not in defaults]
        own = {action.dest for action in _actions(parser, (LEARNER,))}
        again = [
            f"`{name}` [{default}]"
            for name, (_, default) in found.items()
            if name in defaults and (name in own or default != defaults[name])
        ]
        also = [f"* also {', '.join(again)}"] if again else []
        parts.append(_section(learner, about, *new, *also))
        defaults = {name: default for name, (_, default) in found.items()} | defaults
    return "\n\n".join(parts)


def _actions(parser: argparse.ArgumentParser, titles: Collection[str | None]) -> list[argparse.Action]:
    """Return the visible arguments of the groups with these titles."""
    groups = [group for group in parser._action_groups if group.title in titles]
    actions = [action for group in groups for action in group._group_actions]
    return [a for a in actions if a.dest != "help" and a.help not in (None, argparse.SUPPRESS)]


def _option(action: argparse.Action) -> str:
    """Return the name of an argument and of its value: "--deals N"."""
    value = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    if not action.option_strings:
        return str(value)
    return action.option_strings[0] + ("" if action.nargs == 0 else f" {value}")


def _texts(action: argparse.Action) -> tuple[str, str]:
    """Return the help of an argument without its default, and the default or ""."""
    help, _, default = ((action.help or "") % {}).partition(" (default: ")
    return help, default.removesuffix(")")


def _line(name: str, help: str, default: str) -> str:
    return f"* `{name}`: {help}" + (f" [{default}]" if default not in ("", "none") else "")


def _section(title: str, about: str, *lines: str) -> str:
    sentence = [f"{about[0].upper()}{about[1:]}.", ""] if about else []
    return "\n".join([f"### {title}", "", *sentence, *lines])
