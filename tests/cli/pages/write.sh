# Pages: identical bytes in two runs, omitted parts, sizes, and inputs without a page.
t=testdata/transformer
show etinspect report $t/run.etdp $t/record.etrecord $t/model.pte -o a.html
etinspect report $t/run.etdp $t/record.etrecord $t/model.pte >b.html
cmp a.html b.html && echo same bytes
grep -c '^<!doctype html>$' a.html
grep -o 'content="default-src[^"]*"' a.html | sed 's/sha256-[^'"'"']*/HASH/g'
grep -o '<title>.*</title>' a.html
show etinspect report --title 'a <b> & "c"' --no_source --no_paths --label device=x $t/run.etdp $t/record.etrecord -o c.html
grep -o '<title>.*</title>' c.html
grep -c '\.py' c.html
grep -c 'testdata' c.html
grep -o '"labels": {.*}' c.html
grep -o '"left_out": .*' c.html
grep -o '"absent": .*' c.html
# the timeline is omitted first, then samples
size=$(wc -c <a.html)
etinspect report --max_size $((size - 1)) $t/run.etdp $t/record.etrecord $t/model.pte -o d.html
grep -o '"left_out": .*' d.html
size=$(wc -c <d.html)
etinspect report --max_size $((size - 1)) $t/run.etdp $t/record.etrecord $t/model.pte -o d.html
grep -o '"left_out": .*' d.html
grep -c '"raw"[:,] ' d.html
refused etinspect report --max_size 50000 $t/run.etdp -o e.html
[ ! -e e.html ] && echo no file
refused etinspect report
refused etinspect report $t/model.pte
refused etinspect report $t/run.etdp --format json
refused etinspect report $t/run.etdp -o x.json
refused etinspect report $t/run.etdp --block nothing -o e.html
# any other command
show etinspect runs $t/run.etdp -o runs.html
grep -o '"runs": {$' runs.html
show etinspect diff $t/run.etdp $t/run.etdp -o diff.html
grep -o '^"diff": {$' diff.html | sort -u
show etinspect gate data/changes/base.etdp data/changes/inserted.etdp --report html=gate.html --one_process -o gate.txt
grep -o '^"gate": {$' gate.html | sort -u
