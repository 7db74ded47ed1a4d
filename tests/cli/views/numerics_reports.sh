# Failing outputs, in several files at once, with source files named as in the repository; and files that cannot be written.
mlp="testdata/mlp/run.etdp testdata/mlp/record.etrecord --debug_buffer_path testdata/mlp/debug_buffer.bin"
# shellcheck disable=SC2086 # several words
{
    etinspect tensors $mlp --save base.npz >saved.txt
    numerics() {
        etinspect numerics $mlp --reference base.npz --columns event_name,output,snr --top 2 "$@"
        echo "exit status $?"
    }
    numerics --fail_on 'event_name =~ "relu"' --report junit=found.xml --report github=found.txt --report csv=found.csv --report json=found.json \
        --source_root /tmp/etinspect-models
    cat found.xml found.txt found.csv
    python3 -c 'import json; print([row["event_name"] for row in json.load(open("found.json"))["tables"]["numerics"]])'
    etinspect numerics $mlp --reference base.npz --fail_on 'event_name =~ "relu"' --source_map /tmp/etinspect-models=src/models/ -f github
    numerics --fail_on 'snr < 30' --report junit=none.xml
    cat none.xml
    # Runs as a step of a workflow.
    GITHUB_STEP_SUMMARY=summary.md numerics --fail_on 'event_name =~ "relu"' --github -o table.md
    head -n 5 summary.md table.md
    # A file that cannot be written takes precedence over a failing output.
    numerics --fail_on 'event_name =~ "relu"' --report junit=no/found.xml
    for options in "--report junit" "--report xml=found.xml" "--report junit=base.npz" "--report junit=other.xml" "--source_root /tmp" \
        "--fail_on output>0 --source_map src" "--report github=other.txt" "--budget x.csv"; do
        numerics $options
    done
    test ! -e other.xml && test ! -e other.txt || echo 'BUT a file was made'
} 2>&1
