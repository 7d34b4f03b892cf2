SHELL := /bin/bash
# Tests and proofs start Python hundreds of times; without bytecode each start compiles all anew.
unexport PYTHONDONTWRITEBYTECODE

MODELS := .venv-models/bin

.PHONY: setup models-env test-models test-ray check test live prove everything seconds demo docs bench gallery image frameworks

setup: .venv/.ready ## system packages, virtual environment, everything

.venv/.ready: pyproject.toml uv.lock docker/system-packages.txt
	bash docker/setup.sh
	touch .venv/.quickstart $@

# A part of the setup, for those who want to see something first.
.venv/.quickstart: pyproject.toml uv.lock docker/quickstart-packages.txt
	bash docker/setup.sh quickstart
	touch $@

check: setup
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/pytest -n 0 tests/test_ratchet.py

test: setup ## what each change needs, in minutes; CHANGED=origin/main: only what a change since then can touch
	.venv/bin/pytest $(if $(CHANGED),--changed $(CHANGED))

live: .venv/.live ## drills with programs that only they need, and which this installs: mail, calendars, PostgreSQL, fakesnow
	.venv/bin/pytest -m live

# fakesnow wants an older DuckDB than ours.
.venv/.live: .venv/.ready docker/live-packages.txt
	bash docker/setup.sh docker/live-packages.txt
	test -x .tools/fakesnow/bin/python || python3 -m venv .tools/fakesnow
	.tools/fakesnow/bin/pip install --quiet "fakesnow==0.12.*" "snowflake-connector-python<5"
	touch $@

models-env: .venv-models/.ready ## the environment of the models' worker: torch, transformers, diffusers (1.5 GB)

# torch alone first: what needs it would take the newest, whose build for GPUs has several gigabytes.
.venv-models/.ready: pyproject.toml yardkit/models/local/requirements.txt
	test -x $(MODELS)/pip || python3 -m venv .venv-models
	$(MODELS)/pip install --quiet torch==2.13.0
	$(MODELS)/pip install --quiet --no-deps torchvision==0.28.0
	$(MODELS)/pip install --quiet -r yardkit/models/local/requirements.txt -e . pytest pytest-timeout anyio
	touch $@

test-models: models-env ## the worker and the families of local models, on tiny checkpoints
	$(MODELS)/python -m pytest -c tests/models/local/pytest.ini tests/models/local

test-ray: models-env ## the worker on a Ray of this machine; Ray is installed for it (300 MB)
	$(MODELS)/pip install --quiet "ray[serve]==2.60.0"
	$(MODELS)/python -m pytest -c tests/models/local/pytest.ini -W ignore tests/models/local/on_ray

prove: setup ## prove each task of which something changed since its last proof, and write that into proofs.lock
	.venv/bin/yardkit prove --stale --jobs $$(nproc)

everything: .venv/.live ## all tests with all that they can try, the drills, all proofs: hours; SHARD=2/4: one of four parts of the tests
	.venv/bin/pytest --everything $(if $(SHARD),--shard $(SHARD))
	$(if $(SHARD),,.venv/bin/yardkit prove all --variants --jobs $$(nproc))

seconds: setup ## time all tests, or those of FILES=..., for their order and their limits (tests/seconds.json)
	.venv/bin/pytest --write-seconds $(FILES)
	.venv/bin/pytest -n 0 tests/test_ratchet.py

demo: .venv/.quickstart ## the quickstart suite, solved by the reference agent; it needs a part of the setup only
	.venv/bin/yardkit demo --jobs $$(nproc)

docs: setup ## bring the generated tables in the documents up to date
	.venv/bin/python -m yardkit.sandbox.serving.document_tables --write

image: ## build the container image without Docker: docker/build.sh; SERVERS="files sheets": only these; MODELS=small: with models
	bash docker/build.sh localhost/yardkit:latest $(if $(SERVERS),--build-arg SERVERS="$(SERVERS)") $(if $(MODELS),--build-arg MODELS="$(MODELS)")

bench: setup ## measure everything and write the figures into docs/figures.md
	.venv/bin/python bench/figures.py --write

gallery: setup ## call an example of every office, media and perception tool, and draw what came of it into runs/gallery
	PYTHONPATH=tests:examples .venv/bin/python -m tools.draw runs/gallery

frameworks: setup ## run the snippet of every agent framework, and write what was seen into docs/frameworks.md
	PYTHONPATH=tests .venv/bin/python -m frameworks.table --write

.PHONY: site
site: .venv/.docs ## build the documentation into .site; a warning or a dead link is an error
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict

.venv/.docs: .venv/.ready
	PATH="$$PATH:.tools/bin" uv sync --frozen --quiet --inexact --only-group docs
	touch $@
