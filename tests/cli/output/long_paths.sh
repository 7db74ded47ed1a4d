#!/bin/sh
# The longest possible path has 4095 bytes. A temporary file has a path, too: if that is too long, a message says so.
mlp=$PWD/testdata/mlp
exec 2>&1
deep=$PWD
while [ ${#deep} -lt 3700 ]; do deep=$deep/$(printf '%0200d' 0); done
mkdir -p "$deep"
# try LENGTH NAME: writes to a file called NAME whose path has this length
try() {
    folder=$deep
    while [ $(($1 - ${#folder} - ${#2} - 2)) -gt 200 ]; do folder=$folder/$(printf '%0100d' 0); done
    folder=$folder/$(printf "%0$(($1 - ${#folder} - ${#2} - 2))d" 0)
    mkdir -p "$folder" 2>/dev/null
    etinspect "$mlp/run.etdp" --output "$folder/$2" 2>message
    echo "path of $1 bytes, name of ${#2}: exit $?, $(sed 's/.*: cannot/cannot/' message)"
    # cmp could not open a path that is too long.
    (
        cd "$deep" && cd "${folder#"$deep"/}" || exit
        [ ! -f "$2" ] || cmp "$2" "$mlp/etdump-only.txt"
        rm -f "$2"
        ls -A
    )
}
name=$(printf '%027d' 0) # as long as the name of a temporary file
try 4095 "$name"
try 4094 "$name"
try 4096 "$name"
try 4069 x
try 4070 x
# From inside the folder the path is short.
cd "$deep" || exit 1
etinspect "$mlp/run.etdp" --output x && cmp x "$mlp/etdump-only.txt"
find . -maxdepth 1 -name '.?*'
true
