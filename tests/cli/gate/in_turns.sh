#!/bin/sh
# Sides were recorded in turns if one pairs.csv lists the dumps of both, or if both have the same pairs; --in_turns says so, too.
# Only then the level of all events alike is checked.
slower='0=1.3 1=1.3 2=1.3 3=1.3 4=1.3 5=1.3 6=1.3 7=1.3'
etinspect measure --base 'act-as-model {}' --new "act-as-model {} $slower" --seed 1 --pairs 8 --output_dir dumps >/dev/null
answer() { # WHAT GATE-ARGUMENT...
    echo "$1: $(shift && etinspect gate "$@" 2>&1 | grep -c '^failed: .*all events alike')"
}
sides() { # FOLDER FOLDER
    answer "$1 $2" --base "$1"/base-*.etdp --new "$2"/new-*.etdp
}
sides dumps dumps
answer 'other numbers of dumps' --base dumps/base-*.etdp --new dumps/new-0[1-6].etdp
answer 'one side alone' --base dumps/new-0[1-4].etdp --new dumps/new-0[5-8].etdp
mkdir apart
cp dumps/*.etdp apart
sides apart apart
answer '--in_turns' --in_turns --base apart/base-*.etdp --new apart/new-*.etdp
for side in base new; do etinspect baseline save $side.csv dumps/$side-*.etdp; done
answer baselines base.csv new.csv
etinspect baseline save fewer.csv dumps/new-0[1-7].etdp
answer 'baselines of other pairs' base.csv fewer.csv
sed 's/,pair=[0-9]*//' new.csv >without.csv
answer 'a baseline without pairs' base.csv without.csv
echo '== in a sandbox'
export ASAN_OPTIONS=detect_leaks=0 # the search for leaks needs additional processes
for given in '' --in_turns; do
    # shellcheck disable=SC2086,SC2069 # no option is no word; only standard error is shown
    etinspect gate --sandbox $given --base dumps/base-*.etdp --new dumps/new-*.etdp 2>&1 >/dev/null
    # shellcheck disable=SC2086
    answer "sandbox $given" --sandbox $given --base dumps/base-*.etdp --new dumps/new-*.etdp
done
echo '== files that are no lists of pairs'
list() {
    cat >apart/pairs.csv
    sides apart apart
}
echo 'name,price' | list
printf 'pair,side,order,file,start,load_average\n1,base,1,../dumps/base-01.etdp,0,0\n' | list
sed 's/^8,/x,/' dumps/pairs.csv | list
sed 's/base-08/base-8/' dumps/pairs.csv | list
head -c 3000000 /dev/zero | list
rm apart/pairs.csv
mkfifo apart/pairs.csv
sides apart apart
rm apart/pairs.csv
ln -s ../dumps/pairs.csv apart/pairs.csv
sides apart apart
