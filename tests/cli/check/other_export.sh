#!/bin/sh
# A record of another export does not fit the dump.
show etinspect check testdata/mlp/run.etdp testdata/delegate-ids/record.etrecord
show etinspect check testdata/delegate-ids/run.etdp testdata/mlp/record.etrecord
show etinspect check testdata/multi-method/run.etdp testdata/multi-method/record.etrecord
show etinspect check testdata/xnnpack-conv/run.etdp testdata/mlp/record.etrecord
show etinspect check testdata/xnnpack-conv/run.etdp testdata/transformer/record.etrecord testdata/xnnpack-conv/model.pte
