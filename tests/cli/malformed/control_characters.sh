#!/bin/sh
# Names in messages cannot break the line or control a terminal.
make-etdump dump.etdp <<'END'
{run_data: [{name: "Execute", events: [
    {profile_event: {name: "a\u001b[31m\nb\u007f", start_time: 4294967299, end_time: 1}}]}]}
END
refused etinspect dump.etdp
nasty=$(printf 'a\033[31m\nb')
refused_quietly() {
    refused etinspect "$@" | tail -n 2
}
refused_quietly "$nasty"
refused_quietly "--$nasty"
refused_quietly help "$nasty"
refused_quietly --etrecord_path "$nasty"
refused_quietly dump.etdp --format "$nasty"
cp testdata/mlp/debug_buffer.bin "$nasty"
refused_quietly "$nasty"
refused_quietly --etdump_path "$nasty"
cp testdata/mlp/run.etdp "$nasty"
etinspect check "$nasty"
