# make run: the site on http://127.0.0.1:8000/    make demo: a club to try    make test: every test    make check: every linter
SHELL := /bin/bash
VENV := .venv
PY := $(VENV)/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 1
THREADS ?= 8

.PHONY: help install install-test run demo test check bench messages format

help:
	@sed -n '1p' Makefile
	@echo "make bench: engine and server timings    make messages: compile translations, list what is missing    make format"

# --- installing ---------------------------------------------------------------------------------

$(VENV)/.installed: requirements.txt
	[ -x $(PY) ] || python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	touch $@

$(VENV)/.installed-test: requirements-test.txt $(VENV)/.installed
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.txt
	touch $@

install: $(VENV)/.installed

install-test: $(VENV)/.installed-test
	scripts/install-test-packages

# --- running ------------------------------------------------------------------------------------

run: install
	$(PY) manage.py compile_translations
	$(PY) manage.py migrate --verbosity 0
	$(PY) manage.py load_rulesets
	$(PY) manage.py keep_house
	@echo "Mahjong Referee: http://$(HOST):$(PORT)/    (make demo: a club with a season, to try things on)"
	$(VENV)/bin/gunicorn mahjong_site.wsgi --bind $(HOST):$(PORT) --workers $(WORKERS) --threads $(THREADS) --worker-class gthread --limit-request-line 8190 --log-level warning

demo: install
	$(PY) manage.py compile_translations
	$(PY) manage.py migrate --verbosity 0
	$(PY) manage.py demo

# --- checking -----------------------------------------------------------------------------------

test: install-test
	$(PY) manage.py compile_translations
	$(VENV)/bin/pytest -n 3 --dist worksteal

check: $(VENV)/.installed-test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html')
	$(PY) manage.py makemigrations --check --dry-run
	scripts/check-deploy $(PY)

format: $(VENV)/.installed-test
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/djade --target-version 5.2 $$(git ls-files 'templates/*.html')

bench: $(VENV)/.installed-test
	$(PY) -m tests.bench.run
	$(PY) -m tests.bench.server

# --- translations -------------------------------------------------------------------------------

messages: install
	$(PY) manage.py compile_translations
	$(PY) manage.py check_translations
