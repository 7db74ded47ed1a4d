# Times, roles, parents, operators and modules of the events of each backend are those of a script that shares no code with
# etinspect.
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
for folder in testdata/backends/*/; do
    [ -f "$folder/truth.json" ] || continue
    echo "$(basename "$folder"): $(python3 data/truth.py "$folder")" || exit 1
done
