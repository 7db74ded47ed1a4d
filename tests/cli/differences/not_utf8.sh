#!/bin/sh
# Names that are not UTF-8, which the Inspector rejects, are shown with U+FFFD in every format, with a note. Metadata may
# have any bytes.
make-etdump good.etdp <<'END'
{run_data: [{name: "Execute", events: [{profile_event: {name: "op\u00fc", delegate_debug_metadata: [255]}}]}]}
END
LC_ALL=C sed 's/op\xc3/op\xff/; s/Execute/Ex\xf0cute/' good.etdp >bad.etdp
etinspect good.etdp --format tsv 2>/dev/null | cut -f 3
for format in table tsv csv; do
    show etinspect bad.etdp --format $format
    etinspect bad.etdp --format $format 2>/dev/null | iconv -f UTF-8 -t UTF-8 >/dev/null || echo 'BUT the output is not UTF-8'
done
show etinspect check bad.etdp
