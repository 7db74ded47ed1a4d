#!/bin/sh
# dictionary.sh TARGET - prints a dictionary for the fuzzers: the words that TARGET's readers know, taken from their
# sources, from schema/ and from the options' tables, and the boundary values of its formats.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."

# Prints each line of the input as an entry.
entries() {
    sort -u | sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&"/'
}

# Prints the string literals of sources, except messages. Both fuzzers accept only ASCII.
literals() {
    grep -h -v '^#include\|^ \*\|^/\*' "$@" | grep -o '"[!#$&-[^-~]\{2,60\}"' | tr -d '"'
}

# ---- FlatBuffers: names of fields are not in the bytes -----------------------------------------------

# Prints the sizes of vtables: 4 bytes, and 2 for each field of a table of the schema; a union has two fields.
vtable_sizes() {
    tr '\n' ' ' <"schema/$1.fbs" | grep -o 'table [A-Za-z]* {[^}]*}' | while read -r table; do
        fields=$(printf '%s' "$table" | tr -cd ';' | wc -c)
        printf '"\\x%02x\\x00"\n' $((4 + 2 * fields))
    done | sort -u
}

numbers() {
    for number in 00 01 02 04 08 0c 10 7f 80 ff; do
        printf '"\\x%s\\x00\\x00\\x00"\n' $number
    done
    for top in 7f 80 ff; do
        for rest in 00 ff; do
            printf '"\\x%s\\x%s\\x%s\\x%s"\n' $rest $rest $rest $top
            printf '"\\x%s\\x%s\\x%s\\x%s\\x%s\\x%s\\x%s\\x%s"\n' $rest $rest $rest $rest $rest $rest $rest $top
        done
    done
}

etdump() {
    sed -n 's/^file_identifier "\(.*\)";/"\1"/p' schema/etdump.fbs
    vtable_sizes etdump
    numbers
    literals src/model/*.c src/view_events/events.c | grep '[A-Z:_]' | entries
}

program() {
    for schema in program bundled_program flat_tensor; do
        sed -n 's/^file_identifier "\(.*\)";/"\1"/p' "schema/$schema.fbs"
        vtable_sizes $schema
    done
    printf '"\\x0e\\x00"\n"eh00"\n"FH01"\n"\\x18\\x00\\x00\\x00"\n"\\x20\\x00\\x00\\x00"\n"\\x28\\x00\\x00\\x00"\n'
    numbers
    printf '%s\n' aten::add out executorch_prim::et_copy_index tensor XnnpackBackend | entries
}

delegate() {
    for source in coreml qnn ethosu vgf neutron; do
        literals src/backends/$source.c | grep -v '%' | entries
    done
    printf '%s\n' '":OpId_1' '"debug_info.json":' '"dataRegion":{"offset":' '"size":' '"children":{' '"kind":1' '{"nodes":[' | entries
    numbers
}

vulkan() {
    printf '"VH00"\n"VK00"\n"\\x1e\\x00"\n'
    vtable_sizes vulkan
    numbers
    literals src/backends/vulkan.c src/backends/vulkan_ops.c | entries
    printf '%s\n' aten.convolution.default et_vk.prepack.default '"operator":{' '"args":[' '"kernel_name":"' | entries
}

native() {
    printf '"NPTG"\n'
    vtable_sizes native
    numbers
    printf '%s\n' torch.ops.aten.linear.default torch.ops.aten.relu_.default aten_relu__default aten_linear_default_1 | entries
}

# ---- ETRecords: ZIP and JSON -------------------------------------------------------------------------

zip_marks() {
    for mark in 01\\x02 03\\x04 05\\x06 06\\x06 06\\x07 07\\x08; do
        printf '"PK\\x%s"\n' "$mark"
    done
    printf '"\\x%s\\x00"\n' 08 09 14 # deflated, deflate64, version 2.0
    printf '"\\x01\\x00\\x10\\x00"\n"\\xff\\xff\\xff\\xff"\n"\\xff\\xff"\n'
    literals src/etrecord/etrecord.c | entries
}

json() {
    literals src/etrecord/exported_program.c src/etrecord/maps.c | sed 's/.*/"&":/' | entries
    printf '%s\n' '{' '}' '[' ']' ',' ':' '""' '{}' '[]' '[{' '}]' null true false NaN Infinity -Infinity 0 -1 1e999 \
        0.5 9223372036854775807 -9223372036854775808 18446744073709551616 '"forward":{' '"0":' '\ud800' '\ud83d\ude00' '\u0000' "\\" |
        entries
}

operators() {
    literals src/etrecord/graph.c | entries
    literals src/etrecord/fx_names.c | awk 'NR % 16 == 0' | entries # all are treated alike
    printf '%s\n' executorch.exir.dialects.edge._ops.aten.add.Tensor torch.ops.aten.add.Tensor _0 _1 _9223372036854775807 \
        'L__self___fc,fc,torch.nn.Linear' ';' '@' __ | entries
}

# ---- files of tensors ----------------------------------------------------------------------------------

tensor_files() {
    printf '"%s"\n' '\x93NUMPY\x01\x00' '\x93NUMPY\x02\x00' '\x93NUMPY\x03\x00' '\x80\x02' '\x85' '\x86' '\x87' '\x8a\x08' '\x88' '\x89' 'q\x00' 'h\x00' \
        'r\x00\x00\x00\x00' 'j\x00\x00\x00\x00' 'X\x01\x00\x00\x000' 'K\x00' 'J\xff\xff\xff\xff' 'torch\x0a' 'ctorch._utils\x0a_rebuild_tensor_v2\x0a' \
        'ctorch._utils\x0a_rebuild_tensor_v3\x0a' 'ctorch._utils\x0a_rebuild_parameter\x0a' 'ccollections\x0aOrderedDict\x0a' 'ctorch.storage\x0aUntypedStorage\x0a' \
        'ctorch\x0aBFloat16Storage\x0a' 'ctorch\x0aComplexFloatStorage\x0a' 'ctorch\x0afloat8_e5m2\x0a'
    printf '%s\n' "'descr': '" "'fortran_order': " "'shape': (" True False "<f4" ">i8" "|b1" "=u2" "<f2" "<V2" "|O" dtype shape data_offsets __metadata__ \
        9223372036854775807 '[0,0]' ')R' tQ tR '(' ']' '}' ')' N. e s u a |
        entries
    literals src/tensors/safetensors.c | grep '^[A-Z0-9_]*$' | entries
}

# Names of tensors in a reference, and of test cases.
points() {
    printf '%s\n' Execute.0/output#0 Execute.0/ /output Execute.0/3:native_call_ : '#' '#1' '~2' 1: 9223372036854775807: forward encode | entries
    printf '"\\x8a\\x01"\n"]("\n"}("\n"X\\x07\\x00\\x00\\x00forward"\n'
}

# ---- options and tables ------------------------------------------------------------------------------

options() {
    sed -n 's/^    {\.name = "\([a-z_]*\)".*/--\1/p' src/api/catalogue.c | entries
    sed -n 's/^    {\.name = "\([a-z_]*\)".*/--\1=/p' src/api/catalogue.c | tr _ - | entries
    literals src/cli/cmd_*.c src/api/catalogue.c | tr ',' '\n' | grep '^[a-z]*$' | entries
    printf '%s\n' -- --- - -h -1 -.5 = | entries
    printf '"\\x00"\n"\\x00--"\n"\\x00-"\n'
}

tables() {
    literals src/write/*.c src/table/*.c src/base/numbers.c | entries
    printf '%s\n' 1e309 1,234.5 -12. .5 +1 1_0 nan -inf 0x1p4 '=1+1' '@SUM(' | entries
    printf '"%s"\n' '\"' '\x0d\x0a' '\x09' '\x0b' '\x1c' '\x1b[2J' '\x9b' '\xc2\x85' '\xc2\x9b' '\xe2\x80\xa8' '\xe2\x80\xae' \
        '\xef\xbb\xbf' '\xef\xbb\xbf=' '\xc2\xa0+' '\xef\xbc\x9d' '\xef\xbf\xbd' \
        '\xf4\x8f\xbf\xbf' '\xed\xa0\x80' '\xc0\x80' '\x00\x00\x00\x00\x00\x00\xf0\x7f' '\x00\x00\x00\x00\x00\x00\xf8\x7f'
}

logs() {
    printf '%s\n' '#[RUN THIS]' '#[END]' 'echo "' '" | base64 -d >etdump.bin' '" | base64 -d >debug_buffer.bin' Zm9v Zg== Zm8= |
        entries
    printf '"%s"\n' '\x0d\x0a' '\x1f\x8b\x08'
}

expressions() {
    sed -n '/^ \*/d; s/^        {"\([^"]*\)", .*/\1/p' src/table/filter_syntax.c | entries
    # shellcheck disable=SC2016 # quotes of the expressions themselves
    printf '%s\n' name flag p50 share count ops '`p50 (ms)`' 1.5ms 20us 10% -1e3 '"x"' "'\\.'" '{1,255}' '[]' '\1' | entries
}

budgets() {
    printf '%s\n' op= module= backend= source= total operators delegates overhead framework loading ':' p50 avg p90 min max \
        '>' + % ns us ms s cycles min_share= min_effect= what, metric, limit, comment pattern, reason, expires '*' '?' '#' \
        2026-02-28 | entries
}

baselines() {
    printf '%s\n' etinspect-baseline,4 ,samples end,9 file,a,1, commit=1 '|' ';' time_scale,ns cycles,1e9 method, label, columns, block, execute, operators, \
        delegates, framework, loading, kernel, delegated, delegate_call, instruction, ,,,,,,,,, 18446744073709551615 '""' |
        entries
    printf '"\\x0a"\n"\\x00"\n'
}

# ---- databases -----------------------------------------------------------------------------------------

statements() {
    literals src/sqlite/*.c | tr -c 'A-Za-z_\n' '\n' | grep '^[A-Za-z_]\{3,\}$' | entries
    printf '%s\n' 'ALTER TABLE things ADD COLUMN ' 'CREATE TABLE ' 'CREATE VIEW ' 'CREATE UNIQUE INDEX ' 'CREATE TRIGGER ' 'CREATE VIRTUAL TABLE ' \
        'PRAGMA writable_schema = ON;' 'PRAGMA user_version = ' 'UPDATE sqlite_schema SET sql = ' 'rootpage = ' 'WITHOUT ROWID' STRICT DEFAULT CHECK \
        'GENERATED ALWAYS AS (' 'ON CONFLICT REPLACE' 'COLLATE NOCASE' 'PRIMARY KEY' 'REFERENCES dumps' 'USING fts5(' 'NOT NULL' 'DROP TABLE ' \
        'INSERT INTO dumps VALUES (' 9223372036854775807 'journal_mode = WAL' 'auto_vacuum = FULL; VACUUM' things dumps labels notes sources named \
        dump_id '(' ')' ';' , "'" '--' '/*' '*/' | entries
    printf '"\\xd9\\xd5\\x05\\xf9\\x20\\xa1\\x63\\xd7"\n"\\x37\\x7f\\x06\\x82"\n"\\x0d\\x00"\n"\\x05\\x00"\n"\\x0a\\x00"\n"\\x02\\x00"\n'
}

case $1 in
database) statements ;;
baseline | history) baselines ;;
budget) budgets ;;
filter) expressions ;;
etdump | debug_buffer) etdump ;;
program) program ;;
delegate) delegate ;;
capture | journal) numbers ;;
etrecord) zip_marks; json; operators ;;
graph) json; operators ;;
maps) json; printf '"\\x00"\n' ;;
inspect) etdump; zip_marks; json; operators ;;
views) etdump; zip_marks; json; operators; expressions ;;
options) options ;;
tensor_files) zip_marks; tensor_files ;;
numerics) zip_marks; tensor_files; program; etdump; points ;;
vulkan) vulkan ;;
native) native ;;
writers) tables ;;
wrapped) logs ;;
*) echo "dictionary.sh: there are no words for $1" >&2; exit 1 ;;
esac | sort -u
