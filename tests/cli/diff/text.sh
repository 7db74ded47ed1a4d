# The report of a comparison. The files are those of an example that was computed by hand (event2 takes 1.2 times as long on the
# new side, a location of 1000 (e + 1) (1 + a %) (1 + 2 b %) us otherwise), then the same with other factors.
export LC_ALL=C.UTF-8
save() { # FILE NUMBER FACTOR FACTOR_OF_EVENT2: one process with four runs
    awk -v f="$2" -v factor="$3" -v slow="$4" 'BEGIN {
        print "time_scale,ns\nblock,Execute,,4,1"
        for (e = 0; e < 9; e++) {
            t = e == 8 ? 101000 : 5000 * (e + 1) * (100 + (7 * e + 3 * f * f + e * f) % 11 - 5) * (50 + f % 3)
            t = int(t * factor * (e == 2 ? slow : 1))
            total += t
            rows[e] = sprintf("kernel,native_call_event%d.out,aten.op%d.default,layers.%d,,,,model.py,%d,,%d;%d;%d;%d", e, e % 3, e / 4,
                10 + e, t, t * 1.01, t * 1.02, t * 1.04)
        }
        printf "execute,Method::execute,,,,,,,,,%d;%d;%d;%d\n", total * 1.1, total * 1.111, total * 1.122, total * 1.144
        for (e = 0; e < 9; e++)
            print rows[e]
    }' | baseline "$1"
}
sides() { # NAME FACTOR FACTOR_OF_EVENT2: five files per side
    for f in 0 1 2 3 4; do
        save "$1-base$f.csv" $f 1 1
        save "$1-new$f.csv" $((f + 5)) "$2" "$3"
    done
}
files() { # NAME
    for f in 0 1 2 3 4; do
        printf -- '--base %s-base%d.csv --new %s-new%d.csv ' "$1" $f "$1" $f
    done
}
compare() { # NAME OPTION...
    name=$1
    shift
    echo "\$ etinspect diff [$name]${*:+ $*}"
    # shellcheck disable=SC2046
    etinspect diff $(files "$name") --width 80 "$@"
}

echo '== one event is slower'
sides slower 1 1.2
compare slower
compare slower --group optype --all --ascii
compare slower --format markdown
compare slower --format tsv | cut -f 1-13
compare slower --columns event_name,verdict,p,p_unadjusted,relative_change,files_base,runs_new,reason --width 200 --all
echo '== all is slower, too'
sides throttled 1.3 1.2
compare throttled
echo '== all is faster'
sides faster 0.5 1
compare faster --group module
compare faster --in_turns
echo '== nothing is slower'
sides same 1 1
compare same
compare same --margin 1%
echo '== too few files'
show etinspect diff slower-base0.csv slower-new0.csv --width 80
show etinspect diff --base slower-base0.csv --base slower-base1.csv --base slower-base2.csv --new slower-new0.csv --new slower-new1.csv \
    --new slower-new2.csv --width 80 --top 1
echo '== one process'
compare slower --one_process --top 1
echo '== the same file'
show etinspect diff testdata/small/run.etdp testdata/small/run.etdp --width 80
echo '== real files'
show etinspect diff testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp testdata/mlp/record.etrecord --width 160 --group source
show etinspect diff testdata/mlp/run.etdp testdata/mlp-many-runs/run.etdp --list_columns
