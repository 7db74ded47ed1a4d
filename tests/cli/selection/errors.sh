# One line names what was expected; for an expression also the place.
run=testdata/mlp/run.etdp
show etinspect $run --filter 'p50 > 1 and (avg > 2'
show etinspect $run --filter 'p50 > 1 and'
show etinspect $run --filter 'p5 > 1'
show etinspect $run --filter 'event_name == "ä" and event_name > 5'
show etinspect $run --filter 'event_name
and p50 > 1'
show etinspect $run --filter 'event_name =~ "("'
show etinspect $run --filter 'event_name =~ conv'
show etinspect $run --filter 'p50 > 1 or event_name == conv'
show etinspect $run --columns event_name,zz
show etinspect $run --sort p50:up
show etinspect $run --sort p50,
show etinspect $run --columns ''
show etinspect $run --top 0
show etinspect $run --skip_first 20
show etinspect $run --block Nosuch
