# make test | make demo | make bench | make docs
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: test lint pytest demo bench docs clean system-packages

test: system-packages lint docs pytest

# Chromium and PostgreSQL, for the workbench's tests; without them those tests are skipped.
system-packages:
	@if command -v chromium >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then \
	  :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
	    --no-install-recommends chromium postgresql; } >/dev/null 2>&1 || \
	  echo "system-packages: chromium and postgresql could not be installed; tests that need them are skipped"; \
	else \
	  echo "system-packages: not root, or no apt-get; tests that need chromium or postgresql are skipped"; \
	fi

$(VENV)/.test: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

pytest: $(VENV)/.test
	$(BIN)/python -m pytest -n auto

$(VENV)/.demo: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

demo: $(VENV)/.demo
	$(BIN)/chronoscore demo

bench: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m benchmarks

$(VENV)/.docs: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

# Warnings are errors; `make test` runs this too, as it takes seconds.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
