# Rules about the figures of programs: exact, with or without dumps, against a program or a baseline.
show etinspect gate --fail_on 'file_size > 1kB' testdata/mlp/model.pte
show etinspect gate --fail_on 'file_size > 4KiB' --fail_on 'operators > 4' testdata/mlp/model.pte
show etinspect gate --fail_on 'file_size > +1%' --fail_on 'arena_peak > +0B' --fail_on 'instructions > +1' \
    testdata/small/model.pte testdata/mlp/model.pte
show etinspect gate --fail_on 'constants > +1%' testdata/mlp/model.pte testdata/mlp/inline.pte

# With dumps, in the same grammar.
show etinspect gate --fail_on 'file_size > 1kB' --fail_on 'total:p50>100ms' testdata/mlp/run.etdp testdata/mlp/model.pte
etinspect baseline save base.csv testdata/mlp/run.etdp testdata/mlp/model.pte
grep '^program' base.csv
show etinspect gate --fail_on 'file_size > +1%' base.csv testdata/mlp-many-runs/run.etdp testdata/mlp/inline.pte
show etinspect gate --fail_on 'metadata > +1%' base.csv testdata/mlp-many-runs/run.etdp testdata/mlp/inline.pte
show etinspect gate --fail_on 'file_size > +0B' --fail_on 'operators > +0' base.csv testdata/mlp/inline.pte
etinspect baseline save sizes.csv testdata/small/model.pte
show etinspect gate --fail_on 'file_size > +0B' sizes.csv testdata/mlp/inline.pte
refused etinspect gate --fail_on 'total:p50>+5%' base.csv testdata/mlp/inline.pte
printf 'what,metric,limit,comment\nprogram,file_size,1kB,flash\n' >budget.csv
printf 'pattern,reason\nfile_size,a larger board\n' >allow.csv
show etinspect gate --budget budget.csv --allow allow.csv testdata/mlp/model.pte
show etinspect gate --budget budget.csv -f junit testdata/mlp/model.pte
show etinspect gate --budget budget.csv -f github testdata/mlp/model.pte
show etinspect gate --fail_on 'operators > 3' --fail_on 'waste > 0B' -f benchmark testdata/mlp/model.pte

refused etinspect gate testdata/mlp/model.pte
refused etinspect gate --fail_on 'total:p50>1ms' testdata/mlp/model.pte
refused etinspect gate --fail_on 'file_size > +1%' testdata/mlp/model.pte
refused etinspect gate --fail_on 'file_size > 1kB' testdata/mlp/run.etdp
refused etinspect gate --fail_on 'file_size > +1%' testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/record.etrecord
