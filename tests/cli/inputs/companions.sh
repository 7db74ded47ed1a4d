#!/bin/sh
# Files that lie beside a name: model.etdp, model.etrecord and model.pte of the argument "model".
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.etdp" "$tour/model.etrecord" "$tour/model.pte" .
etinspect summary --format csv model.etdp model.etrecord model.pte >named
# A name of no file, the program alone, and a folder of that name.
show etinspect summary --format csv model
etinspect summary --format csv model 2>line | cmp - named
cat line
etinspect summary --format csv model.pte 2>line | cmp - named
cat line
mkdir folder folder/model
cp model.etdp model.etrecord model.pte folder
etinspect summary --format csv folder/model 2>line | sed 's,folder/,,' | cmp - named
cat line
# Every command that takes an ETDump.
for command in layers events tree source runs 'trace --format folded' 'report -o -' alloc tensors; do
    # shellcheck disable=SC2086 # a command and its options
    {
        etinspect $command model.etdp model.etrecord model.pte >named 2>messages
        exit=$?
        etinspect $command model >found 2>line
        [ $? = $exit ] || echo "$command: another exit status"
        cmp found named
        sed 1d line | cmp - messages
        etinspect $command model.pte >found 2>line
        [ $? = $exit ] || echo "$command: another exit status of model.pte"
        cmp found named
        sed 1d line | cmp - messages
    }
done
# Commands that show programs use a program alone; a name of no file is a stem there, too.
for command in ops graph delegates; do
    etinspect $command model.etdp model.etrecord model.pte >named
    etinspect $command model 2>line | cmp - named
    cat line
    mv model.etdp away.etdp
    etinspect $command model.pte >alone 2>&1
    mv away.etdp model.etdp
    etinspect $command model.pte 2>&1 | cmp - alone
done
# So does a page without times.
etinspect report -o page.html model.pte model.etrecord
etinspect report -o again.html model.pte model.etrecord 2>&1
cmp page.html again.html
grep -c 'Convolution (NHWC, F32) IGEMM' page.html
# A file that was named is used instead of one that was found.
cp testdata/delegate-ids/record.etrecord other.etrecord
etinspect layers --format csv model.etdp other.etrecord model.pte >named 2>messages
etinspect layers --format csv model other.etrecord 2>line | cmp - named
sed 1d line | cmp - messages
sed -n 1p line
# Files that were found but are of another export are left out.
cp "$tour/fixed.pte" model.pte
etinspect layers --format csv model.etdp model.etrecord >named 2>messages
etinspect layers --format csv model 2>line | cmp - named
cat line
etinspect layers --strict --format csv model 2>/dev/null | cmp - named
cp testdata/delegate-ids/record.etrecord model.etrecord
etinspect layers --format csv model.etdp >named
etinspect layers --format csv model 2>line | cmp - named
cat line
cp "$tour/model.pte" model.pte
etinspect layers --format csv model.etdp model.pte >named
etinspect layers --format csv model 2>line | cmp - named
cat line
rm model.etrecord model.pte
etinspect layers --format csv model.etdp >named
etinspect layers --format csv model 2>line | cmp - named
cat line
# Several stems; outputs cannot replace a file that was found.
cp model.etdp second.etdump
show etinspect runs --top 2 --sort run --filter "run >= 19" --format csv --columns run,dump model second
refused etinspect layers -o model.etdp model
# Two ETDumps, none, standard input, and a name in which a line ends.
cp model.etdp model.etdump
refused etinspect layers model
rm model.etdump model.etdp
refused etinspect layers model
cp "$tour/model.pte" model.pte
refused etinspect layers model
refused etinspect layers model.pte
refused etinspect layers model.etrecord
name=$(printf 'a\nb')
cp second.etdump "$name.etdp"
# shellcheck disable=SC2069 # only standard error is shown
etinspect layers --format csv "$name" 2>&1 >/dev/null
