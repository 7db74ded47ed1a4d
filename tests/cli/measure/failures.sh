#!/bin/sh
# A command that fails is named, and its last lines are shown; nothing is left in the temporary folder.
mkdir tmp
export TMPDIR="$PWD/tmp"
cat >fail <<'END'
#!/bin/sh
echo "out" ; echo "loading $1" >&2; printf 'cannot load \033[31m' >&2; exit 4
END
chmod +x fail
PATH=$PWD:$PATH
measure() {
    show etinspect measure --base 'act-as-model {}' "$@" --warmup 0 --seed 2
}
measure --new 'fail model {}'
measure --new 'sh -c "kill -SEGV \$\$" {}'
measure --new 'no-such-program {}'
measure --new 'sh -c "exec sleep 30" {}' --timeout 1
measure --new 'sh -c "echo out" {}'
measure --new 'cp testdata/README.md {}'
# shellcheck disable=SC2016 # $0 is the path, which the measured shell gets
measure --new 'sh -c "head -c 1000 testdata/small/run.etdp >\$0" {}'
measure --new 'act-as-model {}' --pull 'false'
measure --new 'cp testdata/mlp-many-runs/run.etdp {}'
show etinspect measure --base 'cp testdata/small/run.etdp {}' --new 'cp testdata/small/run.etdp {}' --warmup 0 --seed 2
ls tmp
