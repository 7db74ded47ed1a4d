# Payloads in a record made after lowering that cannot be read, or that belong to another call: a note names the record.
run=testdata/xnnpack-conv
unpack $run/lowered.etrecord parts
edge=parts/edge_dialect_exported_program/forward
cp $edge edge

sed 's/\(processed_bytes\\": \\"[^"\\]\{200\}\)[^"\\]*/\1/g' edge >$edge
pack parts cut.etrecord
show etinspect delegates $run/run.etdp cut.etrecord

# exchanges the payloads of the two calls
one=$(grep -o 'processed_bytes\\": \\"[^"\\]*' edge | sed -n '1s/.*"//p')
other=$(grep -o 'processed_bytes\\": \\"[^"\\]*' edge | sed -n '2s/.*"//p')
sed "s|$one|ONE|; s|$other|$one|; s|ONE|$other|" edge >$edge
pack parts swapped.etrecord
show etinspect delegates $run/run.etdp swapped.etrecord
