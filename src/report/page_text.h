/*
 * page_text.h - the fixed text of the page: page.html, page.css and each *.js of this folder, turned into arrays by the
 * Makefile.
 */
#ifndef ETI_REPORT_PAGE_TEXT_H
#define ETI_REPORT_PAGE_TEXT_H

#include <stddef.h>

extern const unsigned char eti__page_html[], eti__page_style[];
extern const size_t eti__page_html_size, eti__page_style_size;

typedef struct eti_page_script {
    const char *name; /* of the file, without .js; NULL: the end */
    const unsigned char *data;
    size_t size;
} eti_page_script;

/* The scripts in their order on the page. */
extern const eti_page_script eti__page_scripts[];

#endif
