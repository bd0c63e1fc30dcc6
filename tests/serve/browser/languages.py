"""English words on a page that speaks another language."""

import functools
import re

from jaxcards.view.text import language_file

_WORD = re.compile(r"[^\W\d_]{3,}")
# Everything that is read or heard.
_TEXTS = """() => {
  const found = [document.title, document.body.innerText];
  for (const name of ["aria-label", "title", "alt", "placeholder"])
    for (const one of document.querySelectorAll(`[${name}]:not(.sheet *)`))
      found.push(one.getAttribute(name));
  return found.join(" ");
}"""


def english_words(page, language):
    """Words of a page that English has and its language does not have."""
    shown = {word.lower() for word in _WORD.findall(page.evaluate(_TEXTS))}
    return shown & (_words("en") - _words(language))


@functools.cache
def _words(language):
    found = set()
    for template in language_file(language)["texts"].values():
        forms = [template] if isinstance(template, str) else template.values()
        for form in forms:
            found.update(word.lower() for word in _WORD.findall(re.sub(r"\{[^}]*\}", " ", form)))
    return found
