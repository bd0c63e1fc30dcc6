"""Play a game in a terminal: print, ask, and save, action by action."""

import sys
from collections.abc import Callable, Iterable

from rich.console import Console
from rich.text import Text

from jaxcards.errors import UserError
from jaxcards.play import answers, screen
from jaxcards.play.hints import Hints
from jaxcards.play.local import LocalTable
from jaxcards.view.structure import View


class Stopped(Exception):
    """A person has stopped, or the input has ended."""


class Conversation:
    """Plays at a table with its people, in lines of a terminal or of a pipe.

    Attributes:
      table: the table.
      keep: saves the game; called after every action and at every deal.
      finish: called when the match or deal is over; returns a line about the result, or "".
      hints: makes the hints when the first is requested; None if the game has no hints.
    """

    def __init__(
        self,
        table: LocalTable,
        *,
        keep: Callable[[], None],
        finish: Callable[[], str],
        hints: Callable[[], Hints] | None,
    ) -> None:
        self.table, self.keep, self.finish = table, keep, finish
        self._make_hints = hints
        self._hints: Hints | None = None
        self._terminal = sys.stdin.isatty()
        self._console = Console(width=80, highlight=False, soft_wrap=True, emoji=False, markup=False)
        encoding = getattr(sys.stdout, "encoding", None) or "ascii"
        self._ascii = not _knows_suits(encoding)
        self._sitting: int | None = None

    # ---- The course of a game -------------------------------------------------------------------

    def run(self, *, resumed: bool = False) -> None:
        """Play until the end.

        Raises:
          Stopped: a person wants to stop, or the input has ended; the game is saved.
          KeyboardInterrupt: the game is saved in this case as well.
        """
        self._say(self._welcome(resumed))
        self.keep()
        while True:
            while not self.table.deal_over:
                self._act()
            self._end()
            if self.table.match and self.table.over:
                return
            self._next()

    def _welcome(self, resumed: bool) -> list[Text]:
        table = self.table
        begins = "goes on" if resumed else "begins"
        kind = "The match" if table.match else "The deal"
        seats = ", ".join(f"{name} (seat {n})" for n, name in enumerate(table.names))
        return [
            Text(f"{kind} {begins}, seed {table.seed}: {seats}."),
            Text("Type the number or the name of a choice; ? is a hint, h is help, q stops.", "dim"),
        ]

    def _act(self) -> None:
        table, player = self.table, self.table.player
        seer = self._seer(player)
        if player in table.people:
            self._sit_down(player)
            action = self._ask(player)
        else:
            if not table.ready(player):
                self._say([Text(f"Compiling {table.names[player]} …", "dim")])
            action = table.decide()
        table.play(action)
        self.keep()
        say = table.view(seer).say
        for line in table.told(seer, len(table.actions) - 1):
            self._say([Text("  ").append_text(screen.coloured(say(line)))])

    def _seer(self, player: int) -> int | None:
        """Return the person whose view is shown at the terminal when a player acts.

        With several people this is another person, so that the player's secrets stay hidden.
        """
        people = self.table.people
        if len(people) < 2:
            return people[0] if people else None
        return next(person for person in people if person != player)

    def _sit_down(self, player: int) -> None:
        """Ask for the next person before showing a hand, if several people share the terminal."""
        if len(self.table.people) > 1 and self._sitting != player:
            self._say([Text(""), Text(f"It is {self.table.names[player]}'s turn.", "bold")])
            self._read(f"{self.table.names[player]}, press Enter when the others look away: ")
            if self._terminal:
                self._console.clear()
        self._sitting = player

    def _end(self) -> None:
        table = self.table
        seer = table.people[0] if len(table.people) == 1 else None
        self._say(screen.ending(table.view(seer)))
        if table.over:
            line = self.finish()
            if line:
                self._say([Text(line, "bold")])

    def _next(self) -> None:
        # Without people a match goes on by itself, and single deals end after the first.
        if not self.table.people:
            if not self.table.match:
                raise Stopped
        else:
            wanted = self._read("\nPress Enter for the next deal, or q to stop: ").strip().lower()
            if answers.command(wanted) == "q" or wanted in ("n", "no"):
                raise Stopped
        self.table.next_deal()
        self.keep()

    # ---- Asking ---------------------------------------------------------------------------------

    def _ask(self, player: int) -> int:
        """Return the action that a person chooses."""
        view = self.table.view(player)
        keys = answers.Keys(view)
        self._say(screen.screen(view, keys))
        while True:
            text = self._read(f"{_whose(self.table, player)}: {screen.asked(view)} > ")
            asked = answers.command(text)
            if asked == "q":
                raise Stopped
            if asked is not None:
                self._answer(asked, view, keys)
                continue
            try:
                return answers.choice(self.table.game, view, keys, text).action
            except UserError as error:
                self._say([screen.coloured(f"  {error}", "yellow")])

    def _answer(self, asked: str, view: View, keys: answers.Keys) -> None:
        if asked == "l":
            self._say(screen.screen(view, keys))
        elif asked == "h":
            self._say([Text(f"  {key}  {what}") for key, what in answers.COMMANDS.items()])
            self._say([Text("  Or type the number of a choice, a card such as ♥10 or h10, or a call.")])
        else:
            self._hint(view, keys)

    def _hint(self, view: View, keys: answers.Keys) -> None:
        if self._make_hints is None:
            self._say(
                [Text("  Hints need a trained player, and this game has none.", "yellow")]
            )
            return
        if self._hints is None:
            try:
                self._hints = self._make_hints()
            except UserError as error:
                self._say([Text(f"  No hint: {error}", "yellow")])
                return
        if not self._hints.ready:
            self._say([Text(f"Compiling the search of {self._hints.worlds} deals …", "dim")])
        found = self._hints.hint(self.table.deal, len(self.table.history))
        self._say(screen.hint(view, found, keys))

    # ---- Lines ----------------------------------------------------------------------------------

    def _say(self, lines: Iterable[Text]) -> None:
        for whole in lines:
            for line in screen.wrapped(whole):
                self._console.print(Text(screen.plain_letters(line.plain)) if self._ascii else line)

    def _read(self, prompt: str) -> str:
        """Return a line of the input; a pipe's lines are echoed, so that its output can be read.

        Raises:
          Stopped: the input has ended.
        """
        prompt = screen.plain_letters(prompt) if self._ascii else prompt
        # `input` writes to the terminal itself, so empty the buffer of the console first.
        self._console.file.flush()
        try:
            text = input(prompt)
        except EOFError:
            # End the line of the prompt.
            print()
            raise Stopped from None
        if not self._terminal:
            print(text)
        return text


def _whose(table: LocalTable, player: int) -> str:
    return "Your turn" if len(table.people) == 1 else table.names[player]


def _knows_suits(encoding: str) -> bool:
    try:
        "♣♦♥♠±…·".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
