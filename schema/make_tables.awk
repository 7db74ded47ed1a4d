# make_tables.awk - turns a .fbs file into the descriptions that src/flatbuf/flatbuf.c verifies files by:
#
#     awk -f schema/make_tables.awk schema/etdump.fbs >src/read/etdump_schema.inc
#
# For each table: an enum of its field ids (RUN_DATA_EVENTS), its fields and its schema (run_data_schema). A union field has two ids, its type and
# its value. A vector of bytes with (force_align) is a blob, which is verified but not counted as text. Enums count as
# their integer type; those of included files are bytes.

function fail(message) {
    print FILENAME ": " message >"/dev/stderr"
    failed = 1
    exit 1
}

# DebugEvent -> debug_event, XNNGraph -> xnn_graph
function snake(name,    out, i, c, before, after) {
    sub(/^_+/, "", name)
    for (i = 1; i <= length(name); i++) {
        c = substr(name, i, 1)
        before = substr(name, i - 1, 1)
        after = substr(name, i + 1, 1)
        if (i > 1 && c ~ /[A-Z]/ && (before ~ /[a-z0-9]/ || (before ~ /[A-Z]/ && after ~ /[a-z]/)))
            out = out "_"
        out = out tolower(c)
    }
    return out
}

function trim(text) {
    gsub(/^[ \t\n]+|[ \t\n]+$/, "", text)
    return text
}

BEGIN {
    n = split("bool U8 1|byte I8 1|ubyte U8 1|int8 I8 1|uint8 U8 1|short I16 2|ushort U16 2|int16 I16 2|uint16 U16 2|" \
              "int I32 4|uint U32 4|int32 I32 4|uint32 U32 4|float F32 4|float32 F32 4|" \
              "long I64 8|ulong U64 8|int64 I64 8|uint64 U64 8|double F64 8|float64 F64 8", rows, "|")
    for (i = 1; i <= n; i++) {
        split(rows[i], row, " ")
        scalar[row[1]] = row[2]
        width[row[1]] = row[3]
    }
    vector[1] = "BYTES"; vector[2] = "I16S"; vector[4] = "I32S"; vector[8] = "I64S"
}

{
    sub(/\/\/.*/, "")
    text = text $0 "\n"
}

END {
    if (failed)
        exit 1
    read_declarations()
    printf "/* Made of %s by schema/make_tables.awk; edit that file, not this one. */\n", FILENAME
    print "/* clang-format off */"
    for (i = 1; i <= n_tables; i++)
        printf "static const eti_table_schema %s_schema;\n", snake(tables[i])
    for (i = 1; i <= n_unions; i++)
        write_union(unions[i])
    for (i = 1; i <= n_tables; i++)
        write_table(tables[i])
    print "/* clang-format on */"
}

function read_declarations(    chunks, n, i, brace, head, base, words, kind, name) {
    n = split(text, chunks, "}")
    for (i = 1; i < n; i++) {
        brace = index(chunks[i], "{")
        head = substr(chunks[i], 1, brace - 1)
        sub(/^.*;/, "", head) # include, namespace, file_identifier
        base = head ~ /:/ ? trim(substr(head, index(head, ":") + 1)) : ""
        sub(/:.*/, "", head)
        split(trim(head), words, /[ \t\n]+/)
        kind = words[1]
        name = words[2]
        body_of[name] = substr(chunks[i], brace + 1)
        if (kind == "enum") {
            split(base, words, /[ \t\n(]+/)
            scalar[name] = scalar[words[1]]
            width[name] = width[words[1]]
        } else if (kind == "union") {
            unions[++n_unions] = name
            is_union[name] = 1
        } else if (kind == "table" || kind == "struct") {
            tables[++n_tables] = name
            is_struct[name] = kind == "struct"
        } else {
            fail("expected a table, struct, union or enum, found " kind)
        }
    }
}

function write_union(name,    items, n, i, type) {
    n = split(body_of[name], items, ",")
    printf "static const eti_table_schema *const %s_members[] = {\n    NULL, /* none */\n", snake(name)
    for (i = 1; i <= n; i++) {
        type = trim(items[i])
        if (type == "")
            continue
        sub(/^.*:[ \t\n]*/, "", type)
        printf "    &%s_schema,\n", snake(type)
    }
    printf "};\n"
    printf "static const eti_union_schema %s_union = {%s_members, sizeof %s_members / sizeof *%s_members};\n",
        snake(name), snake(name), snake(name), snake(name)
}

# The size of a struct; each scalar is aligned to its width, the struct to its widest.
function struct_size(name,    items, n, i, type, size, w, widest) {
    n = split(body_of[name], items, ";")
    widest = 1
    for (i = 1; i <= n; i++) {
        type = trim(items[i])
        if (type == "")
            continue
        sub(/^[^:]*:[ \t\n]*/, "", type)
        sub(/[ \t\n=(].*/, "", type)
        w = width[type]
        if (!w)
            fail("struct " name ": expected scalars, found " type)
        size += (w - size % w) % w + w
        if (w > widest)
            widest = w
    }
    return size + (widest - size % widest) % widest
}

function add_field(field, kind, member) {
    ids = ids sprintf("    %s_%s,\n", toupper(snake(current)), toupper(field))
    rows_out = rows_out sprintf("    {\"%s\", ETI_FIELD_%s, %s},\n", field, kind, member)
}

function vector_kind(type, attributes,    w) {
    if (type == "string")
        return "STRINGS"
    w = width[type] ? width[type] : 1
    return w == 1 && attributes ~ /force_align/ ? "BLOB" : vector[w]
}

function write_field(field, type, attributes,    element) {
    if (type ~ /^\[/) {
        element = trim(substr(type, 2, length(type) - 2))
        if (element in body_of && !(element in scalar))
            add_field(field, is_struct[element] ? "STRUCTS" : "TABLES", "{.table = &" snake(element) "_schema}")
        else
            add_field(field, vector_kind(element, attributes), "{NULL}")
    } else if (type == "string") {
        add_field(field, "STRING", "{NULL}")
    } else if (type in scalar) {
        add_field(field, scalar[type], "{NULL}")
    } else if (type in is_union) {
        add_field(field "_type", "U8", "{NULL}")
        add_field(field, "UNION", "{.members = &" snake(type) "_union}")
    } else if (type in body_of) {
        add_field(field, is_struct[type] ? "STRUCT" : "TABLE", "{.table = &" snake(type) "_schema}")
    } else if (type ~ /\./) {
        add_field(field, "I8", "{NULL}") # an enum of an included file
    } else {
        fail(current "." field ": there is no type " type)
    }
}

function write_table(name,    items, n, i, item, field, type, attributes) {
    current = name
    ids = rows_out = ""
    n = split(body_of[name], items, ";")
    for (i = 1; i <= n && !is_struct[name]; i++) {
        item = trim(items[i])
        if (item == "")
            continue
        attributes = item ~ /\(/ ? substr(item, index(item, "(")) : ""
        if (attributes ~ /[( ,]id *:/)
            fail(name ": fields are numbered by their order, without (id: ...)")
        sub(/[ \t\n]*\(.*/, "", item)
        sub(/[ \t\n]*=.*/, "", item)
        field = trim(substr(item, 1, index(item, ":") - 1))
        type = trim(substr(item, index(item, ":") + 1))
        write_field(field, type, attributes)
    }
    if (ids == "") {
        printf "static const eti_table_schema %s_schema = {\"%s\", NULL, 0, %d};\n", snake(name), name,
            is_struct[name] ? struct_size(name) : 0
        return
    }
    printf "enum {\n%s};\n", ids
    printf "static const eti_field %s_fields[] = {\n%s};\n", snake(name), rows_out
    printf "static const eti_table_schema %s_schema = {\"%s\", %s_fields, sizeof %s_fields / sizeof *%s_fields, 0};\n",
        snake(name), name, snake(name), snake(name), snake(name)
}
