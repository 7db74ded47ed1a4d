# Tables for people fit the requested width; output to a pipe has no colour unless requested.
export LC_ALL=C.UTF-8
unset NO_COLOR CLICOLOR_FORCE COLUMNS
inputs='testdata/mlp/run.etdp testdata/mlp/record.etrecord'
for width in 80 200; do
    for color in always never; do
        echo "$ --width $width --color $color"
        # shellcheck disable=SC2086 # two files
        etinspect --format text --width $width --color $color $inputs
    done
done
echo '$ --ascii --width 60'
# shellcheck disable=SC2086
etinspect --format text --ascii --width 60 $inputs
# No line is longer than the screen.
for width in 20 33 60 80 120 200; do
    # shellcheck disable=SC2086
    etinspect --format text --ascii --width $width $inputs | awk -v width=$width 'length > width { print width ": " $0 }'
done
