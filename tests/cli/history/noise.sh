# Measures how much files of one program differ, and which change could be found among them.
export LC_ALL=C.UTF-8
history 8 | baseline files.csv
show etinspect noise files.csv --width 160
show etinspect noise files.csv --width 80 --ascii
show etinspect noise files.csv --all --alpha 0.001 --no_include_units --columns event_name,between_files,with_5,with_8,with_12
etinspect noise files.csv -f json --columns event_name,between_files,with_5 | sed '/sources/d; s/\(\.[0-9]\{6\}\)[0-9]*/\1/g'
# Runs of one process do not count as several processes.
refused etinspect noise testdata/mlp-many-runs/run.etdp
# A file that is given twice does not count twice.
refused etinspect noise testdata/mlp/run.etdp testdata/mlp/run.etdp
refused etinspect noise
refused etinspect noise files.csv --min_share 2
