/*
 * catalogue.h - the list of all options.
 */
#ifndef ETI_API_CATALOGUE_H
#define ETI_API_CATALOGUE_H

#define ETI__SCALES "ns,us,ms,s,cycles"

#endif
