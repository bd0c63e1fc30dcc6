"""A rectangle of letters, each with a style, on which a table is drawn for a terminal."""

from rich.text import Text

from jaxcards.view.structure import SUITS

RED, BLACK = "bold red", "bold"


class Canvas:
    """Letters in rows and columns; text beyond the edges is moved inside."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._letters = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def write(self, column: float, row: float, text: Text) -> None:
        """Write a text whose middle is at a column, of at most the width of the canvas."""
        plain = text.plain[: self.width]
        left = round(column - len(plain) / 2)
        left = min(max(left, 0), self.width - len(plain))
        line = min(max(round(row), 0), self.height - 1)
        for place, letter in enumerate(plain):
            self._letters[line][left + place] = letter
        for span in text.spans:
            for place in range(span.start, min(span.end, len(plain))):
                self._styles[line][left + place] = str(span.style)

    def lines(self) -> list[Text]:
        """Return the rows, without blanks at their ends."""
        found = []
        for letters, styles in zip(self._letters, self._styles, strict=True):
            line = Text()
            for letter, style in zip(letters, styles, strict=True):
                line.append(letter, style or None)
            line.rstrip()
            found.append(line)
        return found


def coloured(text: str, style: str = "") -> Text:
    """Return a text in which each card, such as ♥10, has the colour of its suit."""
    found = Text()
    place = 0
    while place < len(text):
        end = place + 1
        # A card is a suit with the letters and digits behind it.
        if text[place] in SUITS:
            while end < len(text) and (text[end].isalnum()):
                end += 1
            suit = RED if text[place] in "♥♦" else BLACK
            found.append(text[place:end], "dim" if style == "dim" else suit)
        else:
            while end < len(text) and text[end] not in SUITS:
                end += 1
            found.append(text[place:end], style or None)
        place = end
    return found
