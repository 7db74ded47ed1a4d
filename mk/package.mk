# package.mk - what a release consists of: the Python package, static programs, Debian packages, the SBOM.

DEB_PACKAGES := build-essential debhelper xz-utils
DEB_CHECK_PACKAGES := lintian autopkgtest debootstrap

# The Python package as installed: sources beside the extension, which contains both libraries.
PYTHON_MODULE := $(BUILD)/python/etinspect
PYTHON_SOURCES := $(patsubst python/%,$(BUILD)/python/%,$(wildcard python/etinspect/*.py python/etinspect/*.pyi python/etinspect/*.sql python/etinspect/inspector/*.py python/etinspect/inspector/*.pyi python/etinspect/py.typed)) $(PYTHON_MODULE)/aot_intermediates.py
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

# The versions are fixed because those that write another line make another file.
WHEEL_TOOLS := build==1.6.1 hatchling==1.33.0
$(BUILD)/wheel-venv/made: mk/package.mk
	$(Q)sh tests/tools/dependencies.sh install $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	$(Q)[ -x $(@D)/bin/python ] || python3 -m venv $(@D)
	$(Q)$(@D)/bin/python -m pip --disable-pip-version-check install -q $(WHEEL_TOOLS)
	$(Q)touch $@

PYTHON_BUILD = $(BUILD)/wheel-venv/bin/python -m build --no-isolation --outdir $(BUILD)/dist python
# No index accepts the tag of a wheel that this machine's compiler and libraries made. make calls zig first, because make knows
# the number of jobs, and pip does not.
WHEEL_TARGET = $(if $(NATIVE),,$(or $(TARGET),$(shell uname -m)-linux-gnu.2.28))
wheel: $(BUILD)/wheel-venv/made ## build the wheel of the Python package in build/dist: TARGET=aarch64-linux-gnu.2.28 (this processor), NATIVE=1 (only for this system)
	$(Q)$(if $(WHEEL_TARGET),sh tests/tools/dependencies.sh install $(ZIG_PACKAGES))
	+$(Q)$(if $(WHEEL_TARGET),BUILD=$(BUILD) .ci/zig.sh $(WHEEL_TARGET) @python/etinspect/_etinspect.abi3.so @etinspect)
	+$(Q)$(if $(WHEEL_TARGET),BUILD=$(abspath $(BUILD)) TARGET=$(WHEEL_TARGET),BUILD=$(abspath $(BUILD))/wheel LDFLAGS='$(LDFLAGS) -s') $(PYTHON_BUILD) --wheel

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

.PHONY: python-module wheel sdist static macos deb deb-check sbom
