#!/bin/sh
# On a terminal, record ends with commands that show more of what it wrote; they work.
case ${RUNNER-} in qemu-*) echo "QEMU gives programs another terminal" && exit 77 ;; esac
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "there is no script"; exit 77; }
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" .
export TERM=xterm NO_COLOR=1 ETINSPECT_PAGER=cat ASAN_OPTIONS=detect_leaks=0
unset CI COLUMNS
for option in '' '--etdump_path other.etdp'; do
    script -qec "etinspect record $option --command 'cp $tour/model.etdp {}' model.pte" /dev/null </dev/null | tr -d '\r' | tee shown | grep '^next'
    sed -n 's/^next: //p' shown | sed 's/, /\n/g' >commands
    while read -r command; do
        $command >out 2>err || cat err
        sed 's/^model: //' err
    done <commands
done
ls model.html
etinspect record --command "cp $tour/model.etdp {}" model.pte 2>&1 | sed -n "/^next/p"
