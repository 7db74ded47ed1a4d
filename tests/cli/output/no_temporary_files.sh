#!/bin/sh
# Afterwards only the requested files exist.
mkdir place
etinspect testdata/mlp/run.etdp --output place/a --tsv_path place/b --csv_path place/c
ls -A place
