#!/bin/sh
# No output of record or measure replaces a file that is read, or another output; nothing runs before that is known.
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" .
cp "$tour/model.etdp" made.etdp
cp "$tour/model.etrecord" .
cp "$tour/model.pte" new.pte
head -c 49152 /dev/zero >zero.bin
cat model.pte >weights.ptd
unset VIRTUAL_ENV ETINSPECT_RUNNER CXX
make-runner runner made.etdp
mkdir kept
cp model.pte new.pte model.etrecord zero.bin weights.ptd runner kept
command='cp made.etdp {}'
# Programs, records, data files, inputs and the runner.
refused etinspect record --command "$command" --report html=model.pte model.pte
refused etinspect record --command "$command" --output model.pte model.pte
refused etinspect record --command "$command" --force --etdump_path model.pte model.pte
refused etinspect record --command "$command" --report html=model.etrecord model.pte
cp model.etrecord other.etrecord
refused etinspect record --command "$command" --report html=other.etrecord model.pte other.etrecord
refused etinspect record --command "$command" --report html=other.etrecord model.pte --etrecord_path other.etrecord
refused etinspect record --runner ./runner --report html=runner model.pte
refused etinspect record --runner ./runner --report html=./zero.bin --inputs zero.bin model.pte
: >'a,b.npz'
: >case.bpte
refused etinspect record --runner ./runner --report html=a,b.npz --inputs a,b.npz model.pte
refused etinspect record --runner ./runner --report html=case.bpte --inputs case.bpte:1 model.pte
refused etinspect record --runner ./runner --report html=weights.ptd --data_path weights.ptd model.pte
refused etinspect measure --runner ./runner --base model.pte --new new.pte --report junit=new.pte
refused etinspect measure --runner ./runner --base model.pte --new new.pte --output model.pte
refused etinspect measure --runner ./runner --base model.pte --new new.pte --report junit=model.etrecord
# Only a regular file is replaced, also with --force.
mkfifo pipe
mkdir folder.etdp
refused etinspect record --command "$command" --force --etdump_path pipe model.pte
refused etinspect record --command "$command" --force --etdump_path folder.etdp model.pte
[ -p pipe ] || echo "BUT the pipe was replaced"
# A dump is a file; a report needs a folder.
refused etinspect record --command "$command" --etdump_path - model.pte
refused etinspect record --runner ./runner --report html=missing/page.html model.pte
[ ! -e ./- ] || echo "BUT there is a file -"
# Outputs.
refused etinspect record --command "$command" --report html=model.etdp model.pte
refused etinspect record --command "$command" --report html=page.html --report csv=./page.html model.pte
refused etinspect record --command "$command" --report html=page.html --output page.html model.pte
for file in kept/*; do
    cmp "$file" "${file#kept/}"
done
[ ! -s runner.log ] || echo "BUT the runner ran"
[ ! -e model.etdp ] || echo "BUT there is a dump"
# Two ETDumps of one stem would hide each other: said before anything runs, and only if both have the stem.
rm -f model.etdp
: >runner.log
: >model.etdump
refused etinspect record --runner ./runner model.pte
refused etinspect record --runner ./runner --etdump_path ./model.etdp model.pte
: >aside.etdp
refused etinspect record --runner ./runner --etdump_path aside.etdump model.pte
[ ! -s runner.log ] || echo "BUT the runner ran"
[ ! -e model.etdp ] || echo "BUT there is a dump"
: >model.etdp
etinspect record --command "$command" --etdump_path third.etdp model.pte 2>&1 >/dev/null | sed -n 's/ in [0-9.]* s.*/ in SECONDS/p'
# shellcheck disable=SC2016 # the runner expands it
make-runner outputs made.etdp 'for flag; do case $flag in --output_file=*) : >"${flag#*=}-0.bin" ;; esac; done'
etinspect measure --runner ./outputs --new model.pte --pairs 1 --warmup 0 | grep -c DELEGATE_CALL
# Without outputs, the message names the program, not a folder that is gone.
refused etinspect measure --runner ./runner --new model.pte --pairs 1 --warmup 0
rm model.etdump model.etdp aside.etdp
# Files may be called as the words of --inputs.
: >random
: >ones
etinspect record --command "$command" --output random model.pte 2>&1 | sed -n 's/ in [0-9.]* s.*/ in SECONDS/p'
etinspect record --runner ./runner --inputs ones --etdump_path named.etdp --output ones model.pte 2>&1 | sed -n 's/ in [0-9.]* s.*/ in SECONDS/p'
head -n 1 random ones | grep -c -e '^inputs' -e '^method' -e ' takes '
# A link is followed, also to a file that does not exist yet, and in another folder.
mkdir dumps
ln -s dumps/linked.etdp link.etdp
etinspect record --command "$command" --etdump_path link.etdp model.pte 2>&1 >/dev/null | sed -n 's/ in [0-9.]* s/ in SECONDS/p'
etinspect record --command "$command" --etdump_path link.etdp model.pte 2>&1 >/dev/null | sed -n 's/ in [0-9.]* s/ in SECONDS/p'
readlink link.etdp
etinspect summary --table recording --format csv dumps/linked.etdp | grep runner
ln -s model.pte program.etdp
ln -s loop.etdp loop.etdp
refused etinspect record --command "$command" --force --etdump_path program.etdp model.pte
refused etinspect record --command "$command" --etdump_path loop.etdp model.pte
cmp model.pte kept/model.pte
# A message names the dump of the command, not a folder that is gone.
printf 'no dump' >text
refused etinspect record --command 'cp text {}' model.pte
make-runner writes text
refused etinspect record --runner ./writes model.pte
head -c 100 made.etdp >cut.etdp
refused etinspect record --command 'cp cut.etdp {}' model.pte
