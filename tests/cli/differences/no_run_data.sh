#!/bin/sh
# So it is with a dump that has no runs at all, or runs whose events are missing.
echo '{}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
echo '{run_data: []}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
echo '{run_data: [{name: "Execute"}, {name: "Execute"}]}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
