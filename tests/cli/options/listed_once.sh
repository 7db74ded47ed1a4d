#!/bin/sh
# No command lists an option twice: a prefix of it would be ambiguous, and help would describe it twice.
for command in '' $(etinspect help --list | awk -F "$(printf '\037')" '$1 == "command" { print $2 }'); do
    etinspect help --list ${command:+"$command"} | awk -F "$(printf '\037')" -v "command=$command" \
        '$1 != "command" && seen[$2]++ { print command, $2 }'
done
etinspect diff --skip 1 testdata/mlp/run.etdp testdata/mlp/run.etdp >found || echo "diff --skip: exit status $?"
