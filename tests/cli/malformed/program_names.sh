# No text of a program is UTF-8: each becomes UTF-8 where it is read, whatever shows it.
for name in xnnpack-conv bundled-inputs external-weights state; do
    python3 - "testdata/$name/model.pte" bad.pte <<'EOF'
import re, sys
program = open(sys.argv[1], "rb").read()
# After the header, letters in the text of operators, methods, backends, names of weights and frames: the bytes before them are its length.
text = rb"(?<=[\x04-\x7f]\0\0\0)[A-Za-z_][\w:./, -]{3,}(?=\0)"
changed = program[:64] + re.sub(text, lambda found: found[0][:1] + b"\xff\xc3" + found[0][3:], program[64:])
assert changed != program and len(changed) == len(program)
open(sys.argv[2], "wb").write(changed)
EOF
    n=0
    for command in check delegates graph memory ops program report size "program bad.pte" "graph testdata/$name/run.etdp" "ops testdata/$name/run.etdp"; do
        for format in csv tsv json markdown html; do
            rm -f out
            # shellcheck disable=SC2086 # several words
            etinspect $command bad.pte -f $format -o out >/dev/null 2>&1
            [ -s out ] || continue
            n=$((n + 1))
            iconv -f utf-8 -t utf-8 out >/dev/null 2>&1 || echo "$name: $command -f $format: not UTF-8"
        done
    done
    [ $n -gt 25 ] || echo "$name: only $n files"
    etinspect program bad.pte -f csv --table methods | tail -n 1 | cut -d , -f 1
done
