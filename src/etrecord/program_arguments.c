#include "etrecord/program_arguments.h"

eti_argument *eti__program_add_argument(eti_program_reader *in, eti_argument ***end) {
    if (!eti__program_count_item(in))
        return NULL;
    eti_argument *argument = eti__arena_alloc_zero(in->scratch, 1, sizeof *argument);
    if (!argument) {
        eti__json_fail_memory(in->json);
        return NULL;
    }
    argument->name = (eti_text){"", 0};
    **end = argument;
    *end = &argument->next;
    return argument;
}

void eti__program_read_name(eti_program_reader *in) {
    eti_text name;
    if (!in->keep_names || eti__json_peek(in->json) != ETI_JSON_STRING)
        eti__json_skip(in->json);
    else if (eti__json_read_string(in->json, &name))
        (void)eti__program_copy_name(in, name, &in->argument->name);
}

static const eti_program_member named_members[] = {{ETI_KEY("name"), eti__program_read_name},
                                                   {ETI_KEY("as_name"), eti__program_read_name}};

/* Reads {"name": "x"}, or {"as_name": "x"} for symbols; anything else has no name. */
static void read_named(eti_program_reader *in, eti_argument_kind kind) {
    in->argument->kind = kind;
    if (eti__json_peek(in->json) == ETI_JSON_OBJECT)
        eti__program_read_members(in, named_members, ETI_N_MEMBERS(named_members));
    else
        eti__json_skip(in->json);
}

void eti__program_read_tensor(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_TENSOR);
}

void eti__program_read_symbol(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_SYMBOL);
}

void eti__program_read_object(eti_program_reader *in) {
    read_named(in, ETI_ARGUMENT_OBJECT);
}

void eti__program_read_tensors(eti_program_reader *in) {
    eti_argument *list = in->argument;
    list->kind = ETI_ARGUMENT_TENSORS;
    list->items = NULL;
    eti_argument **end = &list->items;
    if (!in->keep_names) {
        eti__json_skip(in->json);
        return;
    }
    if (!eti__json_enter_array(in->json))
        return;
    while (eti__json_next_element(in->json) &&
           (in->argument = eti__program_add_argument(in, &end)) != NULL) {
        in->argument->kind = ETI_ARGUMENT_TENSOR;
        eti__program_read_some_member(in, named_members, ETI_N_MEMBERS(named_members));
    }
    in->argument = list;
}

void eti__program_read_graph(eti_program_reader *in) {
    bool keep_names = in->keep_names;
    in->keep_names = true;
    read_named(in, ETI_ARGUMENT_GRAPH);
    in->keep_names = keep_names;
}

static void read_other(eti_program_reader *in) {
    in->argument->kind = ETI_ARGUMENT_OTHER;
    eti__json_skip(in->json);
}

/* The remaining kind is as_none; lists of constants occur neither as outputs nor as inputs of a graph. */
static const eti_program_member argument_members[] = {
    {ETI_KEY("as_tensor"), eti__program_read_tensor},
    {ETI_KEY("as_tensors"), eti__program_read_tensors},
    {ETI_KEY("as_sym_int"), eti__program_read_symbol},
    {ETI_KEY("as_sym_bool"), eti__program_read_symbol},
    {ETI_KEY("as_custom_obj"), eti__program_read_object},
    {ETI_KEY("as_graph"), eti__program_read_graph},
    {ETI_KEY("as_int"), read_other},
    {ETI_KEY("as_float"), read_other},
    {ETI_KEY("as_bool"), read_other},
    {ETI_KEY("as_string"), read_other},
};

void eti__program_read_argument(eti_program_reader *in) {
    eti__program_read_some_member(in, argument_members, ETI_N_MEMBERS(argument_members));
}

void eti__program_read_arguments(eti_program_reader *in, eti_argument **list) {
    *list = NULL;
    if (!eti__json_enter_array(in->json))
        return;
    in->keep_names = true;
    while (eti__json_next_element(in->json) &&
           (in->argument = eti__program_add_argument(in, &list)) != NULL)
        eti__program_read_argument(in);
}
