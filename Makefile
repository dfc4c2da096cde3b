PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

DOORS := hf inspect reasoning_gym lm_eval trl verifiers
DOOR_hf := --editable ".[hf]"
DOOR_inspect := --editable ".[inspect]"
DOOR_reasoning_gym := --editable ".[reasoning-gym]"
DOOR_lm_eval := --editable ".[lm-eval]"
DOOR_trl := --editable ".[hf,trl]" torch==2.13.0
DOOR_verifiers := --editable ".[verifiers]" ./environments/symscale_scaling uv

.PHONY: verify test lint oracles doors ray clean

verify: .venv/installed            ## set up, then check every task and published key
	$(BIN)/symscale verify

test: .venv/installed-dev          ## set up, then run the tests
	$(BIN)/python -m pytest

lint: .venv/installed-dev          ## set up, then lint, format check and strict types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

doors: $(addprefix door-,$(DOORS))  ## open each door by its page, in an environment of its own

door-%: .doors/%/installed
	.doors/$*/bin/python -m pytest -c tests/doors/pytest.ini tests/doors/test_$*.py

ray: .venv/installed-dev           ## write with a local Ray cluster, and compare the bytes
	$(PIP) install --editable ".[ray]"
	$(BIN)/python -m pytest --override-ini=addopts= tests/variants/ray_cluster.py

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

.doors/%/installed: pyproject.toml
	$(PYTHON) -m venv .doors/$*
	.doors/$*/bin/python -m pip --quiet --disable-pip-version-check install $(DOOR_$*) "pytest>=8.3"
	touch $@

.PRECIOUS: .doors/%/installed

clean:
	rm -rf .venv .doors build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
