# The commands of developers and CI. `make demo` and `make test` each work as the first command on a
# machine with python3 and venv, a C compiler and make.

PYTHON ?= python3
SHARED ?= ../shared

comma := ,
VENV := .venv
BIN := $(VENV)/bin
VENV_TRAIN := .venv-train
VENV_SITE := .venv-site
ORACLES ?= .venv-oracles
KERNELS ?= .venv-kernels
ENGINES ?= .venv-engines
REPORTS := build/reports
ROOMS := core frontends dialects analysis passes simulation targets api tools
SAMPLES := $(abspath $(SHARED))
LIT := $(BIN)/lit -sv -D shared=$(SAMPLES)
PYTEST := $(BIN)/python -m pytest -q --tb=short --shared=$(SAMPLES)
PROGRAM := PYTHONPATH=$(abspath tests/support):$(abspath lit-tests) $(BIN)/python
COVERAGE := $(BIN)/python -m coverage run --source=$(subst $() $(),$(comma),$(addprefix $(CURDIR)/,$(ROOMS)))
SUMMARY := $(BIN)/python tests/support/summary.py $(REPORTS)

# Tests of one kind, a process for each processor; the last line counts passed and failed ones.
define kind
mkdir -p $(REPORTS) && rm -f $(REPORTS)/$(1).*; \
	$(PYTEST) -n auto --dist worksteal --junitxml $(REPORTS)/$(1).xml $(2) && touch $(REPORTS)/$(1).ok; $(SUMMARY) $(1)
endef

# Python keeps the bytecode of the tree, or each of the many processes that tests start would compile all of it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv test unit target golden golden-slow property docs-test wheel lint types coverage layout helps losses fits rounding fuzz soak mcu kernels engines frameworks oracles format lock report-shots demo train peers bench bench-map docs site clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
	@echo "PYTHON=$(PYTHON) makes the environment; SHARED=$(SHARED) is where the third-party samples are"

venv: $(VENV)/.installed ## the environment in .venv, from requirements.lock; kept while it is current

# Python compiles what is imported, which takes less time than all modules of all packages.
$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nopt needs Python 3.11 or newer: make PYTHON=…")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml setup.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# The type checker uses what the two processes of pytest leave of the processors. The goldens follow, since four busy processes on two
# processors take 12 % more time of each.
test: venv ## lint and types while the unit and target tests run, then the goldens; the last line counts passed and failed ones
	@rm -rf $(REPORTS) && mkdir -p $(REPORTS)
	@for check in lint types; do \
		nice -n 10 $(MAKE) --no-print-directory $$check > $(REPORTS)/$$check.log 2>&1 && touch $(REPORTS)/$$check.ok; \
	done & \
	for kind in unit target golden; do echo "== $$kind"; $(MAKE) --no-print-directory $$kind; done; wait; \
	for check in lint types; do echo "== $$check"; cat $(REPORTS)/$$check.log; done; \
	$(SUMMARY) lint types unit target golden

unit: venv ## tests of the parts of the package and of the tree; no chip is compiled
	@$(call kind,unit,tests/unit)

target: venv ## tests of chips: generated networks on each target, compiled, read back and run; networks of the examples
	@$(call kind,target,tests/target)

property: venv ## tests of properties on generated networks, damaged files and odd options; PART=10 runs a tenth, which the commit selects
	@$(call kind,property,tests/property --part $(or $(PART),1) --commit "$$(git rev-parse HEAD 2> /dev/null)")

docs-test: venv ## tests of the documentation: links, commands of the pages, tutorials, generated pages
	@$(call kind,docs,tests/docs)

wheel: venv ## tests of installations: plug-ins, packages of templates, environments with a wheel
	@$(call kind,wheel,tests/wheel)

golden: venv ## the goldens, in warm workers
	@mkdir -p $(REPORTS) && rm -f $(REPORTS)/golden.*
	@$(LIT) -o $(REPORTS)/golden.json lit-tests && touch $(REPORTS)/golden.ok; $(SUMMARY) golden

golden-slow: venv ## the goldens, each command in a separate process
	$(LIT) -D slow=1 lit-tests

lint: venv ## ruff: rules and layout of the Python text; plain English in the files that differ from the branch point
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/support/english.py --changed

types: venv ## pyrefly, strict, over the rooms of the package
	$(BIN)/pyrefly check --progress-bar no

coverage: venv ## lines of the package that the unit, target and golden tests run, in build/coverage/html; TESTS='tests/unit/core' selects tests of pytest
	@rm -rf build/coverage && mkdir -p build/coverage
	$(COVERAGE) -m pytest -q --shared=$(SAMPLES) -n auto --dist worksteal $(or $(TESTS),tests/unit tests/target)
	$(if $(TESTS),,$(COVERAGE) $(LIT) lit-tests)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage html --quiet --directory build/coverage/html
	$(BIN)/python -m coverage report --skip-covered

layout: venv ## only the tests of the structure of the tree
	$(PYTEST) tests/unit/tree/test_layout.py tests/unit/tree/test_lock.py

fuzz: venv ## N=3000 commands of every verb with damaged files and odd options, each within 10 s and 1 GiB; SEED=0; failures are kept in build/fuzz
	$(PROGRAM) tests/property/fuzz --count $(or $(N),3000) --seed $(or $(SEED),0) --shared $(SAMPLES)

soak: venv ## NETWORKS=500 generated networks through C in many forms, every bit compared with the reference; differences are kept in build/soak; LEGALISED=200 networks on devices; CONFORM=500 networks on each device of each target, its model and its artefact compared with the network; EXTREMES=1000 networks with one extreme parameter; 1000 examples of each property; CASES=10 times the generated cases of the tests, and the ranking of devices compared with compile for all samples and examples
	$(PROGRAM) tests/property/passes/legalize/legalised.py --networks $(or $(LEGALISED),200) --seed $(or $(SEED),1000)
	$(BIN)/nopt conform all --only artefact,equivalence --networks $(or $(CONFORM),500) --seed $(or $(SEED),1000)
	$(PROGRAM) tests/property/extremes.py --count $(or $(EXTREMES),1000) --seed $(or $(SEED),0)
	$(PYTEST) -n auto -m hypothesis --hypothesis-profile soak tests/unit tests/property
	CASES=$(or $(CASES),10) $(PYTEST) -n auto tests/unit tests/target tests/property tests/wheel
	$(PROGRAM) tests/property/soak.py --networks $(or $(NETWORKS),500) --seed $(or $(SEED),1000)

mcu: venv ## compiled networks on an emulated Cortex-M4 (arm-none-eabi-gcc, qemu-system-arm): outputs, instructions per tick, ROM and RAM; NETWORKS=20 generated networks of integers
	$(PROGRAM) tests/target/c/mcu --networks $(or $(NETWORKS),20)

kernels: venv ## examples, published networks and NETWORKS=40 generated ones as kernels: the validators of this machine, and runs on PoCL and Mesa's lavapipe against the reference; ONLY=name; environment in KERNELS=.venv-kernels; what is absent is skipped with the reason
	$(PROGRAM) tests/property/kernels --shared $(SAMPLES) --environment $(KERNELS) --networks $(or $(NETWORKS),40) --only "$(ONLY)"

oracles: venv ## COUNT=100 generated networks of each chip in the tools of its vendor and field, against its model; ONLY=loihi2; environments in ORACLES=.venv-oracles; the last line counts passed, failed and skipped tests
	@mkdir -p $(REPORTS) && rm -f $(REPORTS)/oracle.*
	@$(PYTEST) -rs -o junit_family=legacy --count $(or $(COUNT),100) --oracles $(ORACLES) --junitxml $(REPORTS)/oracle.xml $(wildcard tests/oracle/$(or $(ONLY),*)/test_*.py) \
		&& touch $(REPORTS)/oracle.ok; $(SUMMARY) oracle

engines: venv ## examples, published networks and NETWORKS=40 generated ones on every engine, also on software devices and by IREE, against the reference; ONLY=name; environment in ENGINES=.venv-engines; an engine that cannot be used is skipped with the reason
	$(PROGRAM) tests/property/engines --shared $(SAMPLES) --environment $(ENGINES) --networks $(or $(NETWORKS),40) --only "$(ONLY)"

frameworks: venv ## NETWORKS=30 random networks of each framework, written and run by it, against nopt; networks that nopt imports; the tutorials; ONLY=norse,sinabs; PART=files, or a module of tests: imports, tutorials, state_dicts, …; environments in ORACLES=.venv-oracles
	@mkdir -p $(REPORTS) && rm -f $(REPORTS)/frameworks.*
	@$(PROGRAM) tests/oracle --networks $(or $(NETWORKS),30) --seed $(or $(SEED),0) --oracles $(ORACLES) --only "$(ONLY)" --part "$(PART)"; files=$$?; \
		$(if $(filter files,$(PART)),,$(PYTEST) -rs --oracles $(ORACLES) --junitxml $(REPORTS)/frameworks.xml $(if $(ONLY),-k "$(subst $(comma), or ,$(ONLY))") \
		$(wildcard tests/oracle/test_$(or $(PART),*).py) && touch $(REPORTS)/frameworks.ok; $(SUMMARY) frameworks &&) exit $$files

helps: venv ## NETWORKS=40 generated networks on all devices, each refusal followed by its help, until the network compiles or another device is named; SEED=0; DEVICES=asic/,c/int8; JOBS of processors; SECONDS=30 of processor time for a command; a run continues where an earlier one of the same package ended; every help line of the goldens
	$(PROGRAM) tests/property/help_chains --networks $(or $(NETWORKS),40) --seed $(or $(SEED),0) --devices "$(DEVICES)" --seconds $(or $(SECONDS),30) $(if $(JOBS),--jobs $(JOBS)); \
		chains=$$?; $(PROGRAM) tests/property/help_lines.py $(SAMPLES) && exit $$chains

losses: venv ## NETWORKS=40 generated networks on all devices, each figure of the loss recomputed from the arrays of runs; SEED=0; DEVICES=asic/,c/int8; JOBS of processors
	$(PROGRAM) tests/property/losses --networks $(or $(NETWORKS),40) --seed $(or $(SEED),0) --devices "$(DEVICES)" $(if $(JOBS),--jobs $(JOBS))

fits: venv ## common networks on all devices, as `check --target auto` ranks them, for the table in docs/choosing.md; NETWORKS=names; DEVICES=linalg/ checks these alone, and keeps the rows of the others
	$(PROGRAM) tests/property/fits --shared $(SAMPLES) --networks "$(NETWORKS)" --devices "$(DEVICES)" $(if $(NETWORKS),,--record docs/reference/network-fits.json)

rounding: venv ## trained networks with weights of few bits, by each method of rounding, for the table in docs/quantize.md; NETWORKS=names
	$(PROGRAM) tests/property/rounding --shared $(SAMPLES) --networks "$(NETWORKS)" $(if $(NETWORKS),,--record docs/reference/rounding.json)

format: venv ## formats the Python text for `make lint`
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## writes requirements.lock from the ranges in pyproject.toml, with the oldest supported Python
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check pip-tools
	build/lock/bin/pip-compile --quiet --upgrade --extra dev --extra examples --extra plot --extra report --extra cluster --extra parquet --all-build-deps --allow-unsafe --generate-hashes \
		--strip-extras --no-header --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--output-file requirements.lock pyproject.toml

report-shots: venv ## 20 screenshots of reports in headless Chromium: five builds at the width of a desktop and a phone, in a light and a dark theme, in build/report-shots
	$(PROGRAM) tests/unit/report/browser.py build/report-shots

demo: venv ## hand-made and trained networks, from .nir to spikes
	$(BIN)/python examples/demo.py

$(VENV_TRAIN)/.installed: examples/requirements-train.txt examples/requirements-train-alone.txt
	$(PYTHON) -m venv --clear $(VENV_TRAIN)
	$(VENV_TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check -r examples/requirements-train.txt
	$(VENV_TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r examples/requirements-train-alone.txt
	@touch $@

train: $(VENV_TRAIN)/.installed ## trains the networks of examples/ again, with PyTorch, in .venv-train; minutes
	@for file in examples/*/train_*.py; do echo "== $$file"; $(VENV_TRAIN)/bin/python $$file || exit 1; done

peers: .venv-peers/.installed ## the simulators for comparison in `make bench`, in .venv-peers; those of `make train` too

.venv-peers/.installed: benchmarks/peers/requirements.txt
	$(PYTHON) -m venv --clear .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

bench: venv ## ratios against peers, and those of the run before; BASE=FILE.json compares with other ratios; build/bench/ratios.json
	@mkdir -p build/bench && if [ -e build/bench/ratios.json ]; then mv build/bench/ratios.json build/bench/earlier.json; fi
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done
	@$(BIN)/python benchmarks/ratios.py $(if $(BASE),--base $(BASE))

.venv-partitioner/.installed: benchmarks/mapping/requirements.txt
	$(PYTHON) -m venv --clear .venv-partitioner
	.venv-partitioner/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

bench-map: venv .venv-partitioner/.installed ## mapping against file order and Mt-KaHyPar; ONLY=EXPRESSION chooses networks by name, or by name and mesh (microcircuit.* on 8 x 8); build/bench/map.json and map.md
	$(BIN)/python benchmarks/mapping/bench.py build/bench --samples $(SHARED)/samples --partitioner .venv-partitioner/bin/python --only "$(ONLY)"

docs: venv ## writes the generated pages of docs/
	$(BIN)/python docs/generate.py

site: venv $(VENV_SITE)/.installed ## all pages, with one for each device, as a site with search: build/site/index.html
	@rm -rf build/site-pages
	$(BIN)/python docs/site_pages.py build/site-pages
	$(VENV_SITE)/bin/mkdocs build --strict

$(VENV_SITE)/.installed: docs/requirements-site.txt
	$(PYTHON) -m venv --clear $(VENV_SITE)
	$(VENV_SITE)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean: ## removes the environment and all build results
	rm -rf $(VENV) $(VENV_TRAIN) $(VENV_SITE) .venv-peers .venv-partitioner .venv-engines .venv-oracles build dist src/*.egg-info .pytest_cache .ruff_cache .hypothesis
	find src -type l -delete
	find $(ROOMS) src tests lit-tests -name __pycache__ -type d -prune -exec rm -rf {} +
