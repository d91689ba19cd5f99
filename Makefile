# make test | make check | make demo | make docs | make bench | make dist
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The tests start the command many times; keep its compiled modules.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: hosts sanitize first-contact floors test check lint pytest demo docs bench engines dist clean system-packages

# Everything, before a push.
test: system-packages
	$(MAKE) --no-print-directory --jobs=2 --output-sync lint docs
	$(MAKE) --no-print-directory pytest

# What needs neither a browser nor a database server and takes no seconds, while working.
check: lint
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile=quick -m "not (browser or database or slow)"

# $(call debian,PACKAGES,COMPLAINT): install Debian packages, or say what follows without them.
debian = if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update >/dev/null 2>&1 && \
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $(1) >/dev/null 2>&1; \
    then :; else echo "apt-get install $(1): $(2)" >&2; fi

system-packages:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { $(call debian,chromium,not possible here; tests in the browser are skipped); }
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  { $(call debian,postgresql,not possible here; tests on PostgreSQL are skipped); }
	@{ command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; } && command -v caddy >/dev/null || \
	  { $(call debian,nginx-light caddy,not possible here; tests of proxies are skipped); }

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "chronoscore needs Python 3.11 or later; name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { $(call debian,python3-venv,not possible here; a virtual environment needs it); }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[docs,test]'
	touch $@

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	touch $@

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@[ -x node_modules/.bin/tsc ] || ! command -v npm >/dev/null || \
	  timeout 120 npm install --silent --no-audit --no-fund --no-package-lock >/dev/null 2>&1 || true
	@if [ -x node_modules/.bin/tsc ]; then npm run --silent lint; \
	  else echo "npm or the network is missing: the workbench's scripts are not checked" >&2; fi

pytest: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal

# The installed wheel under every condition of tests/first_contact; `make test` runs a part of it.
first-contact: $(VENV)/.test
	CHRONOSCORE_FIRST_CONTACT=all $(BIN)/python -m pytest -n auto --dist worksteal tests/first_contact

# The quick tests with the lowest version of each package that pyproject.toml allows.
floors: | $(BIN)/python
	rm -rf build/floors
	$(PYTHON) -m venv build/floors
	$(PYTHON) tests/floors.py > build/floors/requirements.txt
	build/floors/bin/python -m pip install --quiet --requirement build/floors/requirements.txt .
	# wordllama asks for NumPy 2 and runs with 1.26; it and HanTa come as they are.
	build/floors/bin/python -m pip install --quiet --no-deps \
	  wordllama safetensors tokenizers toml huggingface-hub HanTa nltk
	cd build/floors && bin/python -m pytest -n auto --dist worksteal --rootdir=$(CURDIR) -c $(CURDIR)/pyproject.toml \
	  --hypothesis-profile=quick -m "not (browser or database or slow)" -W default $(CURDIR)/tests

demo: $(VENV)/.demo
	$(BIN)/chronoscore demo

# Warnings are errors.
docs: $(VENV)/.test
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html

bench: $(VENV)/.test
	@perl -MXML::Parser -MLWP::UserAgent -e1 2>/dev/null || \
	  { $(call debian,libxml-parser-perl,not possible here; ROUGE-1.5.5.pl is left out); }
	$(PIP) --editable '.[bench]'
	$(BIN)/python -m benchmarks

# Dask, Ray and Spark on the same records; all must give the same figures.
engines: $(VENV)/.test
	@command -v java >/dev/null || \
	  { $(call debian,default-jre-headless,not possible here; Spark needs a Java runtime); }
	$(PIP) 'dask[dataframe]' 'ray[data]' pyspark
	$(BIN)/python docs/examples/engines.py

# The recipes of docs/hosts.md against the hosts' released packages; their versions are written into the page.
HOSTS := evaluate inspect-ai lm-eval trl mlflow wandb trackio pytest
hosts: build/hosts/.installed
	CHRONOSCORE_HOSTS=1 build/hosts/bin/python -m pytest -c /dev/null --rootdir=tests/hosts -p no:cacheprovider \
	  --confcutdir=tests/hosts --import-mode=prepend tests/hosts
	build/hosts/bin/python tests/hosts/record.py

# PyTorch of this version comes as a build for processors only.
build/hosts/.installed: pyproject.toml
	[ -x build/hosts/bin/python ] || $(PYTHON) -m venv build/hosts
	build/hosts/bin/python -m pip install --quiet torch==2.13.0
	build/hosts/bin/python -m pip install --quiet --editable . $(HOSTS)
	mkdir -p build/hosts/npm && echo '{"private": true}' > build/hosts/npm/package.json
	cd build/hosts/npm && npm install --silent --no-audit --no-fund --no-package-lock --ignore-scripts promptfoo
	touch $@

# The source archive, the wheel with the kernel and the one without; each is installed and run.
dist: | $(BIN)/python
	rm -rf dist build
	$(PIP) build
	CHRONOSCORE_KERNEL=no $(BIN)/python -m build --outdir dist
	$(BIN)/python -m build --wheel --outdir dist
	for archive in dist/*.whl dist/*.tar.gz; do \
	  rm -rf build/try && $(PYTHON) -m venv build/try && build/try/bin/pip install --quiet "$$archive" && \
	  (cd build/try && bin/chronoscore list --engine && bin/chronoscore demo >/dev/null) || exit 1; done

# Random input for a kernel that AddressSanitizer and UBSan watch. Python itself leaks a little at exit.
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
sanitize: $(VENV)/.test
	rm -rf build/sanitize
	CFLAGS="-O1 -g -fno-omit-frame-pointer $(SANITIZERS)" LDFLAGS="$(SANITIZERS)" \
	  $(BIN)/python setup.py -q build_ext --build-lib build/sanitize --build-temp build/sanitize
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 $(BIN)/python tests/engine/test_fuzz.py build/sanitize 3000

clean:
	rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
