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

# STATIC=1: CC makes programs that need no shared library, as with musl, and cannot load SQLite.
STATIC ?=
STATIC_CFLAGS := $(if $(STATIC),-DETI_STATIC)

# Debian packages needed to build and to test.
BUILD_PACKAGES := gcc libc6-dev make pkg-config libcsv-dev libmd-dev libsqlite3-dev zlib1g-dev
TEST_PACKAGES := g++ libcmocka-dev libzip-dev flatbuffers-compiler libflatbuffers-dev mandoc python3-jsonschema sqlite3 \
                 zip unzip libxml2-utils git python3-yaml bash zsh fish curl jq

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
             -Isrc -Isrc/include $(CFLAGS) $(MACHINE_CFLAGS) $(HARDENING_CFLAGS) $(DEPENDENCY_CFLAGS) $(STATIC_CFLAGS)

# Linked statically: little of it is used, and finding it at each start would cost more than its work.
STATIC_LIBS := -l:libmd.a

# libcsv has no .pc file.
PKGS := zlib
DEPENDENCY_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
DEPENDENCY_LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcsv $(STATIC_LIBS) -lm -pthread

# Libraries that the program links statically if their archives are installed: loading them takes a seventh of a start.
PROGRAM_ARCHIVES ?= z csv
archive_of = $(if $(findstring /,$(shell $(CC) $(CFLAGS) -print-file-name=lib$1.a)),-l:lib$1.a,-l$1)
archived = $(if $(filter $(1:-l%=%),$(PROGRAM_ARCHIVES)),$(call archive_of,$(1:-l%=%)),$1)
PROGRAM_LIBS = $(foreach library,$(DEPENDENCY_LIBS),$(call archived,$(library)))

# Each room is a folder of src/. The program's sources and those of captures are not in the library.
LIB_SOURCES := $(sort $(filter-out src/cli/% src/capture/%,$(wildcard src/*/*.c)))
CLI_SOURCES := $(sort $(wildcard src/cli/*.c))
# Another library, which shares no code with the first one.
CAPTURE_SOURCES := $(sort $(wildcard src/capture/*.c))
# A third library, which uses the second one.
NRT_HEADERS := nrt.h nrt_experimental.h nrt_profile.h nrt_status.h nrt_sys_trace.h
NRT_SOURCES := $(sort $(wildcard src/capture/nrt/*.c))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/src/report/page_text.o $(BUILD)/src/measure/runtime_text.o
# The page of etinspect report: its sections in any order, then the code that starts them.
PAGE_SCRIPTS := src/report/core.js $(sort $(filter-out src/report/core.js src/report/start.js,$(wildcard src/report/*.js))) src/report/start.js
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/%.o)
CAPTURE_OBJECTS := $(CAPTURE_SOURCES:%.c=$(BUILD)/%.o)
NRT_OBJECTS := $(NRT_SOURCES:%.c=$(BUILD)/%.o)

SHARED := libetinspect.so.$(VERSION)
CAPTURE_SHARED := libetcapture.so.$(VERSION)
NRT_SHARED := libnrt_profile_etcapture.so.$(VERSION)
Q := $(if $(filter 1,$(V)),,@)

# Targets that build before doing something else use all processors, unless make was given a number.
BUILD_JOBS = $(if $(findstring j,$(firstword -$(MAKEFLAGS)))$(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null))

all: $(BUILD)/etinspect $(BUILD)/libetinspect.so $(BUILD)/etinspect.pc \
    $(BUILD)/libetcapture.a $(BUILD)/libetcapture.so $(BUILD)/etcapture.pc \
    $(BUILD)/libnrt_profile_etcapture.a $(BUILD)/libnrt_profile_etcapture.so $(BUILD)/nrt_profile_etcapture.pc cmake-files ## build program and libraries

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
	    for name in html style; do echo "const size_t eti__page_$${name}_size = sizeof eti__page_$$name;"; done; \
	    for script in $(basename $(notdir $(PAGE_SCRIPTS))); do \
	        awk -f src/report/squeeze.awk src/report/$$script.js | array $$script | sed 's/^const/static &/'; done; \
	    echo 'const eti_page_script eti__page_scripts[] = {'; \
	    for script in $(basename $(notdir $(PAGE_SCRIPTS))); do \
	        echo "{\"$$script\", eti__page_$$script, sizeof eti__page_$$script},"; done; \
	    echo '{NULL, NULL, 0}};'; } >$@.new
	$(Q)mv $@.new $@

# The programs that etinspect record starts, as they are.
$(BUILD)/src/measure/runtime_text.c: src/measure/runner.cc src/measure/runner.py src/measure/find.py Makefile
	@mkdir -p $(@D)
	$(Q){ echo '#include "measure/recording.h"'; \
	    array() { echo "const unsigned char eti__runtime_$$1[] = {"; od -An -v -tu1 $$2 | sed 's/[0-9][0-9]*/&,/g'; echo '};'; \
	        echo "const size_t eti__runtime_$$1_size = sizeof eti__runtime_$$1;"; }; \
	    array compiled src/measure/runner.cc; array python src/measure/runner.py; array asker src/measure/find.py; } >$@.new
	$(Q)mv $@.new $@

$(BUILD)/src/report/page_text.o $(BUILD)/src/measure/runtime_text.o: %.o: %.c
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
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_HARDENING) -pie -o $@ $^ $(PROGRAM_LIBS)

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

# The packages of CMake, of the two libraries that have a header of their name.
CMAKE_NAMES := etcapture etinspect
CMAKE_FILES := $(foreach name,$(CMAKE_NAMES),$(BUILD)/cmake/$(name)/$(name)-config.cmake $(BUILD)/cmake/$(name)/$(name)-config-version.cmake)
CMAKE_SUBST = sed 's,@NAME@,$(word 3,$(subst /, ,$(@:$(BUILD)/%=b/%))),g; s,@INCLUDEDIR@,$(INCLUDEDIR),; s,@VERSION@,$(VERSION),' $< >$@
$(BUILD)/cmake/%-version.cmake: packaging/cmake/version.cmake.in FORCE
	@mkdir -p $(@D)
	$(Q)$(CMAKE_SUBST)
$(BUILD)/cmake/%-config.cmake: packaging/cmake/config.cmake.in FORCE
	@mkdir -p $(@D)
	$(Q)$(CMAKE_SUBST)

cmake-files: $(CMAKE_FILES)

amalgamation: ## write libetcapture as one pair of files, build/amalgamation/etcapture.c and etcapture.h
	$(Q)sh packaging/amalgamate.sh src $(BUILD)/amalgamation

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
	for name in $(CMAKE_NAMES); do \
	    install -d $(DESTDIR)$(LIBDIR)/cmake/$$name && install -m 644 $(BUILD)/cmake/$$name/*.cmake $(DESTDIR)$(LIBDIR)/cmake/$$name || exit; done
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
	    $(CMAKE_FILES:$(BUILD)/%=$(DESTDIR)$(LIBDIR)/%) \
	    $(foreach section,$(MAN_SECTIONS),$(patsubst man/%,$(DESTDIR)$(MANDIR)/man$(section)/%,$(wildcard man/*.$(section)))) \
	    $(DESTDIR)$(DATADIR)/bash-completion/completions/etinspect \
	    $(DESTDIR)$(DATADIR)/zsh/site-functions/_etinspect \
	    $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/etinspect.fish

clean: ## remove build/ except for the Python peer, its exports and the viewers, which take long to make
	$(Q)find $(BUILD) -mindepth 1 -maxdepth 1 ! -name peer ! -name viewers ! -name graphs -exec rm -rf {} + 2>/dev/null || true

# ---- testing -----------------------------------------------------------------------------------

check: ## install what tests need, build, and run all tests that need no Python peer
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(TEST_PACKAGES)
	$(Q)$(MAKE) --no-print-directory $(BUILD_JOBS) tests-build
	$(Q)sh tests/run.sh $(BUILD)

include mk/tests.mk mk/peer.mk mk/package.mk mk/release.mk mk/bench.mk mk/tools.mk

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1	/p' $(filter %Makefile %.mk,$(MAKEFILE_LIST)) | expand -t 16

-include $(LIB_OBJECTS:.o=.d) $(CAPTURE_OBJECTS:.o=.d) $(NRT_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(UNIT_TESTS:=.d) \
         $(wildcard $(BUILD)/bench/*.d $(BUILD)/bench/*/*.d $(BUILD)/oracle/*.d $(BUILD)/tests/*/*.d $(BUILD)/tests/unit/*/*.d)

.PHONY: FORCE all objects packages build-packages demo install uninstall clean check help
.SECONDARY:
