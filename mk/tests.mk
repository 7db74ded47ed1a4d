# tests.mk - the programs of tests/, and make test.

ORACLE_TESTS := read/test_damage read/test_oracle # unit tests that use the oracle
PROGRAM_ORACLE_TESTS := pte/test_damage_program # and those that use the oracle of programs
UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
FAULT_SOURCES := $(addprefix tests/faults/,walk.c outcome.c judge.c)
SHAPE_SOURCES := tests/hostile/make_shape.c $(sort $(wildcard tests/hostile/*_shapes.c))
UNIT_TESTS := $(UNIT_SOURCES:%.c=$(BUILD)/%)
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

$(filter $(BUILD)/tests/unit/nrt/%,$(UNIT_TESTS)): $(BUILD)/libnrt_profile_etcapture.a
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/tests/unit/filter.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(WRAPPED_$*:%=-Wl,--wrap=%) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka \
	    $(DEPENDENCY_LIBS) $(TEST_LIBS)

# The oracle: FlatBuffers' own C++ library and flatc's output for the schema, as a second reader. It reads unaligned
# numbers, which -fsanitize=alignment reports; function and vptr need a runtime that clang links to C++ only.
comma := ,
ORACLE_CXX = $(if $(findstring clang,$(CC)),clang++,$(CXX))
ORACLE_CXXFLAGS = -std=c++17 -Wall -Wextra -fPIC -Itests/oracle -isystem $(BUILD)/oracle $(CFLAGS) \
                  -fno-sanitize=alignment $(if $(findstring clang,$(CC)),-fno-sanitize=function$(comma)vptr)
ORACLE_OBJECTS := $(BUILD)/oracle/etdump_oracle.o $(BUILD)/tests/oracle/etdump_comparison.o

PROGRAM_ORACLE_OBJECTS := $(BUILD)/oracle/program_oracle.o $(BUILD)/tests/oracle/program_comparison.o

$(BUILD)/oracle/etdump_generated.h: $(wildcard schema/*.fbs)
	@mkdir -p $(@D)
	$(Q)flatc --cpp --gen-all --reflect-types --reflect-names -o $(@D) schema/etdump.fbs

$(BUILD)/oracle/%.o: tests/oracle/%.cc $(BUILD)/oracle/etdump_generated.h
	@echo "  CXX $<"
	$(Q)$(ORACLE_CXX) $(ORACLE_CXXFLAGS) -MMD -MP -c $< -o $@

# Schemas that share one schema, which has its own header.
$(BUILD)/oracle/program_generated.h: $(wildcard schema/*.fbs)
	@mkdir -p $(@D)
	$(Q)flatc --cpp -o $(@D) schema/scalar_type.fbs schema/bundled_program.fbs schema/flat_tensor.fbs schema/program.fbs

$(BUILD)/oracle/program_oracle.o: $(BUILD)/oracle/program_generated.h

$(ORACLE_TESTS:%=$(BUILD)/tests/unit/%): $(ORACLE_OBJECTS)
$(PROGRAM_ORACLE_TESTS:%=$(BUILD)/tests/unit/%): $(PROGRAM_ORACLE_OBJECTS)
$(PROGRAM_ORACLE_TESTS:%=$(BUILD)/tests/unit/%): TEST_LIBS := -lstdc++
$(ORACLE_TESTS:%=$(BUILD)/tests/unit/%): TEST_LIBS := -lstdc++

# libzip writes ZIPs for tests, and is the oracle for reading them.
ZIP_TESTS := $(addprefix $(BUILD)/tests/unit/,etrecord/test_etrecord read/test_zip)
ZIP_ORACLE := $(BUILD)/tests/oracle/zip_comparison.o
$(ZIP_TESTS): TEST_LIBS := -lzip
$(BUILD)/tests/unit/read/test_zip: $(ZIP_ORACLE)

$(addprefix $(BUILD)/tests/unit/sqlite/,test_sqlite test_schema): TEST_LIBS := -lsqlite3

# Functions that take file offsets have other names where offsets are wider than addresses.
WIDE := $(if $(findstring -D_FILE_OFFSET_BITS=64,$(MACHINE_CFLAGS)),64)
$(patsubst %,$(BUILD)/tests/unit/capture/test_%.o,hosted journal static): ALL_CFLAGS += $(if $(WIDE),$(foreach \
    name,fopen mmap posix_fallocate,-D__wrap_$(name)=__wrap_$(name)64 -D__real_$(name)=__real_$(name)64))

# Functions that tests replace, to make calls of the library fail.
WRAPPED_api/test_allocations := malloc calloc realloc posix_memalign strdup strndup asprintf __asprintf_chk free
WRAPPED_nrt/test_memory := malloc calloc strdup etc_open
WRAPPED_capture/test_static := malloc calloc realloc free fopen$(WIDE) fwrite write mmap$(WIDE)
WRAPPED_base/test_intern := realloc
WRAPPED_capture/test_hosted := mmap$(WIDE) rename
WRAPPED_capture/test_journal := mmap$(WIDE) munmap flock posix_fallocate$(WIDE)

$(BUILD)/statistics: $(BUILD)/tests/parity/simulation.o
$(BUILD)/attributes $(BUILD)/program_fields $(BUILD)/statistics $(BUILD)/tensor_files $(BUILD)/tensor_metrics $(BUILD)/verify_case: $(BUILD)/%: $(BUILD)/tests/parity/%.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(DEPENDENCY_LIBS)

# Preloaded into the program by tests.
$(BUILD)/escape.so: tests/tools/escape.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O1 -fPIC -shared -o $@ $< -ldl

# Preloaded into the unmodified program, before any sanitizer: it has none itself, whatever CFLAGS contain.
$(BUILD)/inject.so $(BUILD)/record.so: $(BUILD)/%.so: tests/faults/%.c | $(BUILD)/dependencies
	@echo "  CC $<"
	$(Q)$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O2 -U_FORTIFY_SOURCE -g -fPIC -shared -o $@ $<

# Plays recorded calls into libetcapture.
$(BUILD)/tests/capture/play_calls.o: ALL_CFLAGS += -Itests
$(BUILD)/play_calls: $(BUILD)/tests/capture/play_calls.o $(BUILD)/libetcapture.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/walk: $(FAULT_SOURCES:%.c=$(BUILD)/%.o)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/crash: $(BUILD)/tests/faults/crash.o $(BUILD)/tests/faults/disk_log.o
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

# A fuzz target is linked with a main() that runs the corpus once, as a test, or with a fuzzer.
FUZZ_LINK = $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(DEPENDENCY_LIBS) $(TEST_LIBS)
$(BUILD)/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(READER)
	$(Q)$(FUZZ_LINK)

$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(READER)
	$(Q)$(FUZZ_LINK) -fsanitize=fuzzer

# The target of the options includes the other three of the program's sources.
$(BUILD)/replay_options $(BUILD)/fuzz_options: $(filter-out %/main.o %/message.o %/cmd_inspect.o,$(CLI_OBJECTS))
# The target for ETDumps uses the oracle.
$(BUILD)/replay_etdump $(BUILD)/fuzz_etdump: $(ORACLE_OBJECTS)
$(BUILD)/replay_program $(BUILD)/fuzz_program: $(PROGRAM_ORACLE_OBJECTS)
$(BUILD)/replay_program $(BUILD)/fuzz_program: TEST_LIBS := -lstdc++
$(BUILD)/replay_etdump $(BUILD)/fuzz_etdump: TEST_LIBS := -lstdc++
# So does the target for captures.
$(BUILD)/replay_capture $(BUILD)/fuzz_capture $(BUILD)/replay_journal $(BUILD)/fuzz_journal: $(ORACLE_OBJECTS)
$(BUILD)/replay_capture $(BUILD)/fuzz_capture $(BUILD)/replay_journal $(BUILD)/fuzz_journal: TEST_LIBS := -lstdc++
# The target for databases makes and reads them with SQLite itself.
$(BUILD)/replay_database $(BUILD)/fuzz_database: TEST_LIBS := -lsqlite3
# The target for ETRecords uses libzip, which the mutators need, too.
$(BUILD)/replay_etrecord $(BUILD)/fuzz_etrecord: $(ZIP_ORACLE)
$(addprefix $(BUILD)/,replay_etrecord fuzz_etrecord fuzz_inspect fuzz_numerics fuzz_views): TEST_LIBS := -lzip
ifneq ($(FUZZER),afl)
$(BUILD)/fuzz_etrecord: $(BUILD)/tests/fuzz/mutate_etrecord.o $(BUILD)/tests/fuzz/mutate_zip.o
$(BUILD)/fuzz_debug_buffer: $(BUILD)/tests/fuzz/mutate_debug_buffer.o $(BUILD)/tests/fuzz/mutate_part.o
$(BUILD)/fuzz_numerics: $(patsubst %,$(BUILD)/tests/fuzz/mutate_%.o,numerics part zip)
$(BUILD)/fuzz_inspect $(BUILD)/fuzz_views: $(patsubst %,$(BUILD)/tests/fuzz/mutate_%.o,inspect part zip)
endif

# Files that are expensive by design, and programs that measure their cost.
$(BUILD)/tests/unit/%.o: ALL_CFLAGS += -Itests/unit -Itests
$(BUILD)/tests/hostile/%.o: ALL_CFLAGS += -Itests/unit
$(BUILD)/make_shape: $(SHAPE_SOURCES:%.c=$(BUILD)/%.o) $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DEPENDENCY_LIBS) -lzip

$(BUILD)/make_journal: $(BUILD)/tests/tools/make_journal.o $(BUILD)/libetcapture.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/accessors: $(BUILD)/tests/tools/accessors.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(DEPENDENCY_LIBS)

$(BUILD)/measure: $(BUILD)/tests/hostile/measure.o
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

tests-build: all $(UNIT_TESTS) $(BUILD)/escape.so $(BUILD)/attributes $(BUILD)/program_fields $(BUILD)/statistics $(BUILD)/tensor_files $(BUILD)/tensor_metrics $(BUILD)/verify_case $(FUZZ_TARGETS:%=$(BUILD)/replay_%) \
    $(BUILD)/inject.so $(BUILD)/record.so $(BUILD)/walk $(BUILD)/crash $(BUILD)/make_shape $(BUILD)/make_journal $(BUILD)/accessors $(BUILD)/measure $(BUILD)/gate_many_files $(BUILD)/play_calls

test: ## build and run unit tests: T=base (a room), T=base/text (one), T='base/text:*hash*' (those of one that match)
	$(Q)sh tests/tools/chosen_tests.sh >/dev/null
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) chosen-tests CHOSEN="$$(sh tests/tools/chosen_tests.sh $(BUILD)/tests/unit/)"
	$(Q)case "$$T" in *:*) export TEST_FILTER="$${T#*:}" ;; esac; \
	    sh tests/tools/unit.sh $(BUILD) $$(sh tests/tools/chosen_tests.sh)

chosen-tests: $(CHOSEN)
	@:

.PHONY: test chosen-tests tests-build
