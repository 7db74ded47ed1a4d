#!/bin/sh
# The target of a link is written, and the link is kept; the new file is made beside the old one, not beside the link.
mlp=testdata/mlp
mkdir place
echo old >place/found.txt
ln -s place/found.txt link.txt
etinspect $mlp/run.etdp --output link.txt
test -L link.txt && cmp place/found.txt $mlp/etdump-only.txt
# A link to a missing file: that file is made.
ln -s place/new.txt dangling.txt
etinspect $mlp/run.etdp --output dangling.txt
test -L dangling.txt && cmp place/new.txt $mlp/etdump-only.txt
# A link to a missing folder.
ln -s nodir/new.txt broken.txt
refused etinspect $mlp/run.etdp --output broken.txt
ls -A place
for hidden in .[!.]*; do [ ! -e "$hidden" ] || echo "$hidden"; done
