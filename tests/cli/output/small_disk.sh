#!/bin/sh
# A disk that is full after some pages: output that does not fit is reported, and old files are kept.
unshare -m true 2>/dev/null || { echo 'file systems cannot be mounted here'; exit 77; }
mlp=$PWD/testdata/mlp
cat >fill <<'END'
mkdir place
for pages in 2 3 4 5 6 7 8 9 10 12; do
    mount -t tmpfs -o size=$((pages * 4))k none place || exit 77
    echo old >place/a
    etinspect "$mlp/run.etdp" --output place/a --tsv_path place/b --csv_path place/c 2>message
    status=$?
    [ $status = 0 ] && [ ! -s message ] && echo ok
    [ $status = 4 ] && [ "$(wc -l <message)" = 1 ] && sed 's,place/[abc],FILE,' message
    [ "$(cat place/a)" = old ] || cmp place/a "$mlp/etdump-only.txt"
    [ ! -e place/b ] || cmp place/b "$mlp/etdump-only.tsv"
    ls -A place | grep -v '^[abc]$'
    umount place
done | uniq
END
export mlp
unshare -m sh -u fill
