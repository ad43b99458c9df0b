# Every environment lives inside the clone (.venv, .venv-tf28, ...) and is rebuilt when pyproject.toml changes.
PYTEST ?= -n auto --maxprocesses 4
.DEFAULT_GOAL := help
N ?= 2000
STEPS ?= 100000
.PHONY: help environments environment-torch demo demo-torch test test-torch test-kernels fuzz fuzz-readers soak test-versions test-matrix test-trackers test-vscode lint format bench instructions docs schema explanations plain-runs new-reason page wheel clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/.stamp  ## Run a broken training program under tensorwhy, and read the answer
	.venv/bin/tensorwhy run examples/frozen_by_accident.py

demo-torch:  ## The same with PyTorch
	scripts/venv-torch
	.venv-torch/bin/python -m tensorwhy run examples/torch_frozen_by_accident.py

test: .venv/.stamp  ## Run the tests on TensorFlow 2.21
	TF_ENABLE_ONEDNN_OPTS=1 .venv/bin/python -m pytest $(PYTEST)

test-torch:  ## Run the tests of PyTorch, in an environment of its own
	scripts/venv-torch
	OMP_NUM_THREADS=1 .venv-torch/bin/python -m pytest $(PYTEST) tests/pytorch

test-kernels: .venv/.stamp  ## Run the tests of gradients that are zero or not finite with the kernels that `make test` does not use
	TF_ENABLE_ONEDNN_OPTS=0 .venv/bin/python -m pytest $(PYTEST) tests/test_catalogue.py tests/test_programs.py -k "tw2 or zero"

fuzz: .venv/.stamp  ## Compare predictions with TensorFlow on random programs: make fuzz N=20000
	PYTHONPATH=src:tests TF_CPP_MIN_LOG_LEVEL=3 .venv/bin/python -m fuzz.harness $(N)

test-versions:  ## Run the tests that depend on the version on every supported TensorFlow and Python
	@PYTEST="$(PYTEST)" scripts/matrix --quick

fuzz-readers: .venv/.stamp  ## Give every reader bad input, other input each time: make fuzz-readers N=100000 (an hour)
	TENSORWHY_FUZZ=$(N) .venv/bin/python -m pytest $(PYTEST) tests/hostile

test-matrix:  ## Run all tests on every supported TensorFlow whose Python is found here; knows nothing from records
	@PYTEST="$(PYTEST)" scripts/matrix

test-trackers: .venv-trackers/.stamp  ## Run the documented calls of experiment trackers; needs no TensorFlow
	.venv-trackers/bin/python -m pytest -n 0 tests/trackers

test-vscode: .venv/.stamp  ## Try the packaged extension in VS Code itself; needs Node, a C++ compiler and Chromium
	scripts/vscode
	.venv/bin/python -m pytest -n 0 tests/editors/test_extension.py tests/editors/test_in_vscode.py

environments: .venv/.stamp .venv-tf28/.stamp .venv-tf212/.stamp .venv-tf221-py313/.stamp .venv-trackers/.stamp environment-torch  ## Make all environments: with -j, beside each other

environment-torch:
	scripts/venv-torch

lint: .venv/.stamp  ## Check format, lint, types, import layers and configuration files
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml
	.venv/bin/check-jsonschema --builtin-schema vendor.readthedocs .readthedocs.yaml

format: .venv/.stamp  ## Format the sources and apply the fixes of ruff
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

bench: .venv/.stamp  ## Measure everything, beside other tools (an hour; wants an idle machine)
	.venv/bin/python benchmarks/recording.py --keep
	if scripts/python 3.13 >/dev/null && $(MAKE) .venv-tf221-py313/.stamp; then \
	  .venv-tf221-py313/bin/python benchmarks/recording.py --keep --only eager --only tiny --without check_numerics; fi
	if scripts/venv-torch; then .venv-torch/bin/python -m pip --disable-pip-version-check install --quiet torchlens; \
	  .venv-torch/bin/python benchmarks/torch_recording.py --keep; fi
	.venv/bin/python benchmarks/whole.py --keep
	.venv/bin/python benchmarks/questions.py --keep
	.venv/bin/python benchmarks/graphs.py --keep
	.venv/bin/python benchmarks/failures.py --keep
	.venv/bin/python benchmarks/pages.py --keep
	.venv/bin/python benchmarks/workers.py --keep
	.venv/bin/python benchmarks/checking.py --keep

instructions: .venv/.stamp  ## Count the instructions of a step with valgrind, recorded and not (an hour)
	.venv/bin/python benchmarks/instructions.py --keep

docs: .venv/.stamp  ## Build the documentation into build/docs/html; any warning fails
	.venv/bin/python scripts/docs.py

soak: .venv/.stamp  ## Record 100,000 steps with a bounded window, and watch the memory: make soak STEPS=10000
	.venv/bin/python benchmarks/soak.py --steps $(STEPS)

schema: .venv/.stamp  ## Write the JSON Schema of the report
	.venv/bin/python scripts/schema.py

explanations: .venv/.stamp  ## Update every explanation.txt, and the output that the documentation shows
	.venv/bin/python -m pytest $(PYTEST) tests/test_catalogue.py tests/test_readme.py tests/documentation tests/checks --update-explanations
	if scripts/venv-torch; then .venv-torch/bin/python -m pytest $(PYTEST) tests/pytorch --update-explanations; fi

plain-runs: .venv/.stamp  ## Record anew what healthy programs do without the tool
	.venv/bin/python -m pytest $(PYTEST) tests/test_programs.py -k healthy_program --update-plain-runs
	if scripts/venv-torch; then OMP_NUM_THREADS=1 .venv-torch/bin/python -m pytest $(PYTEST) tests/pytorch/test_programs.py \
	  -k healthy_program --update-plain-runs; fi

new-reason: .venv/.stamp  ## Begin a reason: make new-reason CODE=TW123 SLUG=some-slug
	.venv/bin/python -m tensorwhy.reasons.scaffold $(CODE) $(SLUG)

page:  ## Bundle the page of the HTML report; needs Node, which nothing else does
	cd web && npm ci && npm run build

wheel: .venv/.stamp  ## Build sdist and wheels into dist/, and try each in an empty environment
	scripts/wheel

clean:  ## Remove the environments and everything built
	rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

.venv/.stamp: pyproject.toml setup.py src/tensorwhy/recording/_fast.c src/tensorwhy/recording/_mode.c scripts/venv scripts/requirements.py scripts/python
	scripts/venv .venv dev 2.21 3.11 3.12 3.13 3.10

.venv-tf28/.stamp: pyproject.toml setup.py src/tensorwhy/recording/_fast.c src/tensorwhy/recording/_mode.c scripts/venv scripts/requirements.py scripts/python
	scripts/venv .venv-tf28 test 2.8 3.10

.venv-tf212/.stamp: pyproject.toml setup.py src/tensorwhy/recording/_fast.c src/tensorwhy/recording/_mode.c scripts/venv scripts/requirements.py scripts/python
	scripts/venv .venv-tf212 test 2.12 3.11 3.10

.venv-tf221-py313/.stamp: pyproject.toml setup.py src/tensorwhy/recording/_fast.c src/tensorwhy/recording/_mode.c scripts/venv scripts/requirements.py scripts/python
	scripts/venv .venv-tf221-py313 test 2.21 3.13

.venv-trackers/.stamp: pyproject.toml scripts/python
	"$$(scripts/python 3.12 3.11 3.13 3.10)" -m venv --clear .venv-trackers
	TENSORWHY_PURE=1 .venv-trackers/bin/python scripts/alone .venv-trackers/bin/python -m pip --disable-pip-version-check install --quiet --no-compile --editable ".[trackers]" \
	  hypothesis jsonschema pytest pytest-xdist
	touch $@
