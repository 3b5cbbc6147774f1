/** The row of an object in the tree and on the page. No import of Node.js: the page runs this file in the browser. */

/** The states of an object, those first that need somebody. */
export const states = ['Failed', 'Blocked', 'Deleting', 'Reconciling', 'Unknown', 'Ready'] as const;
/** One of `states`. */
export type State = (typeof states)[number];

/** A connection from a row to another object, as its spec names it; the other object may not exist. */
export interface Link {
  readonly type: 'owner' | 'reference' | 'secret' | 'configMap';
  /** `rowId` of the other object. */
  readonly to: string;
  /** Kind and name of the other object, for people. */
  readonly text: string;
}

/**
 * One object as text for people. Every text is printable and cut, whatever the object has; none comes from a Secret, and
 * of the spec it holds names, references and the location only.
 */
export interface Row {
  /** `rowId` of the object. */
  readonly id: string;
  readonly group: string;
  readonly kind: string;
  /** '' for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly state: State;
  /** Reason of the Ready condition, or why there is no state; '' where neither says anything. */
  readonly reason: string;
  readonly message: string;
  /** Azure region; '' where the object has none. */
  readonly location: string;
  /** '' before Azure has the resource. */
  readonly armId: string;
  /** Time of creation, RFC 3339. */
  readonly created: string;
  /** Owners first, of which the first that exists counts. At most `mostLinks`. */
  readonly links: readonly Link[];
}

/** Links that a row keeps; the first ones. */
export const mostLinks = 50;

/** The identity of a row: group, kind, namespace and name. */
export function rowId(group: string, kind: string, namespace: string, name: string): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** `Kind/name`, as the commands take it. */
export function rowTitle({ kind, name }: Pick<Row, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}
