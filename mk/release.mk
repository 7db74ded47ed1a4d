# release.mk - builds and tests all files of a release. .github/workflows/release.yml calls these targets.

PROCESSORS := x86_64 aarch64
IMAGE = etinspect-$(VERSION)-image.tar

image: ## write the container image of the static programs, an OCI archive for docker, podman and skopeo, in build/dist
	+$(Q)for processor in $(PROCESSORS); do $(MAKE) --no-print-directory $(BUILD_JOBS) static TARGET=$$processor-linux-musl || exit; done
	$(Q)python3 .ci/image.py $(BUILD)/dist/$(IMAGE) $(VERSION) $(PROCESSORS:%=$(BUILD)/dist/etinspect-$(VERSION)-%-linux-musl)

# TAG comes from the environment, or from TAG=. Only the shell uses it, so make never expands a hostile tag name.
release-names: ## check that TAG, the sources and CHANGELOG.md have the same version
	$(Q)sh .ci/release.sh names

release: release-names ## build all files of a release in build/dist: wheels, sdist, static programs, image, Debian packages, SBOM, SHA256SUMS
	$(Q)rm -rf $(BUILD)/dist
	+$(Q)$(MAKE) --no-print-directory image
	+$(Q)for processor in $(PROCESSORS); do $(MAKE) --no-print-directory $(BUILD_JOBS) wheel NATIVE= TARGET=$$processor-linux-gnu.2.28 || exit; done
	+$(Q)$(MAKE) --no-print-directory sdist deb
	$(Q)cp $(BUILD)/deb/*.deb $(BUILD)/dist
	$(Q)python3 .ci/sbom.py $(BUILD)/dist/etinspect-$(VERSION).spdx.json $(BUILD)/dist/*.whl $(PROCESSORS:%=$(BUILD)/dist/etinspect-$(VERSION)-%-linux-musl)
	+$(Q)$(MAKE) --no-print-directory release-sums

release-sums: ## write build/dist/SHA256SUMS, the digests of all other files in build/dist
	$(Q)sh .ci/release.sh sums $(BUILD)/dist

release-notes: ## write build/release-notes.md, the section of CHANGELOG.md about this version
	$(Q)mkdir -p $(BUILD)
	$(Q)sh .ci/release.sh notes >$(BUILD)/release-notes.md

RELEASE_PACKAGES = $(BUILD_PACKAGES) python3-venv qemu-user
release-test: ## test the files in build/dist on this machine: names, digests, programs in chroots, and wheels on each Python found
	$(Q)sh tests/tools/dependencies.sh install $(RELEASE_PACKAGES)
	$(Q)sh tests/release/run.sh $(BUILD)

release-check: ## build a release of the last commit in two fresh clones, compare the digests, and test the files
	$(Q)sh tests/release/clones.sh $(BUILD)/release

.PHONY: image release-names release release-sums release-notes release-test release-check
