# peer.mk - tests beside other programs and on other machines: the real Inspector, Spark, viewers, browsers, other processors.

PYTHON_PACKAGES := python3-dev python3-venv
BROWSER_PACKAGES := chromium chromium-driver curl jq tidy
# Node, npm and Go only if they are missing: those from other sources than Debian also work.
VIEWERS_PACKAGES = python3-venv flatbuffers-compiler \
                   $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm) $(if $(shell command -v go),,golang-go)
EMBEDDED_PACKAGES := gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm python3

# Programs that call ETDumpGen and libetcapture.
EXECUTORCH = $(abspath $(wildcard $(BUILD)/peer/lib/python3*/site-packages/executorch))
PEER_CXXFLAGS = -std=c++17 -O2 -Wall -Wextra -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED -Isrc/include -Itests \
    -isystem $(EXECUTORCH)/include -isystem $(EXECUTORCH)/include/executorch/runtime/core/portable_type/c10
PEER_LIBS = -L$(EXECUTORCH)/lib -Wl,-rpath,$(EXECUTORCH)/lib -Wl,--no-as-needed -lexecutorch -lexecutorch_etdump

$(BUILD)/capture_calls: tests/parity/capture_calls.cc
$(BUILD)/capture_deaths: tests/parity/capture_deaths.cc
$(BUILD)/capture_models: tests/parity/capture_models.cc
$(BUILD)/capture_overhead: bench/capture/overhead.cc

$(BUILD)/capture_lanes: $(BUILD)/tests/parity/capture_lanes.o $(BUILD)/libetcapture.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -pthread

$(BUILD)/capture_tracer: bench/capture/tracer.cc
$(BUILD)/capture_models: PEER_LIBS += -lexecutorch_kernels_optimized -lexecutorch_kernels_quantized -lexecutorch_backend_xnnpack \
    -lexecutorch_threadpool
$(BUILD)/capture_calls $(BUILD)/capture_deaths $(BUILD)/capture_models $(BUILD)/capture_overhead $(BUILD)/capture_tracer: \
    $(BUILD)/libetcapture.a $(wildcard src/include/etcapture*) tests/capture/calls.h
	@echo "  CXX $(filter %.cc,$^)"
	$(Q)$(CXX) $(PEER_CXXFLAGS) -o $@ $(filter %.cc,$^) $(filter %.a,$^) $(PEER_LIBS)

$(BUILD)/nrt_example: examples/nrt/nrt_example.c $(BUILD)/libnrt_profile_etcapture.a
	@echo "  CC $<"
	$(Q)$(CC) -std=c11 $(WARNINGS) $(CFLAGS) $(LDFLAGS) -Isrc/include -o $@ $^ -lm

parity: ## compare with the real Inspector, live: CASES=2000 SEED=1 (installs it into build/peer)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++ flatbuffers-compiler
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all $(BUILD)/attributes $(BUILD)/program_fields $(BUILD)/statistics $(BUILD)/tensor_files $(BUILD)/tensor_metrics $(BUILD)/verify_case \
	    $(addprefix $(BUILD)/,capture_calls capture_deaths capture_lanes capture_models nrt_example play_calls)
	$(Q)sh tests/parity/run.sh $(or $(CASES),2000) $(or $(SEED),1)

python: ## build the Python package into build/python, and compare it with the real Inspector: CASES=300 SEED=1
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES) g++ flatbuffers-compiler
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/libetcapture.a $(BUILD)/inject.so python-module
	$(Q)sh tests/python/run.sh $(BUILD) $(or $(CASES),300) $(or $(SEED),1)

# Spark needs Java; mapInArrow needs pandas, and does not support its version 3.
FLEET_TOOLS := pyspark pyarrow duckdb numpy scipy 'pandas<3'
$(BUILD)/fleet-venv/made: mk/peer.mk
	$(Q)[ -x $(@D)/bin/python ] || python3 -m venv $(@D)
	$(Q)$(@D)/bin/python -m pip --disable-pip-version-check install -q $(FLEET_TOOLS)
	$(Q)touch $@

fleet: ## test fleets of ETDumps in DuckDB and Spark, on a cluster of two workers of which one is killed: DUMPS=2000 (200: without what they cost)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES) procps $(if $(shell command -v java),,default-jre-headless)
	$(Q)$(MAKE) --no-print-directory $(BUILD)/etinspect $(BUILD)/bench/make_dump python-module $(BUILD)/fleet-venv/made
	$(Q)sh tests/fleet/run.sh $(BUILD) $(or $(DUMPS),2000)

CROSS_TARGETS := x86_64-linux-musl aarch64-linux-musl
cross-parity: ## compare what the static programs write, that of aarch64 in QEMU, with this build's, and with the Inspector's
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(ZIG_PACKAGES) qemu-user
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect
	+$(Q)for target in $(CROSS_TARGETS); do BUILD=$(BUILD) .ci/zig.sh $$target || exit 1; done
	$(Q)sh tests/cross/parity.sh $(BUILD) $(CROSS_TARGETS:%=$(BUILD)/zig/%)

# Other architectures of Debian: their compilers are installed, their libraries unpacked in build/cross.
ARCHES ?= armhf arm64 s390x
CROSS_PACKAGES_armhf := gcc-arm-linux-gnueabihf g++-arm-linux-gnueabihf
CROSS_PACKAGES_arm64 := gcc-aarch64-linux-gnu g++-aarch64-linux-gnu
CROSS_PACKAGES_s390x := gcc-s390x-linux-gnu g++-s390x-linux-gnu
cross: ## build for and run tests on ARCHES='armhf arm64 s390x' in QEMU: SUITES='unit golden cli' JOBS=2
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES) qemu-user $(foreach arch,$(ARCHES),$(CROSS_PACKAGES_$(arch)))
	+$(Q)MAKE='$(MAKE)' JOBS='$(or $(JOBS),2)' SUITES='$(SUITES)' sh tests/cross/run.sh $(BUILD) $(ARCHES)

viewers: ## open what is written for other programs with them (installs them into build/viewers)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(VIEWERS_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect
	$(Q)BUILD=$(BUILD) sh tests/viewers/run.sh $(BUILD)/viewers

browser: ## use pages of etinspect report in Chromium, and print how long they take
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all
	$(Q)sh tests/browser/run.sh $(BUILD)

screenshots: ## take pictures of a page of etinspect report in build/screenshots; fails if doc/report.png differs, unless UPDATE=1 writes it
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all
	$(Q)sh tests/browser/screenshots.sh $(BUILD) doc/report.png $(if $(UPDATE),--update)

embedded: ## run examples/tiny_cnn on Cortex-M boards in QEMU, and print what recording costs there
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(EMBEDDED_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/libetcapture.a
	$(Q)sh tests/embedded/run.sh $(BUILD)

.PHONY: parity python fleet cross-parity cross viewers browser screenshots embedded
