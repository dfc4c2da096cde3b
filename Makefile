PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: verify test lint oracles clean

verify: .venv/installed            ## set up, then check every task and published key
	$(BIN)/symscale verify

test: .venv/installed-dev          ## set up, then run the tests
	$(BIN)/python -m pytest

lint: .venv/installed-dev          ## set up, then lint, format check and strict types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

oracles: .venv/installed-oracles   ## recompute the figures that need torch and transformers
	$(BIN)/python -m tests.oracles.heavy.recompute

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install --editable .
	touch $@

.venv/installed-dev: .venv/installed pyproject.toml
	$(PIP) install --group dev
	touch $@

.venv/installed-oracles: .venv/installed-dev
	$(PIP) install --editable ".[oracles]"
	touch $@

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
