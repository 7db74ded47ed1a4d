#!/bin/sh
# Unknown options, before or after files; nothing is read first.
refused etinspect --foo
refused etinspect nosuch --foo=3
refused etinspect --etdump_paths nosuch
refused etinspect --etrecord_path nosuch --Format tsv
refused etinspect -x nosuch
refused etinspect -v
refused etinspect nosuch -tsv
refused etinspect check --tsv_path x nosuch
refused etinspect help --version
