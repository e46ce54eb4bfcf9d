# `make quickstart` and `make test` work on a fresh clone: they need Python 3.11 or newer and nothing else.

PYTHON ?= python3
WORKERS ?= 2
# Where pip finds PyTorch; https://download.pytorch.org/whl/cpu holds builds without CUDA for every system.
TORCH_INDEX ?=

BIN := .venv/bin
STARTED := .venv/.started
INSTALLED := .venv/.installed
PIP := $(BIN)/python .ci/install.py
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --durations 40

.PHONY: quickstart test test-all lint docs venv

quickstart: $(STARTED)
	@$(BIN)/python baselines/quickstart.py

test: $(INSTALLED)
	$(PYTEST) -m "not slow"

test-all: $(INSTALLED)
	$(PYTEST)

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/ty check --python .venv
	$(BIN)/lint-imports
	$(BIN)/codespell

docs: $(INSTALLED)
	$(BIN)/sphinx-build --fail-on-warning --quiet -j auto -d docs/_build/doctrees docs docs/_build/html
	@echo "docs/_build/html/index.html"

venv: $(INSTALLED)

# torch comes first and alone, so that nothing else chooses its build.
$(STARTED): pyproject.toml constraints.txt
	@echo "Making .venv ..."
	@$(PYTHON) -m venv .venv
	@$(PIP) "Installing PyTorch into .venv (200 MB and more)" $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) -c constraints.txt torch
	@$(PIP) "Installing envsuite with what training needs" -c constraints.txt -e ".[baselines]"
	@touch $@

$(INSTALLED): $(STARTED)
	@$(PIP) "Installing what tests and documentation need" -c constraints.txt -e ".[dev]"
	@touch $@
