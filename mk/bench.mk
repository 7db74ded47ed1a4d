# bench.mk - measurements: speed and memory beside others, the gate's errors, hostile files.

BENCH_PACKAGES := flatbuffers-compiler unzip valgrind python3-venv
BENCH_PROGRAMS := $(patsubst bench/%.c,$(BUILD)/bench/%,$(sort $(wildcard bench/*.c)))

# Optimised whatever CFLAGS contain: these programs are the yardstick.
$(BUILD)/bench/%: bench/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O3 -o $@ $<

bench: ## measure speed and memory beside flatc, the Inspector and reading alone: SIZE=small|full
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BENCH_PROGRAMS)
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)sh bench/check.sh $(BUILD)
	$(Q)sh bench/run.sh $(BUILD) $(or $(SIZE),small)

bench-python: ## measure the Python package beside the Inspector: ROUNDS=5
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory python-module
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/bench/make_dump
	$(Q)$(BUILD)/bench/make_dump operators 1 100000 $(BUILD)/bench/rows.etdp >/dev/null
	$(Q)$(BUILD)/bench/make_dump operators 1 2000 $(BUILD)/bench/rows.etdp.small >/dev/null
	$(Q)PYTHONPATH=$(abspath $(BUILD))/python python3 bench/python.py $(BUILD)/peer/bin/python testdata/transformer $(BUILD)/bench/rows.etdp $(or $(ROUNDS),5)

bench-tensors: ## measure statistics and comparisons of 1 GB of recorded tensors beside reading: TENSORS=10000 BYTES=1000000000
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BENCH_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BENCH_PROGRAMS)
	$(Q)sh bench/tensors.sh $(BUILD) $(or $(TENSORS),10000) $(or $(BYTES),1000000000)

bench-report: ## measure pages of 10^4 to 10^6 slices: to write, to open in Chromium, to draw, to search
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BENCH_PROGRAMS)
	$(Q)sh bench/report.sh $(BUILD)

bench-trace: ## measure what traces of 10^4 to 10^6 slices take beyond reading, and how that grows
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BENCH_PROGRAMS)
	$(Q)sh bench/trace.sh $(BUILD)

# Gates of processes recorded by the native runner. Only the runner needs the peer, for its libraries.
$(BUILD)/gate_many_files: $(BUILD)/gate_%: $(BUILD)/bench/gate/%.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DEPENDENCY_LIBS)

$(BUILD)/gate_runner: bench/gate/runner.cc
	@echo "  CXX $<"
	$(Q)$(CXX) -std=c++17 -O2 -Wall -Wextra -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED \
	    -isystem $(EXECUTORCH)/include -isystem $(EXECUTORCH)/include/executorch/runtime/core/portable_type/c10 -o $@ $< \
	    -L$(EXECUTORCH)/lib -Wl,-rpath,$(EXECUTORCH)/lib -Wl,--no-as-needed -lexecutorch -lexecutorch_etdump \
	    -lexecutorch_kernels_optimized -lexecutorch_backend_xnnpack -lexecutorch_threadpool

$(BUILD)/capture_journal $(BUILD)/capture_ring: $(BUILD)/capture_%: $(BUILD)/bench/capture/%.o $(BUILD)/libetcapture.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

bench-capture: ## measure what an event costs with libetcapture, beside ETDumpGen, and code size: EVENTS=100000
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/capture_overhead $(BUILD)/capture_tracer $(BUILD)/capture_journal $(BUILD)/capture_ring
	$(Q)$(BUILD)/capture_overhead $(or $(EVENTS),100000)
	$(Q)sh bench/capture/size.sh
	$(Q)$(BUILD)/capture_tracer $(or $(EVENTS),100000)
	$(Q)$(BUILD)/capture_journal $(BUILD)
	$(Q)$(BUILD)/capture_ring

bench-gate: ## print how often a gate alarms without reason and how often it finds a slowdown, between real processes: ROUNDS=120 TRIALS=100
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/gate_many_files $(BUILD)/gate_runner
	$(Q)sh bench/gate/run.sh $(BUILD) $(or $(ROUNDS),120) $(or $(TRIALS),100)

hostile: ## measure what hostile files cost: SIZE=104857600 SHAPES='dense_events long_name'
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/make_shape $(BUILD)/measure
	$(Q)sh tests/hostile/table.sh $(BUILD) $(or $(SIZE),104857600) $(SHAPES)

.PHONY: bench bench-python bench-tensors bench-report bench-trace bench-capture bench-gate hostile
