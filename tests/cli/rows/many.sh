# Paths come from folders, sorted, and from lists: one per line, or separated by NULs. Very many missing files give as many
# rows.
mkdir -p fleet/b/c fleet/a fleet/.hidden fleet/a.d
for name in b/c/2 b/1 a/9 a/10 .hidden/1 a.d/1; do
    cp testdata/small/run.etdp fleet/$name.etdp
done
gzip -c testdata/small/run.etdp >fleet/a/packed.etdp.gz
cp testdata/small/run.etdp fleet/a/run.other
ln -s ../b fleet/a/link
ln -s missing fleet/a/broken.etdp
paths() {
    show etinspect rows --columns path --filter 'event_index == 0 and run == 0 and block == "Default"' -f csv "$@"
}
paths fleet
mkdir dangling
ln -s missing dangling/a.etdp
show etinspect rows --columns path,error -f csv dangling
paths fleet/b/ fleet/a/9.etdp
printf 'fleet/b\n\nfleet/a/9.etdp' >lines
paths --files_from lines
printf 'fleet/b/1.etdp\0with\nline.etdp\0' >nuls
paths --files_from nuls fleet/a/9.etdp
find fleet/b -name '*.etdp' | sort | paths --files_from -
: >empty
refused etinspect rows --files_from empty
refused etinspect rows --files_from missing
mkdir nothing
refused etinspect rows nothing
mkdir none
refused etinspect rows nothing none
refused etinspect rows nothing none nothing
refused etinspect rows
refused etinspect rows -
echo '--- 10000 that are missing'
seq -f 'gone/build=%.0f/run.etdp' 10000 >gone
etinspect rows --labels_from_path --files_from gone -f csv 2>warning | awk -F , '$2 != "" { n++ } END { print NR, n }'
cat warning
echo '--- a folder in a folder, too deep'
mkdir -p "$(seq -s / 70)"
refused etinspect rows 1
