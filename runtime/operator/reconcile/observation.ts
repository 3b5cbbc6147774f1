import type { JsonObject } from '../../base/json.ts';
import type { Acquisition } from '../lifecycle/acquisition.ts';

/** The resource as ARM showed it in this run; undefined until it was read. */
export type Live =
  | {
      readonly exists: false;
      /** Azure says that the resource's parent does not exist either. */
      readonly ownerGone?: boolean;
    }
  | {
      readonly exists: true;
      readonly body: JsonObject;
      /** Azure refuses to show it (405): the body is the answer to the PUT, or empty. */
      readonly hidden?: boolean;
    }
  | undefined;

/** Fingerprints of the last PUT, kept in an annotation. None of them can be turned back into content. */
export interface Applied {
  /** Of the body, with marks in place of secrets. */
  readonly body: string;
  /** Of the values from Secrets that went into it, made with a key (FingerprintKey); '' if none did. */
  readonly inputs: string;
  /** Of the differences that Azure still showed afterwards: what it does not echo, or writes in its own way. */
  readonly knownDifference: string;
}

/** What a run has read or written so far. Effects return changes of it, and only the run applies them. */
export interface ObservedState {
  readonly live: Live;
  /** The object has the finalizer, and its ARM id, credential and owner are recorded on it. */
  readonly finalizerAdded: boolean;
  /** The object's record of the last PUT that Azure accepted. */
  readonly applied: Applied | undefined;
  /** How the object came to own its ARM id; undefined before. */
  readonly acquired: Acquisition | undefined;
  /** A generated administrator was stored in this run, to be sent in the next one. */
  readonly adminStored: boolean;
  /** This run sent a PUT or DELETE. */
  readonly wroteToAzure: boolean;
  /** Azure accepted the PUT of this run. */
  readonly putSent: boolean;
  /** The answer to that PUT. */
  readonly putAnswer: JsonObject | undefined;
  /** The hash of the applied body was recorded in this run. */
  readonly appliedRecorded: boolean;
  /** The result of `readyWhen` for `live`; undefined until it was evaluated. */
  readonly readyWhen: boolean | undefined;
  readonly exported: boolean;
  /** When an expiry in a vault is to be renewed, in milliseconds since the epoch. */
  readonly renewAt: number | undefined;
  /** The resource is gone from Azure. */
  readonly deleted: boolean;
  readonly vaultsCleared: boolean;
  readonly finalizerRemoved: boolean;
}

/** What an effect found out: members of the observed state that it replaces. */
export type ObservedChanges = Partial<ObservedState>;

/** What the pipelines decide upon besides the request: the observed state, and what follows from it now. */
export interface Observation extends ObservedState {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Earliest next poll of the operation under way. */
  readonly nextPollAt: number;
  /** The object owns its ARM id by its record. @default true */
  readonly owned?: boolean;
  /** Why the resource that `live` shows is not adopted; undefined if it is, or is the object's own. */
  readonly adoptionRefusal?: string | undefined;
  /** Values are to be exported, or to be removed from where they were exported before. */
  readonly exportsDue: boolean;
  /** Vaults have secrets of this object. */
  readonly secretsInVaults?: boolean;
}
