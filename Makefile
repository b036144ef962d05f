# `make demo` and `make test` need Python 3.11 or later, make, and a package index; everything else they install
# into .venv. pip's own configuration (mirrors, proxies, certificates) is honoured.

PYTHON ?= python3
VENV ?= .venv
CLIENTS ?= .clients
INTEGRATIONS ?= .integrations
JOBS ?= 2
PYTEST_ARGS ?=
MINUTES ?= 120
NAMESPACE ?= io.github.example
BENCHES ?= startup freshness freshness_source reading pdf embedding ingest store search extraction

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install -qq --require-hashes
COMPILE_ANY := $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-annotate --no-header
COMPILE := $(COMPILE_ANY) pyproject.toml
SOURCES := src tests bench eval examples integrations scripts

# Where no bytecode is written, each worker of each run compiles every test again, and pytest rewrites its assertions:
# 34 processor seconds instead of 18.
unexport PYTHONDONTWRITEBYTECODE

# Under `make test COVERAGE=1` the same tests leave their coverage data behind; `make cover` adds it up.
ifdef COVERAGE
RUN_PYTEST := $(BIN)/python -m coverage run -m pytest
else
RUN_PYTEST := $(BIN)/python -m pytest
endif

.DEFAULT_GOAL := help
.PHONY: help demo install dev model chromadb clients test test-slow test-long integrations lint format types imports cover bench benchmarks soak rules lock generate record packages pictures clean

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: install model ## Index the user guide, ask three questions, print cited answers
	@$(BIN)/python scripts/demo.py

install: $(VENV)/.runtime ## Install pincite and what it needs into .venv
dev: $(VENV)/.dev ## The same and the tools for working on it
model: $(VENV)/.model ## Fetch the embedding model (without it, search is by words alone)

chromadb: $(VENV)/.chromadb ## Install ChromaDB for its tests (150 MB more into .venv)
clients: $(CLIENTS)/.installed ## Install the MCP clients of others that the slow tests try (needs npm; 700 MB into .clients)

test: dev model ## Run the default tests
	$(RUN_PYTEST) -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

test-slow: dev model ## Run the tests that CI runs too, but nobody wants to wait for
	$(RUN_PYTEST) -n $(JOBS) --dist worksteal -m "slow and not long" $(PYTEST_ARGS)

test-long: dev model ## Run the tests that take many minutes
	$(RUN_PYTEST) -m long $(PYTEST_ARGS)

integrations: ## Run the tests of LangChain, LlamaIndex, Haystack, pandas, Prometheus and OpenTelemetry (1 GB into .integrations)
	$(MAKE) VENV=$(INTEGRATIONS) $(INTEGRATIONS)/.integrations
	$(INTEGRATIONS)/bin/python -m pytest -n $(JOBS) $(PYTEST_ARGS) integrations tests/unit/transports/test_metrics.py \
		tests/unit/transports/test_tracing.py tests/unit/test_documents.py tests/unit/transports/cli/commands/test_export.py

lint: dev ## Check style and form
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

format: dev ## Put style and form right
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

types: dev ## Check types; pyright and its Node come from the package index, nothing is downloaded at run time
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 PYRIGHT_PYTHON_GLOBAL_NODE=0 $(BIN)/pyright --threads $(JOBS)
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 PYRIGHT_PYTHON_GLOBAL_NODE=0 $(BIN)/pyright -p eval --threads $(JOBS)

imports: dev ## Check that layers import only downwards
	$(BIN)/lint-imports

cover: dev ## Add up the coverage of the runs with COVERAGE=1 and hold it against the gates
	@mkdir -p build
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage json --quiet -o build/coverage.json
	$(BIN)/python scripts/coverage_gates.py build/coverage.json

bench: dev model ## Measure speed: all of bench/, one table after the other, or `make bench BENCHES=pdf`
	@for name in $(BENCHES); do echo "== $$name"; $(BIN)/python bench/$$name.py || echo "a target was missed"; done

benchmarks: dev ## Write the page of benchmarks and the README's comparison from bench/results
	$(BIN)/python scripts/benchmarks.py

soak: dev model ## Call every face while files change and processes are killed, for MINUTES, and say what grows
	$(BIN)/python bench/soak.py --minutes $(MINUTES)

rules: dev ## Say which rules of the PDF reader decide, in how many real files
	$(BIN)/python eval/reading/rules.py

generate: dev ## Write the pages that are made from the code
	$(BIN)/python scripts/generate.py

pictures: dev model ## Make pictures of every view of the web page, over the documents in PINCITE_DATA, into build/pictures
	$(BIN)/python scripts/pictures.py build/pictures

packages: dev ## Write what clients install pincite from (server.json, a bundle, a plugin, links) into build/packages
	$(BIN)/python scripts/packages.py build/packages --namespace $(NAMESPACE)

record: dev model ## Write what the commands of the pages print into them
	$(BIN)/python scripts/record.py

lock: dev ## Resolve the newest allowed versions into requirements/*.lock
	$(COMPILE) requirements/build.in -o requirements/runtime.lock
	$(COMPILE) requirements/build.in --group dev --constraints requirements/runtime.lock -o requirements/dev.lock
	$(COMPILE_ANY) requirements/chromadb.in --constraints requirements/dev.lock \
		-o requirements/chromadb.lock
	$(COMPILE_ANY) requirements/agent.in --constraints requirements/dev.lock -o requirements/agent.lock
	$(COMPILE_ANY) requirements/postgres.in --constraints requirements/dev.lock -o requirements/postgres.lock
	$(COMPILE_ANY) requirements/integrations.in --constraints requirements/runtime.lock \
		-o requirements/integrations.lock

clean: ## Remove everything that make has made
	rm -rf $(VENV) $(CLIENTS) $(INTEGRATIONS) .coverage .coverage.* .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'pincite needs Python 3.11 or later. Name one: make PYTHON=python3.12 …' >&2; exit 3; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.lock pyproject.toml | $(VENV)/bin/python
	@echo 'Installing pincite and what it needs into $(VENV); this takes one to five minutes, without a word.'
	@$(INSTALL) -r requirements/runtime.lock
	@$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.runtime
	$(INSTALL) -r requirements/dev.lock
	@touch $@

$(VENV)/.chromadb $(VENV)/.integrations: $(VENV)/.%: requirements/%.lock $(VENV)/.dev
	$(INSTALL) -r requirements/$*.lock
	@touch $@

# A machine that reaches no model still runs everything, by words alone; the next call tries again.
$(VENV)/.model: | $(VENV)/.runtime
	@if $(BIN)/pincite models fetch >/dev/null; then touch $@; \
		else echo 'The embedding model is not here: search works by words alone. `make model` tries again.' >&2; fi

# Their versions are pinned there. Each has its own licence; none becomes a part of pincite.
$(CLIENTS)/.installed: tests/e2e/clients/package.json
	@mkdir -p $(CLIENTS)
	cp $< $(CLIENTS)/package.json
	npm install --prefix $(CLIENTS) --no-fund --no-audit --loglevel error
	@touch $@
