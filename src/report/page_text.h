/*
 * page_text.h - the fixed text of the page: page.html, page.css and all *.js of this folder, joined and turned into arrays
 * by the Makefile.
 */
#ifndef ETI_REPORT_PAGE_TEXT_H
#define ETI_REPORT_PAGE_TEXT_H

#include <stddef.h>

extern const unsigned char eti__page_html[], eti__page_style[], eti__page_script[];
extern const size_t eti__page_html_size, eti__page_style_size, eti__page_script_size;

#endif
