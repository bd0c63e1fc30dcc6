"""`python -m jaxcards` is the command `jaxcards`."""

import sys

from jaxcards.cli import main

sys.exit(main())
