"""The description on package indexes: README.md without its links and pictures of the repository."""

import re
from pathlib import Path

from setuptools import setup

readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
relative = r"\((?!https?://)[^)]*\)"
readme = re.sub(rf"!\[[^]]*\]{relative}\n?", "", readme)
readme = re.sub(rf"\[([^]]*)\]{relative}", r"\1", readme)
setup(long_description=readme, long_description_content_type="text/markdown")
