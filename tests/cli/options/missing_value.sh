#!/bin/sh
# An option that takes a value is the last word, in full, shortened or with hyphens.
for option in etdump_path etrecord_path debug_buffer_path source_time_scale target_time_scale tsv_path csv_path output \
    format delegate_metadata delegate_time_scale method module; do
    refused etinspect testdata/mlp/run.etdp --$option
done
refused etinspect --etd
refused etinspect --target-time-scale
refused etinspect check --method
