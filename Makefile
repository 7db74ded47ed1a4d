# etinspect: `make` builds, `make demo` shows it, `make check` tests it, `make help` lists the rest.
# All results are in build/.

VERSION := 0.2.0
# ABI version of libetinspect, and of the two libraries of captures: a change that breaks programs increases it.
SOVERSION := 1
CAPTURE_SOVERSION := 0

CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
MAN_SECTIONS := 1 3 5 7
DATADIR ?= $(PREFIX)/share
DESTDIR ?=
BUILD ?= build
V ?= 0

# Provider of SHA-256: libmd, or with SHA256=libcrypto OpenSSL, which is four times as fast and hard to build for another
# system, or with SHA256=commoncrypto macOS. Use a separate BUILD for each.
SHA256 ?= libmd
SHA256_PACKAGE_libmd := libmd-dev
SHA256_PACKAGE_libcrypto := libssl-dev
SHA256_CFLAGS_libcrypto := -DETI_SHA256_LIBCRYPTO
SHA256_CFLAGS_commoncrypto := -DETI_SHA256_COMMONCRYPTO
$(if $(filter libmd libcrypto commoncrypto,$(SHA256)),,$(error SHA256 is libmd, libcrypto or commoncrypto, not $(SHA256)))
SHA256_PACKAGE := $(SHA256_PACKAGE_$(SHA256))

# STATIC=1: CC makes programs that need no shared library, as with musl, and cannot load SQLite.
STATIC ?=
STATIC_CFLAGS := $(if $(STATIC),-DETI_STATIC)

# Debian packages needed to build and to test.
BUILD_PACKAGES := gcc libc6-dev make pkg-config libcsv-dev $(SHA256_PACKAGE) libsqlite3-dev zlib1g-dev
TEST_PACKAGES := g++ libcmocka-dev libzip-dev flatbuffers-compiler libflatbuffers-dev mandoc python3-jsonschema sqlite3 \
                 zip unzip libxml2-utils git python3-yaml bash zsh fish
BROWSER_PACKAGES := chromium chromium-driver curl jq tidy
# Node, npm and Go only if they are missing: those from other sources than Debian also work.
VIEWERS_PACKAGES = python3-venv flatbuffers-compiler \
                   $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm) $(if $(shell command -v go),,golang-go)
DEB_PACKAGES := build-essential debhelper xz-utils
DEB_CHECK_PACKAGES := lintian autopkgtest debootstrap
PYTHON_PACKAGES := python3-dev python3-venv
EMBEDDED_PACKAGES := gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm python3
BENCH_PACKAGES := flatbuffers-compiler unzip valgrind python3-venv
ANALYSIS_PACKAGES := clang clang-tidy clang-format libclang-rt-14-dev lld cppcheck shellcheck valgrind gcovr

WERROR ?= -Werror
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow $(WERROR)
# Flags that make errors hard to exploit; HARDENING= turns them off, as sanitizers require. FORTIFY works only with
# optimisation, and warns otherwise.
supported = $(shell echo | $(CC) -Werror $1 -E - >/dev/null 2>&1 && echo $1)
HARDENING ?= -fstack-protector-strong $(call supported,-fstack-clash-protection) \
             $(if $(filter -O1 -O2 -O3 -Os,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
HARDENING_CFLAGS := $(HARDENING)
LINK_HARDENING := -Wl,-z,relro,-z,now,-z,noexecstack

# On systems with 32-bit addresses, files may be larger, and later than 2038. Floats are computed as floats, as in the
# runtime, where C17 allows more precision, as on s390x.
MACHINE_MACROS := $(shell echo | $(CC) -std=c17 $(CFLAGS) -dM -E - 2>/dev/null | grep -E '__(SIZEOF_LONG|FLT_EVAL_METHOD)__')
MACHINE_CFLAGS := $(if $(findstring __SIZEOF_LONG__ 4,$(MACHINE_MACROS)),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64) \
                  $(if $(findstring __FLT_EVAL_METHOD__ 1,$(MACHINE_MACROS)),-fexcess-precision=fast)

# Statistics equal numpy's to the last bit only when a * b + c is not contracted.
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE $(WARNINGS) -ffp-contract=off -fvisibility=hidden -fPIC \
             -Isrc -Isrc/include $(CFLAGS) $(MACHINE_CFLAGS) $(HARDENING_CFLAGS) $(DEPENDENCY_CFLAGS) $(SHA256_CFLAGS_$(SHA256)) $(STATIC_CFLAGS)

# Linked statically: little of it is used, and finding it at each start would cost more than its work.
STATIC_LIBS := -l:$(SHA256).a

# libcsv has no .pc file.
PKGS := zlib
DEPENDENCY_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
DEPENDENCY_LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcsv $(STATIC_LIBS) -lm -pthread

LIB_ROOMS := base base/files flatbuf read read/record read/pte read/wrapped read/tensors model program stats account account/delegate account/places account/graph account/program account/slices account/stacks numerics numerics/numbers table table/select view view/database view/event view/graph view/numerics view/program profile compare compare/series gate measure write write/arrow write/sqlite write/tensors write/trace write/stacks report api
LIB_SOURCES := $(sort $(wildcard $(LIB_ROOMS:%=src/%/*.c)))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c src/cli/*/*.c))
# Another library, which shares no code with the first one.
CAPTURE_SOURCES := $(sort $(wildcard src/capture/*.c))
# A third library, which uses the second one.
NRT_HEADERS := nrt_profile.h nrt_status.h nrt_sys_trace.h
NRT_SOURCES := $(sort $(wildcard src/capture/nrt/*.c))
ORACLE_TESTS := read/test_damage read/test_oracle # unit tests that use the oracle
PROGRAM_ORACLE_TESTS := read/test_damage_program # and those that use the oracle of programs
UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
FAULT_SOURCES := $(addprefix tests/faults/,walk.c outcome.c judge.c)
SHAPE_SOURCES := tests/hostile/make_shape.c $(sort $(wildcard tests/hostile/*_shapes.c))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/src/report/page_text.o
# The page of etinspect report: its sections in any order, then the code that starts them.
PAGE_SCRIPTS := src/report/core.js $(sort $(filter-out src/report/core.js src/report/start.js,$(wildcard src/report/*.js))) src/report/start.js
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
CAPTURE_OBJECTS := $(CAPTURE_SOURCES:%.c=$(BUILD)/%.o)
NRT_OBJECTS := $(NRT_SOURCES:%.c=$(BUILD)/%.o)
UNIT_TESTS := $(UNIT_SOURCES:%.c=$(BUILD)/%)

FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

BENCH_PROGRAMS := $(patsubst bench/%.c,$(BUILD)/bench/%,$(sort $(wildcard bench/*.c)))

SHARED := libetinspect.so.$(VERSION)
CAPTURE_SHARED := libetcapture.so.$(VERSION)
NRT_SHARED := libnrt_profile_etcapture.so.$(VERSION)
Q := $(if $(filter 1,$(V)),,@)

# Targets that build before doing something else use all processors, unless make was given a number.
BUILD_JOBS = $(if $(findstring j,$(firstword -$(MAKEFLAGS)))$(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null))

all: $(BUILD)/etinspect $(BUILD)/libetinspect.so $(BUILD)/etinspect.pc \
    $(BUILD)/libetcapture.a $(BUILD)/libetcapture.so $(BUILD)/etcapture.pc \
    $(BUILD)/libnrt_profile_etcapture.a $(BUILD)/libnrt_profile_etcapture.so $(BUILD)/nrt_profile_etcapture.pc ## build program and libraries

# ---- building ----------------------------------------------------------------------------------

$(BUILD)/dependencies:
	$(Q)mkdir -p $(BUILD)
	$(Q)sh tests/tools/dependencies.sh check $(BUILD_PACKAGES)
	$(Q)touch $@

$(BUILD)/%.o: %.c | $(BUILD)/dependencies
	@mkdir -p $(@D)
	@echo "  CC $<"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The reader recovers journals with the other library, which the shared library contains.
READER := $(BUILD)/libetinspect.a $(BUILD)/libetcapture.a

# Without comments and indentation, as numbers: neither ld -b binary nor #embed is available everywhere.
$(BUILD)/src/report/page_text.c: src/report/page.html src/report/page.css src/report/squeeze.awk $(PAGE_SCRIPTS) Makefile
	@mkdir -p $(@D)
	$(Q){ echo '#include "report/page_text.h"'; \
	    array() { echo "const unsigned char eti__page_$$1[] = {"; od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'; echo '};'; }; \
	    array html <src/report/page.html; awk -v style=1 -f src/report/squeeze.awk src/report/page.css | array style; \
	    cat $(PAGE_SCRIPTS) | awk -f src/report/squeeze.awk | array script; \
	    for name in html style script; do echo "const size_t eti__page_$${name}_size = sizeof eti__page_$$name;"; done; } >$@.new
	$(Q)mv $@.new $@

$(BUILD)/src/report/page_text.o: $(BUILD)/src/report/page_text.c
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libetinspect.a: $(LIB_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Prefixes of exported symbols: nothing from the archives in it is exported.
$(BUILD)/%.exports:
	@mkdir -p $(@D)
	$(Q)echo '{ global: $*_*; local: *; };' >$@

$(BUILD)/$(SHARED): $(LIB_OBJECTS) $(BUILD)/libetcapture.a | $(BUILD)/eti.exports
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -shared -Wl,--version-script=$(BUILD)/eti.exports -Wl,-soname,libetinspect.so.$(SOVERSION) -o $@ $^ $(DEPENDENCY_LIBS)

$(BUILD)/libetinspect.so: $(BUILD)/$(SHARED)
	$(Q)ln -sf $(SHARED) $(BUILD)/libetinspect.so.$(SOVERSION)
	$(Q)ln -sf libetinspect.so.$(SOVERSION) $@

$(BUILD)/libetcapture.a: $(CAPTURE_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/$(CAPTURE_SHARED): $(CAPTURE_OBJECTS) | $(BUILD)/etc.exports
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -shared -Wl,--version-script=$(BUILD)/etc.exports -Wl,-soname,libetcapture.so.$(CAPTURE_SOVERSION) -o $@ $^

$(BUILD)/libetcapture.so: $(BUILD)/$(CAPTURE_SHARED)
	$(Q)ln -sf $(CAPTURE_SHARED) $(BUILD)/libetcapture.so.$(CAPTURE_SOVERSION)
	$(Q)ln -sf libetcapture.so.$(CAPTURE_SOVERSION) $@

# Programs that link with it need nothing else: the archive contains libetcapture, and the shared library finds it in its
# own folder.
NRT_RPATH ?= -Wl,--enable-new-dtags -Wl,-rpath,'$$ORIGIN'
$(BUILD)/libnrt_profile_etcapture.a: $(NRT_OBJECTS) $(CAPTURE_OBJECTS)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/$(NRT_SHARED): $(NRT_OBJECTS) $(BUILD)/libetcapture.so
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -shared -Wl,-soname,libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION) \
	    $(NRT_RPATH) -o $@ $(NRT_OBJECTS) -L$(BUILD) -letcapture -pthread

$(BUILD)/libnrt_profile_etcapture.so: $(BUILD)/$(NRT_SHARED)
	$(Q)ln -sf $(NRT_SHARED) $(BUILD)/libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION)
	$(Q)ln -sf libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION) $@

$(BUILD)/etinspect: $(CLI_OBJECTS) $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -pie -o $@ $^ $(DEPENDENCY_LIBS)

# Made anew each time, since the prefix may be given on the command line.
$(BUILD)/etinspect.pc: FORCE
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' \
	    'Name: etinspect' 'Description: reads ExecuTorch profiles (ETDump and ETRecord)' \
	    'Version: $(VERSION)' 'Requires.private: etcapture, $(PKGS)' 'Libs: -L$${libdir} -letinspect' \
	    'Libs.private: -lcsv $(STATIC_LIBS) -lm -pthread' 'Cflags: -I$${includedir}' > $@

$(BUILD)/etcapture.pc: FORCE
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' \
	    'Name: etcapture' 'Description: records and writes ExecuTorch profiles (ETDump)' \
	    'Version: $(VERSION)' 'Libs: -L$${libdir} -letcapture' 'Cflags: -I$${includedir}' > $@

$(BUILD)/nrt_profile_etcapture.pc: FORCE
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' \
	    'Name: nrt_profile_etcapture' 'Description: nrt_profile.h on any machine, with ExecuTorch profiles (ETDump)' \
	    'Version: $(VERSION)' 'Requires: etcapture' 'Libs: -L$${libdir} -lnrt_profile_etcapture' \
	    'Libs.private: -pthread' 'Cflags: -I$${includedir}' > $@

objects: $(LIB_OBJECTS) $(CLI_OBJECTS) $(CAPTURE_OBJECTS) $(NRT_OBJECTS)

# ---- using -------------------------------------------------------------------------------------

packages: ## install the Debian packages that building and testing need (root or sudo)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES)

build-packages:
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES)

# Prints no line per file unless V=1.
demo: build-packages ## install what is missing, build, and take a tour of five minutes through real profiles
	$(Q)mkdir -p $(BUILD)
	@echo "building $(BUILD)/etinspect"
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect \
	    $(if $(filter 1,$(V)),,>$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; })
	$(Q)sh tests/tools/demo.sh $(BUILD)/etinspect

install: all ## install under PREFIX (/usr/local), into DESTDIR if given
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR) \
	    $(MAN_SECTIONS:%=$(DESTDIR)$(MANDIR)/man%) \
	    $(DESTDIR)$(DATADIR)/bash-completion/completions \
	    $(DESTDIR)$(DATADIR)/zsh/site-functions $(DESTDIR)$(DATADIR)/fish/vendor_completions.d
	install -m 755 $(BUILD)/etinspect $(DESTDIR)$(BINDIR)/etinspect
	install -m 644 $(BUILD)/libetinspect.a $(DESTDIR)$(LIBDIR)/libetinspect.a
	install -m 755 $(BUILD)/$(SHARED) $(DESTDIR)$(LIBDIR)/$(SHARED)
	ln -sf $(SHARED) $(DESTDIR)$(LIBDIR)/libetinspect.so.$(SOVERSION)
	ln -sf libetinspect.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libetinspect.so
	install -m 644 $(BUILD)/etinspect.pc $(DESTDIR)$(LIBDIR)/pkgconfig/etinspect.pc
	install -m 644 src/include/etinspect.h $(DESTDIR)$(INCLUDEDIR)/etinspect.h
	install -m 644 $(BUILD)/libetcapture.a $(DESTDIR)$(LIBDIR)/libetcapture.a
	install -m 755 $(BUILD)/$(CAPTURE_SHARED) $(DESTDIR)$(LIBDIR)/$(CAPTURE_SHARED)
	ln -sf $(CAPTURE_SHARED) $(DESTDIR)$(LIBDIR)/libetcapture.so.$(CAPTURE_SOVERSION)
	ln -sf libetcapture.so.$(CAPTURE_SOVERSION) $(DESTDIR)$(LIBDIR)/libetcapture.so
	install -m 644 $(BUILD)/etcapture.pc $(DESTDIR)$(LIBDIR)/pkgconfig/etcapture.pc
	install -m 644 src/include/etcapture.h $(DESTDIR)$(INCLUDEDIR)/etcapture.h
	install -m 644 src/include/etcapture_clock.h $(DESTDIR)$(INCLUDEDIR)/etcapture_clock.h
	install -m 644 src/include/etcapture.hpp $(DESTDIR)$(INCLUDEDIR)/etcapture.hpp
	install -m 644 src/include/etcapture_executorch.hpp $(DESTDIR)$(INCLUDEDIR)/etcapture_executorch.hpp
	install -m 644 $(BUILD)/libnrt_profile_etcapture.a $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.a
	install -m 755 $(BUILD)/$(NRT_SHARED) $(DESTDIR)$(LIBDIR)/$(NRT_SHARED)
	ln -sf $(NRT_SHARED) $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION)
	ln -sf libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION) $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.so
	install -m 644 $(BUILD)/nrt_profile_etcapture.pc $(DESTDIR)$(LIBDIR)/pkgconfig/nrt_profile_etcapture.pc
	install -d $(DESTDIR)$(INCLUDEDIR)/nrt
	install -m 644 src/include/etcapture_nrt.h $(DESTDIR)$(INCLUDEDIR)/etcapture_nrt.h
	install -m 644 $(NRT_HEADERS:%=src/include/nrt/%) $(DESTDIR)$(INCLUDEDIR)/nrt
	for section in $(MAN_SECTIONS); do install -m 644 man/*.$$section $(DESTDIR)$(MANDIR)/man$$section || exit; done
	install -m 644 completions/etinspect.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/etinspect
	install -m 644 completions/_etinspect $(DESTDIR)$(DATADIR)/zsh/site-functions/_etinspect
	install -m 644 completions/etinspect.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/etinspect.fish

uninstall: ## remove what install installed
	rm -f $(DESTDIR)$(BINDIR)/etinspect $(DESTDIR)$(LIBDIR)/libetinspect.a \
	    $(DESTDIR)$(LIBDIR)/$(SHARED) $(DESTDIR)$(LIBDIR)/libetinspect.so.$(SOVERSION) \
	    $(DESTDIR)$(LIBDIR)/libetinspect.so $(DESTDIR)$(LIBDIR)/pkgconfig/etinspect.pc \
	    $(DESTDIR)$(LIBDIR)/libetcapture.a $(DESTDIR)$(LIBDIR)/$(CAPTURE_SHARED) \
	    $(DESTDIR)$(LIBDIR)/libetcapture.so.$(CAPTURE_SOVERSION) $(DESTDIR)$(LIBDIR)/libetcapture.so \
	    $(DESTDIR)$(LIBDIR)/pkgconfig/etcapture.pc $(DESTDIR)$(INCLUDEDIR)/etcapture.h \
	    $(DESTDIR)$(INCLUDEDIR)/etcapture_clock.h \
	    $(DESTDIR)$(INCLUDEDIR)/etcapture.hpp $(DESTDIR)$(INCLUDEDIR)/etcapture_executorch.hpp \
	    $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.a $(DESTDIR)$(LIBDIR)/$(NRT_SHARED) \
	    $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.so.$(CAPTURE_SOVERSION) $(DESTDIR)$(LIBDIR)/libnrt_profile_etcapture.so \
	    $(DESTDIR)$(LIBDIR)/pkgconfig/nrt_profile_etcapture.pc $(DESTDIR)$(INCLUDEDIR)/etcapture_nrt.h \
	    $(NRT_HEADERS:%=$(DESTDIR)$(INCLUDEDIR)/nrt/%) $(DESTDIR)$(INCLUDEDIR)/etinspect.h \
	    $(foreach section,$(MAN_SECTIONS),$(patsubst man/%,$(DESTDIR)$(MANDIR)/man$(section)/%,$(wildcard man/*.$(section)))) \
	    $(DESTDIR)$(DATADIR)/bash-completion/completions/etinspect \
	    $(DESTDIR)$(DATADIR)/zsh/site-functions/_etinspect \
	    $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/etinspect.fish

clean: ## remove build/ except for the Python peer, its exports and the viewers, which take long to make
	$(Q)find $(BUILD) -mindepth 1 -maxdepth 1 ! -name peer ! -name viewers ! -name graphs -exec rm -rf {} + 2>/dev/null || true

# ---- testing -----------------------------------------------------------------------------------

$(filter $(BUILD)/tests/unit/nrt/%,$(UNIT_TESTS)): $(BUILD)/libnrt_profile_etcapture.a
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(WRAPPED_$*:%=-Wl,--wrap=%) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka \
	    $(DEPENDENCY_LIBS) $(TEST_LIBS)

# The program's own sources are not in a library.
$(BUILD)/tests/unit/cli/test_sandbox_filter: $(BUILD)/src/cli/sandbox_filter.o

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
ZIP_TESTS := $(addprefix $(BUILD)/tests/unit/read/,test_etrecord test_zip_member)
ZIP_ORACLE := $(BUILD)/tests/oracle/zip_comparison.o
$(ZIP_TESTS): TEST_LIBS := -lzip
$(BUILD)/tests/unit/read/test_zip_member: $(ZIP_ORACLE)

$(addprefix $(BUILD)/tests/unit/write/,test_sqlite test_sqlite_append): TEST_LIBS := -lsqlite3

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

$(BUILD)/statistics: $(BUILD)/tests/parity/comparison.o $(BUILD)/tests/parity/simulation.o
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

$(BUILD)/measure: $(BUILD)/tests/hostile/measure.o
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

tests-build: all $(UNIT_TESTS) $(BUILD)/escape.so $(BUILD)/attributes $(BUILD)/program_fields $(BUILD)/statistics $(BUILD)/tensor_files $(BUILD)/tensor_metrics $(BUILD)/verify_case $(FUZZ_TARGETS:%=$(BUILD)/replay_%) \
    $(BUILD)/inject.so $(BUILD)/record.so $(BUILD)/walk $(BUILD)/crash $(BUILD)/make_shape $(BUILD)/make_journal $(BUILD)/measure $(BUILD)/gate_processes $(BUILD)/play_calls

check: ## install what tests need, build, and run all tests that need no Python peer
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) tests-build
	$(Q)sh tests/run.sh $(BUILD)

parity: ## compare with the real Inspector, live: CASES=2000 SEED=1 (installs it into build/peer)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++ flatbuffers-compiler
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all $(BUILD)/attributes $(BUILD)/program_fields $(BUILD)/statistics $(BUILD)/tensor_files $(BUILD)/tensor_metrics $(BUILD)/verify_case \
	    $(addprefix $(BUILD)/,capture_calls capture_deaths capture_lanes capture_models nrt_example play_calls)
	$(Q)sh tests/parity/run.sh $(or $(CASES),2000) $(or $(SEED),1)

# The Python package as installed: sources beside the extension, which contains both libraries.
PYTHON_MODULE := $(BUILD)/python/etinspect
PYTHON_SOURCES := $(patsubst python/%,$(BUILD)/python/%,$(wildcard python/etinspect/*.py python/etinspect/*.sql python/etinspect/py.typed)) $(PYTHON_MODULE)/aot_intermediates.py
EXTENSION_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard python/extension/*.c)))
PYTHON_CFLAGS ?= $(shell python3-config --includes 2>/dev/null)
$(EXTENSION_OBJECTS): ALL_CFLAGS += -Ipython/extension $(PYTHON_CFLAGS)

$(PYTHON_MODULE)/%: python/etinspect/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(PYTHON_MODULE)/%: examples/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(PYTHON_MODULE)/_etinspect.abi3.so: $(EXTENSION_OBJECTS) $(READER) | $(BUILD)/PyInit.exports
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -shared -Wl,--version-script=$(BUILD)/PyInit.exports -o $@ $^ $(DEPENDENCY_LIBS)

python-module: $(PYTHON_SOURCES) $(PYTHON_MODULE)/_etinspect.abi3.so

python: ## build the Python package into build/python, and compare it with the real Inspector: CASES=300 SEED=1
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES) g++ flatbuffers-compiler
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/libetcapture.a $(BUILD)/inject.so python-module
	$(Q)sh tests/python/run.sh $(BUILD) $(or $(CASES),300) $(or $(SEED),1)

# Spark needs Java; mapInArrow needs pandas, and does not support its version 3.
FLEET_TOOLS := pyspark pyarrow duckdb numpy scipy 'pandas<3'
$(BUILD)/fleet-venv/made: Makefile
	$(Q)[ -x $(@D)/bin/python ] || python3 -m venv $(@D)
	$(Q)$(@D)/bin/python -m pip --disable-pip-version-check install -q $(FLEET_TOOLS)
	$(Q)touch $@

fleet: ## test fleets of ETDumps in DuckDB and Spark, on a cluster of two workers of which one is killed: DUMPS=2000 (200: without what they cost)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES) procps $(if $(shell command -v java),,default-jre-headless)
	$(Q)$(MAKE) --no-print-directory $(BUILD)/etinspect $(BUILD)/bench/make_dump python-module $(BUILD)/fleet-venv/made
	$(Q)sh tests/fleet/run.sh $(BUILD) $(or $(DUMPS),2000)

# The versions are fixed because those that write another line make another file.
WHEEL_TOOLS := build==1.6.1 hatchling==1.33.0
$(BUILD)/wheel-venv/made: Makefile
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	$(Q)[ -x $(@D)/bin/python ] || python3 -m venv $(@D)
	$(Q)$(@D)/bin/python -m pip --disable-pip-version-check install -q $(WHEEL_TOOLS)
	$(Q)touch $@

PYTHON_BUILD = $(BUILD)/wheel-venv/bin/python -m build --no-isolation --outdir $(BUILD)/dist python
wheel: $(BUILD)/wheel-venv/made ## build the wheel of the Python package in build/dist: TARGET=x86_64-linux-gnu.2.28 or aarch64-linux-gnu.2.28 (this machine)
	+$(Q)$(if $(TARGET),BUILD=$(BUILD) .ci/zig.sh $(TARGET) @python/etinspect/_etinspect.abi3.so @etinspect) # all jobs, an
                                                                                                          # option that pip
                                                                                                          # lacks
	+$(Q)$(if $(TARGET),BUILD=$(abspath $(BUILD)) TARGET=$(TARGET),BUILD=$(abspath $(BUILD))/wheel LDFLAGS='$(LDFLAGS) -s') $(PYTHON_BUILD) --wheel

sdist: $(BUILD)/wheel-venv/made ## build the source distribution of the Python package, in build/dist: pip builds a wheel of it with make
	$(Q)$(PYTHON_BUILD) --sdist

# Programs and wheels that zig makes for other systems. All other requirements come from PyPI, and the sources of
# .ci/sources.txt from Debian.
ZIG_PACKAGES := make pkg-config libsqlite3-dev python3-venv bzip2 xz-utils
STATIC_PROGRAM = etinspect-$(VERSION)-$(TARGET)
static: ## build one static program, in build/dist, with its SHA-256: TARGET=x86_64-linux-musl or aarch64-linux-musl
	$(Q)[ -n "$(filter %-linux-musl,$(TARGET))" ] || { echo 'make static TARGET=x86_64-linux-musl, or aarch64-linux-musl' >&2; exit 2; }
	$(Q)sh tests/tools/dependencies.sh install $(ZIG_PACKAGES)
	+$(Q)BUILD=$(BUILD) .ci/zig.sh $(TARGET)
	$(Q)mkdir -p $(BUILD)/dist
	$(Q)cp $(BUILD)/zig/$(TARGET)/etinspect $(BUILD)/dist/$(STATIC_PROGRAM)
	$(Q)cp $(BUILD)/zig/$(TARGET)/libraries/licences.txt $(BUILD)/dist/$(STATIC_PROGRAM).licences.txt
	$(Q)cd $(BUILD)/dist && sha256sum $(STATIC_PROGRAM) >$(STATIC_PROGRAM).sha256

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

macos: ## compile all sources for macOS, where they were never run: TARGET=aarch64-macos
	$(Q)sh tests/tools/dependencies.sh install $(ZIG_PACKAGES)
	+$(Q)BUILD=$(BUILD) .ci/zig.sh $(or $(TARGET),aarch64-macos)
	@echo 'compiled for $(or $(TARGET),aarch64-macos): $(words $(LIB_OBJECTS) $(CLI_OBJECTS) $(CAPTURE_OBJECTS) $(NRT_OBJECTS)) files, 0 fail'

deb: ## build the Debian packages, in build/deb
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(DEB_PACKAGES)
	$(Q)sh .ci/deb.sh $(BUILD)/deb

deb-check: deb ## test them: lintian, another build in another directory, autopkgtest on a fresh Debian
	$(Q)sh tests/tools/dependencies.sh install $(DEB_CHECK_PACKAGES)
	$(Q)sh tests/debian/run.sh $(BUILD)

# For the results of make wheel and make static; for this build if there are none.
SBOM_ARTEFACTS = $(or $(wildcard $(BUILD)/dist/*.whl $(BUILD)/dist/etinspect-*-linux-musl),$(BUILD)/etinspect)
sbom: $(BUILD)/etinspect ## write the SBOM of a release, SPDX in JSON, and validate it: build/dist/etinspect-VERSION.spdx.json
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv
	$(Q)python3 .ci/sbom.py $(BUILD)/dist/etinspect-$(VERSION).spdx.json $(SBOM_ARTEFACTS)
	$(Q)sh tests/tools/sbom.sh $(BUILD) $(BUILD)/dist/etinspect-$(VERSION).spdx.json

viewers: ## open what is written for other programs with them (installs them into build/viewers)
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(VIEWERS_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect
	$(Q)BUILD=$(BUILD) sh tests/viewers/run.sh $(BUILD)/viewers

browser: ## use pages of etinspect report in Chromium, and print how long they take
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all
	$(Q)sh tests/browser/run.sh $(BUILD)

screenshots: ## take pictures of a page of etinspect report: doc/report.png, and build/screenshots
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) all
	$(Q)sh tests/browser/screenshots.sh $(BUILD) doc/report.png

embedded: ## run examples/tiny_cnn on Cortex-M boards in QEMU, and print what recording costs there
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(EMBEDDED_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/libetcapture.a
	$(Q)sh tests/embedded/run.sh $(BUILD)

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
	$(Q)PYTHONPATH=$(abspath $(BUILD))/python python3 bench/python.py $(BUILD)/peer/bin/python testdata/transformer $(or $(ROUNDS),5)

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

# The library's own gates, on processes recorded by the native runner. Only the runner needs the peer, for its libraries.
$(BUILD)/gate_processes $(BUILD)/gate_many_files: $(BUILD)/gate_%: $(BUILD)/bench/gate/%.o $(READER)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DEPENDENCY_LIBS)

EXECUTORCH = $(abspath $(wildcard $(BUILD)/peer/lib/python3*/site-packages/executorch))
$(BUILD)/gate_runner: bench/gate/runner.cc
	@echo "  CXX $<"
	$(Q)$(CXX) -std=c++17 -O2 -Wall -Wextra -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED \
	    -isystem $(EXECUTORCH)/include -isystem $(EXECUTORCH)/include/executorch/runtime/core/portable_type/c10 -o $@ $< \
	    -L$(EXECUTORCH)/lib -Wl,-rpath,$(EXECUTORCH)/lib -Wl,--no-as-needed -lexecutorch -lexecutorch_etdump \
	    -lexecutorch_kernels_optimized -lexecutorch_backend_xnnpack -lexecutorch_threadpool

# Programs that call ETDumpGen and libetcapture.
PEER_CXXFLAGS = -std=c++17 -O2 -Wall -Wextra -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED -Isrc/include -Itests \
    -isystem $(EXECUTORCH)/include -isystem $(EXECUTORCH)/include/executorch/runtime/core/portable_type/c10
PEER_LIBS = -L$(EXECUTORCH)/lib -Wl,-rpath,$(EXECUTORCH)/lib -Wl,--no-as-needed -lexecutorch -lexecutorch_etdump

$(BUILD)/capture_calls: tests/parity/capture_calls.cc
$(BUILD)/capture_deaths: tests/parity/capture_deaths.cc
$(BUILD)/capture_models: tests/parity/capture_models.cc
$(BUILD)/capture_overhead: bench/capture/overhead.cc

$(BUILD)/capture_journal $(BUILD)/capture_ring: $(BUILD)/capture_%: $(BUILD)/bench/capture/%.o $(BUILD)/libetcapture.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

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

bench-capture: ## measure what an event costs with libetcapture, beside ETDumpGen, and code size: EVENTS=100000
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/capture_overhead $(BUILD)/capture_tracer $(BUILD)/capture_journal $(BUILD)/capture_ring
	$(Q)$(BUILD)/capture_overhead $(or $(EVENTS),100000)
	$(Q)sh bench/capture/size.sh
	$(Q)$(BUILD)/capture_tracer $(or $(EVENTS),100000)
	$(Q)$(BUILD)/capture_journal $(BUILD)
	$(Q)$(BUILD)/capture_ring

bench-gate: ## print how often a gate alarms without reason and how often it finds a slowdown, between real processes: GATES=1000 TRIALS=100
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) python3-venv g++
	$(Q)sh tests/parity/setup.sh $(BUILD)/peer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/gate_processes $(BUILD)/gate_many_files $(BUILD)/gate_runner
	$(Q)sh bench/gate/run.sh $(BUILD) $(or $(GATES),1000) $(or $(TRIALS),100)

hostile: ## measure what hostile files cost: SIZE=104857600 SHAPES='dense_events long_name'
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) $(BUILD)/etinspect $(BUILD)/make_shape $(BUILD)/measure
	$(Q)sh tests/hostile/table.sh $(BUILD) $(or $(SIZE),104857600) $(SHAPES)

# ---- other builds and tools --------------------------------------------------------------------

analysis-packages:
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES) $(ANALYSIS_PACKAGES)

SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
asan: analysis-packages ## run all tests with address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/asan HARDENING= CFLAGS='$(SANITIZE) -DETI_ARENA_DEBUG' tests-build
	$(Q)CFLAGS='$(SANITIZE)' sh tests/run.sh build/asan

# Command-line cases, with wrappers: MemorySanitizer must not report bytes written by uninstrumented libraries as
# uninitialised.
THREADS := -O1 -g -fno-omit-frame-pointer -fsanitize=thread -fno-sanitize-recover=all -DETI_PARALLEL_BYTES=256
tsan: analysis-packages ## run the command-line cases, with threads for small files too, and lanes with the thread sanitizer
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) BUILD=build/tsan HARDENING= CC=clang CFLAGS='$(THREADS)' \
	    all build/tsan/make_journal build/tsan/tests/unit/capture/test_lane
	$(Q)TSAN_OPTIONS=exitcode=66 build/tsan/tests/unit/capture/test_lane
	$(Q)TSAN_OPTIONS=exitcode=66 sh tests/cli/run.sh build/tsan

MSAN_WRAPPED := inflate deflate realpath regcomp regerror SHA256End csv_init csv_parse csv_fini csv_write2
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

lint: analysis-packages ## clang-tidy, cppcheck, shellcheck, and the format of all sources
	$(Q)sh tests/tools/lint.sh

schema: ## make the descriptions that files are verified by of schema/*.fbs
	$(Q)for made in src/read/*_schema.inc src/read/*/*_schema.inc; do \
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

mutants: analysis-packages ## break ROOMS="stats account compare gate program numerics capture", or sources (src/stats/order.c), in N=60 places each, drawn from SEED=1, and print the share that tests notice: JOBS=2
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

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1	/p' Makefile | expand -t 16

-include $(LIB_OBJECTS:.o=.d) $(CAPTURE_OBJECTS:.o=.d) $(NRT_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) \
         $(wildcard $(BUILD)/bench/*.d $(BUILD)/bench/*/*.d $(BUILD)/oracle/*.d $(BUILD)/tests/*/*.d $(BUILD)/tests/unit/*/*.d)

.PHONY: FORCE schema all objects packages build-packages demo install uninstall clean tests-build check parity python fleet python-module wheel sdist static cross cross-parity macos deb deb-check sbom viewers browser screenshots embedded bench bench-capture bench-gate bench-python bench-tensors bench-trace bench-report hostile help \
        analysis-packages asan tsan msan clang valgrind lint format coverage mutants mutants-build fuzz fuzz-build fuzz-corpus
.SECONDARY:
