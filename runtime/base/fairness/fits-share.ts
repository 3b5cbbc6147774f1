/** What is used of an amount that all namespaces share. */
export interface Usage {
  /** Used by the namespace that asks. */
  readonly own: number;
  /** Used by all, including the one that asks. */
  readonly all: number;
  readonly most: number;
}

/**
 * Whether a namespace may use `more`: own + more ≤ what stays free. A namespace alone gets a half. However many namespaces
 * take all that they may, the next one gets a part. A namespace with at most a third keeps it beside any other single one.
 */
export function fitsShare(more: number, { own, all, most }: Usage): boolean {
  return own + more <= most - all - more;
}
