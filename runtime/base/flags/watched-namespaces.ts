/**
 * Namespaces that a program watches one by one. More of them, times the kinds, would be tens of thousands of lists and
 * connections: then the whole collection is watched and the rest left out, if the program may list it.
 */
export const mostWatchedNamespaces = 8;
