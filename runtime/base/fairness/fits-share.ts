/** What is used of an amount that all namespaces share. */
export interface Usage {
  /** Used by the namespace that asks. */
  readonly own: number;
  /** Used by all, including the one that asks. */
  readonly all: number;
  readonly most: number;
}

/**
 * Whether a namespace may use `more`: afterwards it has at most as much as is free for the others. Alone it gets a half.
 * However many namespaces take all that they may, the next one still gets a part, and a namespace with at most a third
 * keeps it beside any other single one.
 */
export function fitsShare(more: number, { own, all, most }: Usage): boolean {
  return own + more <= most - all - more;
}
