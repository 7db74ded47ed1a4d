# Unknown groupings, numbers and graphs are rejected.
record=testdata/mlp/record.etrecord
refused etinspect --group modules testdata/mlp/run.etdp
refused etinspect --group module:0 testdata/mlp/run.etdp
refused etinspect --group op --module norm testdata/mlp/run.etdp $record
refused etinspect tree --fold 101 testdata/mlp/run.etdp
refused etinspect tree --fold x testdata/mlp/run.etdp
refused etinspect tree --depth 0 testdata/mlp/run.etdp
refused etinspect source --context -1 testdata/mlp/run.etdp
refused etinspect graph --graph none testdata/mlp/run.etdp $record
refused etinspect graph --graph none testdata/mlp/run.etdp
refused etinspect ops --format dot testdata/mlp/run.etdp $record
