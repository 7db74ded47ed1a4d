#!/bin/sh
# Only what was asked for is there afterwards.
mkdir place
etinspect testdata/mlp/run.etdp --output place/a --tsv_path place/b --csv_path place/c
ls -A place
