# `make` lists the targets. Everything is installed into .venv, at the versions of constraints.txt,
# and again only when pyproject.toml or constraints.txt has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests compile a lot, which takes one core and up to 4 GB of memory for each process.
WORKERS ?= 2
GAME ?= jass

PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt
TRAIN := $(VENV)/.installed-train
DEV := $(VENV)/.installed-dev
# Checks the types of the page's JavaScript; a tool of the lint step, and nothing that runs.
TSC := $(VENV)/typescript/node_modules/.bin/tsc
TYPESCRIPT := typescript@5.9.3

.PHONY: help setup train play test test-slow test-web lint types docs notebooks bench bench-gpu clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(DEV) ## install everything into .venv

train: $(TRAIN) ## train a player, evaluate it, show it [GAME=jass] [MINUTES=8] [ARGS=...] [RESUME=runs/jass]
	$(BIN)/jaxcards train $(if $(RESUME),--resume $(RESUME),$(GAME)) \
	    $(if $(MINUTES),--minutes $(MINUTES)) $(ARGS)

play: $(TRAIN) ## tables to play at in the browser [ARGS=...]
	$(PIP) --no-build-isolation -e '.[web]' -e players
	$(BIN)/jaxcards serve $(ARGS)

test: lint ## lint, types and every test that is not slow [ARGS=...]
	$(BIN)/python -m pytest -m "not slow and not web" -n $(WORKERS) $(ARGS)

test-slow: $(DEV) ## the slow tests [ARGS=...]
	$(BIN)/python -m pytest -m slow -n $(WORKERS) $(ARGS)

test-web: $(DEV) ## the tests of the page, in Chromium [ARGS=...]
	$(BIN)/python -m pytest -m "web and not slow" tests/serve/browser -n $(WORKERS) $(ARGS)

# No cache: whether a folder of tests is a package decides on the order of imports, and the cache does not know.
lint: $(DEV) ## ruff, types, and whether the documentation builds
	$(BIN)/ruff check --no-cache .
	@$(MAKE) --no-print-directory --jobs=2 types docs

types: $(DEV) ## types of Python, and of the page's JavaScript
	$(BIN)/mypy
	@if [ -x $(TSC) ]; then $(TSC) -p jaxcards/serve/page/jsconfig.json; \
	    else echo "The types of the page were NOT checked: install npm, then make setup" >&2; fi

# The variable silences a note of the theme about what comes after mkdocs.
docs: $(DEV) ## the documentation as a site, in build/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

notebooks: $(DEV) ## runs the notebooks of examples/notebooks, into build/notebooks
	@mkdir -p build/notebooks
	@for file in examples/notebooks/*.py; do \
	    $(BIN)/jupytext --quiet --to ipynb --execute --output "build/notebooks/$$(basename "$$file" .py).ipynb" \
	    "$$file" || exit 1; echo "$$file"; done

bench: $(TRAIN) ## deals per second on this machine [GAME=jass] [ARGS=...]
	$(BIN)/jaxcards bench $(GAME) $(ARGS)

bench-gpu: $(TRAIN) ## random play and training on a GPU, into benchmarks/results [ARGS=...]
	$(BIN)/python benchmarks/gpu.py $(ARGS)

clean: ## remove .venv and what builds and tests left; runs/ stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The build backend goes first, so that the build needs no environment of its own. players needs jaxcards,
# which pip knows only if it comes before.
$(TRAIN): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) setuptools
	$(PIP) --no-build-isolation -e '.[train]' -e players
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) setuptools
	$(PIP) --no-build-isolation -e '.[dev]' -e players
	@if command -v npm >/dev/null; then \
	    npm install --silent --no-audit --no-fund --prefix $(VENV)/typescript $(TYPESCRIPT); fi
	@touch $(TRAIN) $@

# Some systems have a venv module that cannot put pip into what it makes; virtualenv can.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "jaxcards needs Python 3.11 or later. Name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
	    exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) >build-venv.log 2>&1 || { \
	    rm -rf $(VENV); \
	    $(PYTHON) -m pip install --quiet --target build/virtualenv virtualenv \
	    && PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv --quiet $(VENV); \
	} || { \
	    cat build-venv.log >&2; rm -rf $(VENV) build-venv.log; \
	    echo "Cannot make $(VENV): install the venv module (Debian: apt-get install python3-venv)" >&2; \
	    exit 1; }
	@rm -f build-venv.log
