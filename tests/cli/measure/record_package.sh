#!/bin/sh
# etinspect record with the package executorch, for which it compiles a runner: a script plays Python, another the compiler, whose
# product is a script, too. The real package is in tests/parity.
tour=$(dirname "$(readlink testdata)")/doc/tour
cp "$tour/model.pte" .
unset ETINSPECT_RUNNER
export XDG_CACHE_HOME="$PWD/cache" VIRTUAL_ENV="$PWD/venv"
package=$PWD/venv/executorch
mkdir -p venv/bin "$package/lib" "$package/include/executorch/extension/module"
touch "$package/lib/libexecutorch.so" "$package/lib/libexecutorch_backend_openvino.so" "$package/lib/libexecutorch_kernels.so"
touch "$package/include/executorch/extension/module/module.h"
printf '#!/bin/sh\necho called >>"%s/asked"\nprintf "%%s\\n" "%s/venv/bin/python" "%s" 1.5.1 torch\n' "$PWD" "$PWD" "$package" >venv/bin/python
cat >compiler <<COMPILER
#!/bin/sh
echo "\$*" | grep -o 'libexecutorch[a-z_]*.so' | sort >"$PWD/libraries"
echo compiled >>"$PWD/compiled"
while [ "\$1" != -o ]; do shift; done
cp "$PWD/product" "\$2"
COMPILER
chmod +x venv/bin/python compiler
export CXX="$PWD/compiler"
record() {
    etinspect record "$@" >out 2>err
    status=$?
    sed 's/ in [0-9.]* s/ in SECONDS/; s,'"$PWD"',HERE,g' err
    [ $status = 0 ] || echo "exit $status"
    for left in etinspect-* .etinspect-*; do
        [ ! -e "$left" ] || echo "BUT $left is left"
    done
}
make-runner product "$tour/model.etdp" 'echo etinspect-clock-reads:1000000'
# The runner is compiled once, with all libraries except those that need others, and kept where only its user may write.
record model.pte
record model.pte
cat compiled libraries
find cache/etinspect -name 'runner-*' -printf '%M\n'
find cache/etinspect -type f -printf '%f\n' | sed 's/[0-9a-f]\{16\}/KEY/'
# A measurement asks Python once, however many processes there are.
make-runner product process.etdp "head -c 40 /dev/zero >out-0.bin; (cd '$PWD' && act-as-model process.etdp)"
rm -r cache
cp model.pte other.pte
: >asked
etinspect measure --base model.pte --new other.pte --seed 1 --pairs 6 >out 2>&1
grep -E '^(measured|outputs)' out
grep -c ^-- product.log
grep -c . asked
make-runner product "$tour/model.etdp" 'echo etinspect-clock-reads:1000000'
rm -r cache
# CPU time: its notes, and a dump whose events did not read that clock.
record --clock cpu model.pte
grep ^-- product.log | tail -n 1
etinspect summary --table facts --format csv model.etdp | grep ^clock
make-runner product "$tour/model.etdp" 'echo etinspect-clock-reads:1'
rm -r cache
record --clock cpu --etdump_path new.etdp model.pte
# A backend whose work may be on no processor.
record --clock cpu --etdump_path new.etdp testdata/delegate-ids/model.pte
# Recorded tensors are beside the dump.
make-runner product "$tour/model.etdp" 'printf debug >debug.bin'
rm -r cache
record --debug_buffer_size 1000 model.pte
grep ^-- product.log | tail -n 1
cat model.debug.bin
echo
# They are named after the dump, and a file with that name is kept, also if the recording fails.
record --debug_buffer_size 1000 --etdump_path named.debug.bin model.pte
printf mine >other.debug.bin
record --debug_buffer_size 1000 --etdump_path other.etdp model.pte
cat named.debug.debug.bin other.debug.bin
echo
[ ! -e other.etdp ] || echo "BUT there is a dump"
record --debug_buffer_size 1000 --report html=named.debug.bin --etdump_path named.etdp --force model.pte
[ ! -e named.etdp ] || echo "BUT there is a dump"
make-runner product /dev/null 'printf debug >debug.bin'
rm -r cache
record --debug_buffer_size 1000 --force --etdump_path other.etdp model.pte
cat other.debug.bin
echo
make-runner product "$tour/model.etdp"
rm -r cache model.debug.bin
record --debug_buffer_size 1000 --etdump_path new.etdp model.pte
# A folder that others may write to is not used.
chmod 777 cache/etinspect
: >compiled
record model.pte
record model.pte
cat compiled
# A compiler that fails: Python runs the program, and its script receives the same flags.
printf '#!/bin/sh\necho "runner.cc:1: error: no such header" >&2\nexit 1\n' >compiler
rm -r cache
cat >venv/bin/python <<PYTHON
#!/bin/sh
case \$1 in
*/find.py) printf '%s\n' "$PWD/venv/bin/python" "$package" 1.5.1 torch ;;
*) echo "\${1##*/}" >>"$PWD/asked" && shift && exec "$PWD/product" "\$@" ;;
esac
PYTHON
: >asked
record model.pte
cat asked
# No compiler; and CPU time without it.
unset CXX
mkdir bin
ln -s "$(command -v etinspect)" "$(command -v sh)" "$(command -v cp)" "$(command -v wc)" "$(command -v sha256sum)" "$(command -v cut)" "$(command -v tr)" bin
PATH=$PWD/bin etinspect record model.pte 2>&1 >out | sed 's/ in [0-9.]* s/ in SECONDS/'
PATH=$PWD/bin etinspect record --clock cpu model.pte 2>&1
# --python names the interpreter; it has no package.
printf '#!/bin/sh\necho /venv/python\n' >venv/bin/python
record --python venv/bin/python model.pte
