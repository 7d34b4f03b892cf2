SHELL := /bin/bash

.PHONY: setup check test prove thorough demo docs bench gallery

setup: .venv/.ready ## system packages, virtual environment, everything

.venv/.ready: pyproject.toml uv.lock docker/system-packages.txt
	bash docker/setup.sh
	touch $@

check: setup
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

test: setup
	.venv/bin/pytest

prove: setup ## prove each task of which something changed since its last proof, and write that into its ledger
	.venv/bin/toolyard prove --stale --jobs $$(nproc)

thorough: setup ## all that the tests leave out in every run: hours
	TOOLYARD_THOROUGH=1 .venv/bin/pytest

demo: setup
	.venv/bin/toolyard demo

docs: setup ## bring the generated tables in the documents up to date
	.venv/bin/python -m toolyard.sandbox.catalog --write

bench: setup ## measure everything and write the figures into the README
	.venv/bin/python bench/figures.py --write

gallery: setup ## call an example of every office tool, and draw what came of it into runs/gallery
	PYTHONPATH=tests .venv/bin/python -m gallery.draw runs/gallery
