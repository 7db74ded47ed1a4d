#!/bin/sh
# Names that are not UTF-8. Bytes of metadata may be anything.
make-etdump good.etdp <<'END'
{run_data: [{name: "Execute", events: [{profile_event: {name: "op\u00fc", delegate_debug_metadata: [255]}}]}]}
END
LC_ALL=C sed 's/op\xc3/op\xff/' good.etdp >bad.etdp
etinspect good.etdp --format tsv 2>/dev/null | cut -f 3
refused etinspect bad.etdp
LC_ALL=C sed 's/Execute/Ex\xf0cute/' good.etdp >bad.etdp
refused etinspect bad.etdp
