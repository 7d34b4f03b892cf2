SHELL := /bin/bash
# Tests and proofs start Python hundreds of times; without bytecode each start compiles all anew.
unexport PYTHONDONTWRITEBYTECODE
# Proofs and tests make and delete thousands of small files, for which ext4 looks long for free inodes: half of the
# processor's time went there. In memory it costs next to nothing, if there is room for it.
ifndef TMPDIR
export TMPDIR := $(shell [ -w /dev/shm ] && ! findmnt -no OPTIONS /dev/shm | grep -q noexec && \
  [ "$$(df -Pk /dev/shm | awk 'END {print $$4}')" -gt 8000000 ] && echo /dev/shm || echo /tmp)
endif

MODELS := .venv-models/bin
COVERED := tests/world tests/kit tests/sandbox/episodes tests/evaluators/test_scoring.py

.PHONY: setup models-env test-models test-ray check hooks lint-workflows test coverage smoke live prove everything seconds demo docs bench gallery image frameworks push-image wheel cards release-notes publish

setup: .venv/.ready ## system packages, virtual environment, everything

.venv/.ready: pyproject.toml uv.lock docker/system-packages.txt
	bash docker/setup.sh
	touch .venv/.quickstart $@
	@echo "everything is set up; . .venv/bin/activate gives you the command yardkit"

# A part of the setup, for those who want to see something first.
.venv/.quickstart: pyproject.toml uv.lock docker/quickstart-packages.txt
	bash docker/setup.sh quickstart
	touch $@

check: setup
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/mypy tests
	.venv/bin/lint-imports
	.venv/bin/codespell *.md docs yardkit/servers/*/README.md
	$(MAKE) --no-print-directory lint-workflows
	.venv/bin/pytest -n 0 tests/test_ratchet.py

# Shell scripts in workflows are calls of make; shellcheck would only make the result depend on the machine.
lint-workflows: setup ## check .github/workflows
	.venv/bin/actionlint -no-color -shellcheck= -pyflakes=

hooks: setup ## let Git check each commit before it is made (.pre-commit-config.yaml)
	.venv/bin/pre-commit install

test: setup ## what each change needs, in minutes; CHANGED=origin/main: only what a change since then can touch
	.venv/bin/pytest $(if $(CHANGED),--changed $(CHANGED))

coverage: setup ## branch coverage of kit, world, episodes and scoring by their own tests, against the floors in tests/ratchet.toml
	.venv/bin/coverage erase
	.venv/bin/coverage run -m pytest $(COVERED)
	.venv/bin/coverage combine --quiet
	PYTHONPATH=tests .venv/bin/python -m branch_coverage

smoke: ## install the portable servers as a user does, into build/smoke, and call a tool of each; on any system
	rm -rf build/smoke
	python3 -m venv build/smoke
	build/smoke/bin/pip install --quiet '.[files,sheets,calculator]'
	build/smoke/bin/python tests/smoke.py

live: .venv/.live ## drills with programs that only they need, and which this installs: mail, calendars, PostgreSQL, fakesnow, ffprobe, exiftool
	.venv/bin/pytest -m live $$(grep -rl "mark.live" tests --include="test_*.py")

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

wheel: setup ## build the distribution into dist
	rm -rf dist
	PATH="$$PATH:.tools/bin" uv build --wheel --out-dir dist

cards: setup ## write the cards of all tasks into one archive beside the wheel, as a release has them
	mkdir -p dist build/cards
	.venv/bin/python -m yardkit.sandbox.proofs.cards build/cards
	tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -czf dist/task-cards.tar.gz -C build cards

release-notes: ## print what CHANGELOG.md says of TAG=v0.1.0, and fail unless pyproject.toml and CITATION.cff have that version
	@python3 .github/release_notes.py $(TAG)

publish: setup ## upload the wheel in dist to PyPI, as the workflow of a release may
	PATH="$$PATH:.tools/bin" uv publish --trusted-publishing always dist/*.whl

image: ## build the container image without Docker: docker/build.sh; SERVERS="files sheets": only these; MODELS=small: with models
	bash docker/build.sh localhost/yardkit:latest $(if $(SERVERS),--build-arg SERVERS="$(SERVERS)") $(if $(MODELS),--build-arg MODELS="$(MODELS)")

push-image: ## push that image to REGISTRY/OWNER/yardkit:TAG with REGISTRY_USER and REGISTRY_PASSWORD; print its name and digest
	@bash docker/push.sh $(REGISTRY)/$(OWNER)/yardkit $(TAG)

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
