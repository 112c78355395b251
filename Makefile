# Needs make, git, Python 3.11 or later and its venv module; makes everything else itself.
#   make lab ARGS="--port 8899"     passes options on to `binteach lab`
#   make site ARGS="--offline"      and to `binteach site`
#   make bench ARGS="--quick"       and to the benchmarks; they are `python -m benchmarks.run`
#   make test PYTHON=python3.13     chooses the Python that .venv is made with

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help lab site test bench notebooks exercises clean
.DELETE_ON_ERROR:

help:
	@echo "make lab     make the environment and open JupyterLab on the course"
	@echo "make site    make the environment and write the course into build/site, for any web server"
	@echo "make test    make the environment and run every check and test, notebooks and browser included"
	@echo "make bench   make the environment and measure the speed beside scikit-learn and scipy"
	@echo "make notebooks, make exercises    run them and store their outputs; exercises are made from the bank"

# The course is a copy in course/, so that what a student changes there is never overwritten in notebooks/.
lab: $(VENV)/.lab
	$(BIN)/binteach lab course $(ARGS)

# What is written there by hand stays; an earlier site is replaced.
site: $(VENV)/.site
	$(BIN)/binteach site build/site $(ARGS)

# `loadfile` keeps a notebook's cells on one worker; `current-env` gives every notebook this
# environment's kernel, whatever name it was saved with.
test: $(VENV)/.test
	sh tests/ensure_chromium.sh
	sh tests/ensure_axe.sh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadfile --nbval --nbval-current-env --nbval-cell-timeout 10 \
		--nbval-sanitize-with tests/nbval.cfg tests notebooks exercises

# A missed bar is no error: it stands out in the table, and a busy machine can cause it.
bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.run $(ARGS)

# Stores the outputs that nbval compares with. Timings and the numbers of widgets would differ every time,
# so none are kept.
RUN := $(BIN)/jupyter nbconvert --to notebook --execute --inplace \
	--ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False \
	--CoalesceStreamsPreprocessor.enabled=True

notebooks: $(VENV)/.test
	$(RUN) notebooks/*.ipynb

# Students get the exercises; `binteach lab` leaves the solutions out.
exercises: $(VENV)/.test
	$(BIN)/binteach exercises exercises --overwrite
	$(BIN)/binteach exercises exercises/solutions --solutions --overwrite
	$(RUN) exercises/*.ipynb exercises/solutions/*.ipynb

clean:
	rm -rf $(VENV) build dist tests/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

# Empty files in .venv record what was installed, so that a second run installs nothing until
# pyproject.toml changes. The extra `test` contains `lab` and `site`, so installing it satisfies all.
$(VENV)/.lab: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[lab]"
	@touch $@

$(VENV)/.site: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[site]"
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@ $(VENV)/.lab $(VENV)/.site

# Debian's python3 has `venv` but not the `ensurepip` that it needs: without this check the
# failure comes late and leaves half an environment behind.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "binteach needs Python 3.11 or later: install it, or name one that you have, as in 'make PYTHON=python3.13 test'." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "Python's venv module is missing: 'apt-get install python3-venv' brings it." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@
