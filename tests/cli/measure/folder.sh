#!/bin/sh
# Dumps are kept in --output_dir, whatever its name, and never replaced. pairs.csv says that they were recorded in turns.
measure() {
    etinspect measure --base 'act-as-model {}' --new 'act-as-model {} 3=1.3' --seed 1 "$@"
}
measure --output_dir "it's a folder" --format json >measured.json
ls "it's a folder"
sed 's/,[0-9]*,[0-9.]*$/,START,LOAD/' "it's a folder/pairs.csv"
head -n 2 processes | sed "s,$PWD,PWD,"
measure --output_dir "it's a folder"
echo "exit $?"
wc -l <processes
etinspect diff --base "it's a folder/base-01.etdp" --base "it's a folder/base-02.etdp" --new "it's a folder/new-01.etdp" \
    --new "it's a folder/new-02.etdp" --format json >/dev/null
# The path is a single word to a shell, too.
rm processes
folder="a \$b  c"
measure --base 'act-as-model {} && true' --new 'act-as-model "{}" 3=1.3; true' --shell --output_dir "$folder" >/dev/null
echo "exit $?"
find "$folder" -name '*.etdp' | wc -l
sed -n 3p processes | sed "s,$PWD,PWD,"
