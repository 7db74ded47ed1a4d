# Operators of programs: each once, with its calls; the list for a build; and the operators that a build lacks.
show etinspect ops testdata/control-flow/model.pte
show etinspect ops testdata/multi-method/model.pte testdata/state/model.pte
show etinspect ops --emit_ops testdata/small/model.pte testdata/state/model.pte
show etinspect ops --emit_ops -f ndjson --no_sha256 testdata/state/model.pte

# All operators that one program needs are available, and then all except one.
etinspect ops --emit_ops testdata/transformer/model.pte >all
grep -v bmm all >less
show etinspect ops --available all testdata/transformer/model.pte
show etinspect ops --available less testdata/transformer/model.pte
show etinspect ops --available less -f csv testdata/transformer/model.pte testdata/control-flow/model.pte
cat >build.yaml <<'YAML'
include_all_operators: false
operators:
  aten::add.out:
    is_root_operator: true
YAML
show etinspect ops --available build.yaml testdata/state/model.pte

# For a profile the view is unchanged; questions about programs need a program.
etinspect ops testdata/small/run.etdp testdata/small/model.pte | head -1
: >empty
refused etinspect ops --available empty testdata/small/model.pte
echo add.out >bare
refused etinspect ops --available bare testdata/small/model.pte
refused etinspect ops --available missing testdata/small/model.pte
refused etinspect ops --emit_ops testdata/small/run.etdp
# One of a kind is singular.
etinspect ops testdata/delegate-ids/model.pte | tail -n 1
