/* Compares the field tables that verification walks with schema/etdump.fbs: same tables, same
 * fields in the same order, same types. */
#include "support.h"

#include "read/etdump.h"

#include <ctype.h>

static char *schema_text;

static int read_schema(void **state) {
    (void)state;
    size_t size;
    schema_text = (char *)read_whole_file("schema/etdump.fbs", &size);
    schema_text[size] = '\0';
    /* Comments become spaces. */
    for (char *c = schema_text; (c = strstr(c, "//"));) {
        while (*c && *c != '\n')
            *c++ = ' ';
    }
    return 0;
}

static int free_schema(void **state) {
    (void)state;
    free(schema_text);
    return 0;
}

/* The text between the braces of `table NAME {`. */
static const char *find_table(const char *name, size_t *size) {
    char start[64];
    snprintf(start, sizeof start, "table %s {", name);
    const char *body = strstr(schema_text, start);
    if (!body)
        fail_msg("schema/etdump.fbs has no table %s", name);
    body += strlen(start);
    *size = strcspn(body, "}");
    return body;
}

/* Takes "name: type [= default];" off the front; false at the end. */
static bool next_field(const char **at, const char *end, char name[64], char type[64]) {
    while (*at < end && isspace((unsigned char)**at))
        ++*at;
    if (*at >= end)
        return false;
    assert_int_equal(sscanf(*at, "%63[a-z_]: %63[^;= ]", name, type), 2);
    *at = strchr(*at, ';') + 1;
    return true;
}

static bool is_vector_of(const char *type, const char *element) {
    char vector[64];
    snprintf(vector, sizeof vector, "[%s]", element);
    return strcmp(type, vector) == 0;
}

static bool kind_fits(const eti_field *field, const char *type) {
    static const struct {
        eti_field_kind kind;
        const char *types[3];
    } kinds[] = {
        {ETI_FIELD_I8, {"ValueType", "executorch_flatbuffer.ScalarType", "byte"}},
        {ETI_FIELD_U8, {"bool", "ubyte", ""}},
        {ETI_FIELD_I32, {"int", "", ""}},
        {ETI_FIELD_U32, {"uint", "", ""}},
        {ETI_FIELD_I64, {"long", "", ""}},
        {ETI_FIELD_U64, {"ulong", "", ""}},
        {ETI_FIELD_F32, {"float", "", ""}},
        {ETI_FIELD_F64, {"double", "", ""}},
        {ETI_FIELD_STRING, {"string", "", ""}},
        {ETI_FIELD_BYTES, {"[ubyte]", "", ""}},
        {ETI_FIELD_I64S, {"[long]", "", ""}},
    };
    if (field->kind == ETI_FIELD_TABLE)
        return strcmp(type, field->table->name) == 0;
    if (field->kind == ETI_FIELD_TABLES)
        return is_vector_of(type, field->table->name);
    if (field->table)
        return false;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        for (size_t j = 0; kinds[i].kind == field->kind && j < 3; j++) {
            if (strcmp(kinds[i].types[j], type) == 0)
                return true;
        }
    }
    return false;
}

static void compare_table(const eti_table_schema *table) {
    size_t size;
    const char *at = find_table(table->name, &size);
    const char *end = at + size;
    char name[64], type[64];
    for (size_t i = 0; i < table->n_fields; i++) {
        const eti_field *field = &table->fields[i];
        if (!next_field(&at, end, name, type))
            fail_msg("%s.%s is not in the schema", table->name, field->name);
        if (strcmp(name, field->name) != 0)
            fail_msg("%s: field %zu is %s, in the schema %s", table->name, i, field->name, name);
        if (!kind_fits(field, type))
            fail_msg("%s.%s does not fit its type %s", table->name, name, type);
    }
    if (next_field(&at, end, name, type))
        fail_msg("%s.%s is only in the schema", table->name, name);
}

/* Every table that can be reached, each once. */
static size_t collect(const eti_table_schema *table, const eti_table_schema **found, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (found[i] == table)
            return n;
    }
    assert_true(n < 32);
    found[n++] = table;
    for (size_t i = 0; i < table->n_fields; i++) {
        if (table->fields[i].table)
            n = collect(table->fields[i].table, found, n);
    }
    return n;
}

static void every_table_is_the_schemas(void **state) {
    (void)state;
    const eti_table_schema *tables[32];
    size_t n = collect(&eti__etdump_schema, tables, 0);
    for (size_t i = 0; i < n; i++)
        compare_table(tables[i]);
}

/* Null and String are in the schema, but nothing leads to them. */
static void every_table_of_the_schema_is_known(void **state) {
    (void)state;
    const eti_table_schema *tables[32];
    size_t n = collect(&eti__etdump_schema, tables, 0), n_in_schema = 0;
    for (const char *at = schema_text; (at = strstr(at, "\ntable ")); at++)
        n_in_schema++;
    assert_int_equal(n + 2, n_in_schema);
}

static void root_and_identifier_are_the_schemas(void **state) {
    (void)state;
    char root[64];
    snprintf(root, sizeof root, "root_type %s;", eti__etdump_schema.name);
    assert_non_null(strstr(schema_text, root));
    assert_non_null(strstr(schema_text, "file_identifier \"ED00\";"));
}

static void enum_numbers_are_the_schemas(void **state) {
    (void)state;
    assert_non_null(strstr(schema_text, "enum ValueType : byte { Null, Int, Bool, Float, Double, "
                                        "Tensor, TensorList, String }"));
    assert_int_equal(ETI_ETDUMP_VALUE_NULL, 0);
    assert_int_equal(ETI_ETDUMP_VALUE_INT, 1);
    assert_int_equal(ETI_ETDUMP_VALUE_BOOL, 2);
    assert_int_equal(ETI_ETDUMP_VALUE_FLOAT, 3);
    assert_int_equal(ETI_ETDUMP_VALUE_DOUBLE, 4);
    assert_int_equal(ETI_ETDUMP_VALUE_TENSOR, 5);
    assert_int_equal(ETI_ETDUMP_VALUE_TENSOR_LIST, 6);
    assert_int_equal(ETI_ETDUMP_VALUE_STRING, 7);
}

/* A slip here would show only in files that leave the field out. */
static void only_ids_default_to_minus_one(void **state) {
    (void)state;
    size_t n = 0;
    for (const char *at = schema_text; (at = strchr(at, '=')); at++) {
        assert_memory_equal(at, "= -1;", 5);
        n++;
    }
    assert_int_equal(n, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_the_schemas),
        cmocka_unit_test(every_table_of_the_schema_is_known),
        cmocka_unit_test(root_and_identifier_are_the_schemas),
        cmocka_unit_test(enum_numbers_are_the_schemas),
        cmocka_unit_test(only_ids_default_to_minus_one),
    };
    return cmocka_run_group_tests(tests, read_schema, free_schema);
}
