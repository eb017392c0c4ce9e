# Every target sets up what it needs: a virtual environment in .venv, and, where it may, the system's programs.
#   make demo    watch two searches play Go, and how a match of them ends
#   make test    the tests that are not long, compiled, and those marked plain uncompiled
#   make test-all  all tests compiled, and those marked plain uncompiled and with bounds checks
#   make test-gpu  the tests that need an NVIDIA GPU, and are skipped without one (about 2 minutes)
#   make trials  damaged files, misbehaving engines, fuzzed GTP, interrupts and kills, in full (about 2 minutes)
#   make page    the web page of `tengen web`, from web/ (needs Node and npm)
#   make docs    the documentation as a web site, in docs/_build
#   make lint    style and types
#   make check-dist  the wheel and the source distribution: built, unpacked, linted, tested and used with each Python
#   make bench   speeds on this machine

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

PAGE := tengen/interfaces/web/page/index.html
PAGE_SOURCES := $(wildcard web/*.*) $(shell find web/src web/public -type f)

.PHONY: demo docs test test-all test-gpu check-dist trials lint bench page page-for-tests setup system clean

demo: $(READY)
	$(BIN)/tengen demo

bench: $(READY)
	$(BIN)/tengen bench

check-dist: $(READY) $(PAGE)
	$(BIN)/python scripts/check-distribution

docs: $(READY)
	$(BIN)/python -m sphinx --quiet -E -W --keep-going -j auto -b html docs docs/_build

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(READY) page-for-tests
	$(BIN)/tengen warmup
	$(BIN)/python -m pytest -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m plain -n auto

test-all: $(READY) page-for-tests
	$(BIN)/tengen warmup
	$(BIN)/python -m pytest -n auto -m 'not trial'
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m plain -n auto
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -m plain -n auto

test-gpu: $(READY)
	$(BIN)/python -m pytest -m gpu tests/gpu

trials: $(READY) system
	$(BIN)/tengen warmup
	$(BIN)/python -m pytest -m trial -n auto tests/trials

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Tengen needs Python 3.11 or newer; name one with make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

page: $(PAGE)

$(PAGE): $(PAGE_SOURCES)
	@scripts/system-programs
	cd web && npm install --no-save --no-audit --no-fund --loglevel=error && npm run --silent build
	touch $(PAGE)

# Without Node, the tests of the page are skipped.
page-for-tests: system
	@if command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory page; fi

system:
	@scripts/system-programs
	@scripts/node-packages

clean:
	rm -rf $(VENV) docs/_build web/node_modules tengen/interfaces/web/page .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
