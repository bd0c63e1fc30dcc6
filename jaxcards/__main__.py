"""`python -m jaxcards` is the command `jaxcards`."""

import sys

from jaxcards.cli.main import main

sys.exit(main())
