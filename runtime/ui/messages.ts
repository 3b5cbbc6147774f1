/** The messages from the server to the page. No import of Node.js: the page's code has these types too. */
import type { Row } from '../view/model/row.ts';

/** A kind of the API server, and whether its objects are in the list. */
export interface KindStatus {
  /** `group/kind`. */
  readonly key: string;
  readonly kind: string;
  /** forbidden: the reader may not list or watch it. failed: `message` says why. */
  readonly state: 'listing' | 'listed' | 'forbidden' | 'failed';
  readonly message: string;
}

/** An event of the stream. Rows and ids hold at most 500 entries. */
export type StreamMessage =
  /** `portal`: the address of the Azure portal; '' for none. */
  | { readonly type: 'begin'; readonly source: string; readonly portal: string; readonly namespace: string }
  | { readonly type: 'kinds'; readonly kinds: readonly KindStatus[]; readonly problems: readonly string[] }
  | { readonly type: 'rows'; readonly rows: readonly Row[] }
  | { readonly type: 'gone'; readonly ids: readonly string[] }
  /** There are more objects than the page takes, or than the memory of its reader holds. */
  | { readonly type: 'limit'; readonly rows: number; readonly of: 'rows' | 'memory' }
  /** The server needs the place of this page. */
  | { readonly type: 'closed'; readonly message: string }
  /** The credential does not hold any more. */
  | { readonly type: 'end'; readonly message: string };

/** A condition for people. */
export interface ShownCondition {
  readonly type: string;
  readonly status: string;
  readonly severity: string;
  readonly reason: string;
  readonly message: string;
  /** Time of the last change of its status, RFC 3339. */
  readonly since: string;
}

/** An event about the object for people. */
export interface ShownEvent {
  /** RFC 3339; '' where the event has none. */
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

/** A location or a resource of a run of a deployment. */
export interface ShownStep {
  /** The location, or kind, group and name of the resource. */
  readonly name: string;
  /** Id of the resource's row; '' for a location. */
  readonly id: string;
  /** Word of the run, such as Waiting or Succeeded. */
  readonly state: string;
  readonly reason: string;
  readonly message: string;
}

/** One object in detail. Of its spec it has only the members in its row. */
export interface Detail {
  readonly row: Row;
  readonly conditions: readonly ShownCondition[];
  /** Of a ComputeRun: its locations and resources, those first that have not succeeded. */
  readonly steps: readonly ShownStep[];
  /** Newest first. */
  readonly events: readonly ShownEvent[];
  /** Why there are no events; '' where they could be read. */
  readonly eventsProblem: string;
  readonly generation: number;
}
