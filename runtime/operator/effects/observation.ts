import type { Applied } from '../../arm-kinds/comparison/applied-record.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Acquisition } from '../objects/acquisition.ts';

/** The resource as ARM showed it in this run; undefined before the first read. */
export type Live =
  | {
      readonly exists: false;
      /** Azure reports that the parent of the resource does not exist either. */
      readonly ownerGone?: boolean;
    }
  | {
      readonly exists: true;
      readonly body: JsonObject;
      /** Azure refuses the GET (405): the body is the answer to the PUT, or empty. */
      readonly hidden?: boolean;
    }
  | undefined;

/** The state that a run has read or written so far. Effects return changes of it, and only the run applies them. */
export interface ObservedState {
  readonly live: Live;
  /** The object has the finalizer, and its ARM id, credential and owner are recorded on it. */
  readonly finalizerAdded: boolean;
  /** The object's record of the last PUT that Azure accepted. */
  readonly applied: Applied | undefined;
  /** How the object came to own its ARM id; undefined before that. */
  readonly acquired: Acquisition | undefined;
  /** This run stored a generated administrator; the next run sends it. */
  readonly adminStored: boolean;
  /** This run sent a PUT or DELETE. */
  readonly wroteToAzure: boolean;
  /** Azure accepted the PUT of this run. */
  readonly putSent: boolean;
  /** The answer to that PUT. */
  readonly putAnswer: JsonObject | undefined;
  /** This run recorded the hash of the applied body. */
  readonly appliedRecorded: boolean;
  /** The result of `readyWhen` for `live`; undefined until it was evaluated. */
  readonly readyWhen: boolean | undefined;
  readonly exported: boolean;
  /** When an expiry in a vault must be renewed, in milliseconds since the epoch. */
  readonly renewAt: number | undefined;
  /** The resource does not exist in Azure any more. */
  readonly deleted: boolean;
  readonly vaultsCleared: boolean;
  readonly finalizerRemoved: boolean;
}

/** The observations of an effect: the members of the observed state that it replaces. */
export type ObservedChanges = Partial<ObservedState>;

/** The input of the pipelines besides the request: the observed state, and values computed from it at this time. */
export interface Observation extends ObservedState {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Earliest next poll of the operation under way, in milliseconds since the epoch. */
  readonly nextPollAt: number;
  /** The object's record proves that it owns its ARM id. @default true */
  readonly owned?: boolean;
  /**
   * Why the operator does not adopt the resource in `live`; undefined if it adopts it, or the object already owns it.
   */
  readonly adoptionRefusal?: string | undefined;
  /** The object that owns this one is being deleted. @default false */
  readonly ownerDeleting?: boolean;
  /** Values must be exported, or earlier exports must be removed. */
  readonly exportsDue: boolean;
  /** Vaults have secrets of this object. */
  readonly secretsInVaults?: boolean;
}
