# A stream is read like a journal, also from a pipe, with noise between packets, and without the packets that were lost.
case ${RUNNER-} in qemu-*) echo "QEMU has no seccomp, which this case needs, too" && exit 77 ;; esac
make-journal stream run.stream
show etinspect recover -o run.etdp run.stream
tail -c +1 run.stream | show etinspect recover -o piped.etdp -
cmp run.etdp piped.etdp
show etinspect runs run.stream --columns run,elapsed -f csv
etinspect runs - <run.stream -f csv --columns run,elapsed | tail -n 1
gzip -k run.stream
show etinspect recover -o packed.etdp run.stream.gz
cmp run.etdp packed.etdp

echo "-- a log of a board, of which the first packet is damaged"
{ printf 'boot\n'; head -c 300 run.stream; printf 'x'; tail -c +302 run.stream; printf 'bye\n'; } >board.log
show etinspect recover -o board.etdp - <board.log
head -c 200 run.stream >cut.stream
show etinspect recover -o cut.etdp - <cut.stream
show etinspect summary cut.stream
