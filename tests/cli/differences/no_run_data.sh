#!/bin/sh
# The same holds for a dump without runs, and for runs without events.
echo '{}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
echo '{run_data: []}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
echo '{run_data: [{name: "Execute"}, {name: "Execute"}]}' | make-etdump dump.etdp
show etinspect dump.etdp --format tsv
