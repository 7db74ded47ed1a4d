#!/bin/sh
# A page takes nothing from the ETRecord or the program of another export, and says what is missing.
#
# page FILE...: prints what a page has of the models, and the last line of standard error.
page() {
    rm -f page.html
    etinspect report "$@" -o page.html 2>err
    echo "exit $?"
    for word in models.py ConvNet Mlp aten.; do
        grep -qF "$word" page.html && echo "has $word"
    done
    grep -o '"graph": "needs the ETRecord[^"]*"\|"program": "needs the program[^"]*"' page.html
    tail -n 1 err
}
conv=testdata/xnnpack-conv
mlp=testdata/mlp
page $conv/run.etdp $conv/record.etrecord $conv/model.pte
page $conv/run.etdp $mlp/record.etrecord
page $conv/run.etdp testdata/delegate-ids/model.pte
# The program that ran stays.
page $conv/run.etdp $mlp/record.etrecord $conv/model.pte
# A comparison is a page, too.
etinspect diff $conv/run.etdp $conv/run.etdp $mlp/record.etrecord -o page.html 2>err
grep -c 'models.py' page.html
tail -n 1 err
for file in $mlp/record.etrecord testdata/delegate-ids/model.pte; do
    rm -f page.html
    refused etinspect report $conv/run.etdp "$file" --strict -o page.html
    refused etinspect diff $conv/run.etdp $conv/run.etdp "$file" --strict -o page.html
    [ -e page.html ] || echo 'No such file or directory'
done
