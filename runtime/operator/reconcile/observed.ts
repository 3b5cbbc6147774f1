import { armDiff } from '../../arm-kinds/body/arm-diff.ts';
import { getPath } from '../../arm-kinds/body/json-object.ts';
import type { AdminTask } from '../../arm-kinds/generated-admin-secret.ts';
import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import type { Operation } from '../../azure/types.ts';
import { canonicalJson, type JsonObject, jsonHash } from '../../base/json.ts';
import type { Json, Wait } from '../../engine/index.ts';

/** The resource as ARM showed it in this pass; undefined until somebody looked. */
export type Live =
  | {
      readonly exists: false;
      /** Azure says that what it lies in is not there either. */
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

/** What the blocks decide upon: everything about one object that is known in this pass. */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly policy: ReconcilePolicy;
  readonly waits: readonly Wait[];
  readonly claimed: boolean;
  readonly live: Live;
  /** The body to send, secrets wrapped; undefined while inputs are missing. */
  readonly body: JsonObject | undefined;
  /** The same with the fields that are left to others, where there are any: its changes are changes of the spec. */
  readonly declared?: JsonObject | undefined;
  /** Fingerprint of the secrets in it. */
  readonly inputsVersion: string;
  readonly applied: Applied | undefined;
  /** The object owns its ARM id by its record. @default true */
  readonly owned?: boolean;
  /** A PUT went out in this pass. */
  readonly sent: boolean;
  readonly settled: boolean;
  /** Why the resource that `live` shows is not taken over; undefined if it is, or is our own. */
  readonly adoptionRefusal?: string | undefined;
  /** What `readyWhen` said of `live`; undefined if it was not asked. */
  readonly readyWhen: boolean | undefined;
  /** What is to be stored of made-up credentials before anything is sent; `stored` in this pass, for the next one. */
  readonly credentials?: AdminTask | 'stored' | undefined;
  readonly exports: 'none' | 'owed' | 'done';
  /** Earliest next poll of the operation under way. */
  readonly nextPollAt: number;
  readonly deletion: DeletionFacts | undefined;
}

export interface DeletionFacts {
  /** Azure may be asked to delete: undefined if so, otherwise why not. */
  readonly leave: string | undefined;
  /** A PUT may be on its way that Azure does not show yet. */
  readonly unsure: boolean;
  readonly deleted: boolean;
  readonly released: boolean;
  /** Secrets of the object are in vaults yet. */
  readonly inVaults?: boolean;
}

/** What one effect does in the world. */
export type Effect =
  | { readonly do: 'claim' }
  | { readonly do: 'get' }
  | { readonly do: 'storeCredentials' }
  | { readonly do: 'put' }
  | { readonly do: 'poll' }
  /** `foreign`: nothing was sent for this goal yet, so the operation cannot be that of what is declared now. */
  | { readonly do: 'adopt'; readonly foreign?: boolean }
  | { readonly do: 'settle' }
  /** Records that the resource in Azure is this object's from here on; nothing is compared with what is declared. */
  | { readonly do: 'recordAdoption' }
  /** The PUT that was accepted led to nothing: it is over, and to be sent again later. */
  | { readonly do: 'giveUp' }
  /** The resource cannot be worked on now; the message says why, and it is read again later. */
  | { readonly do: 'reportAbsent' }
  | { readonly do: 'waitForDeletion' }
  | { readonly do: 'waitForOwnerInAzure' }
  | { readonly do: 'askReady' }
  | { readonly do: 'export' }
  | { readonly do: 'delete' }
  | { readonly do: 'clearVaults' }
  | { readonly do: 'release' };

/** What `submit` and `delete` keep in the journal. Volatile parts of an operation stay in memory. */
export interface OperationMemo {
  readonly operation: Omit<Operation, 'nextPollAt' | 'state' | 'pollFailures'>;
  readonly correlationId: string;
  /** Somebody else's: its end says nothing about our goal. */
  readonly foreign?: boolean;
}

export function operationMemo(operation: Operation, correlationId: string, foreign = false): Json {
  const { nextPollAt: _, state: __, pollFailures: ___, ...durable } = operation;
  return { operation: durable, correlationId, ...(foreign && { foreign }) } as unknown as Json;
}

export function provisioningState(body: unknown): string | undefined {
  const state = getPath(body, 'properties.provisioningState') ?? getPath(body, 'provisioningState');
  return typeof state === 'string' ? state : undefined;
}

const endings = ['succeeded', 'failed', 'canceled', 'cancelled'];
const moving =
  /^(creating|updating|deleting|accepted|provisioning|pending|registeringdns|resolvingdns|running|inprogress|activating|upgrading|scaling|joining|restoring|waiting)$/;

/** A known word for a change under way; kinds use many others for states at rest. */
export function isMoving(body: unknown): boolean {
  return moving.test(provisioningState(body)?.toLowerCase() ?? '');
}

/** Somebody deletes it, so that what it has now says nothing about what will be there. */
export function isBeingDeleted(body: unknown): boolean {
  return /^(deleting|deprovisioning)$/i.test(provisioningState(body) ?? '');
}

export function hasFailed(body: unknown): boolean {
  return endings.indexOf(provisioningState(body)?.toLowerCase() ?? '') > 0;
}

export function bodyFingerprint(body: JsonObject | undefined): string {
  return jsonHash(body);
}

export function knownDifferenceOf(body: JsonObject | undefined, live: JsonObject): string {
  const differences = armDiff(body, live);
  return differences.length === 0 ? '' : jsonHash(canonicalJson(differences));
}

/**
 * Whether a PUT is needed: the resource is missing or broken, a secret input has a new value, another body was sent
 * last (what was taken out of it shows in no difference), or a declared field differs in another way than it did then.
 */
export function needsPut({ live, body, declared = body, applied, inputsVersion }: Facts): boolean {
  if (!live?.exists || hasFailed(live.body)) return true;
  if (hasSecrets(body) && applied?.inputs !== inputsVersion) return true;
  if (applied && applied.body !== bodyFingerprint(declared)) return true;
  if (live.hidden) return applied === undefined;
  const knownDifference = knownDifferenceOf(body, live.body);
  return knownDifference !== '' && knownDifference !== applied?.knownDifference;
}

/** What `submit` keeps of a PUT that is about to be sent. */
export interface PutMemo {
  /** Fingerprint of the body, with the fields that are left to others. */
  readonly body: string;
  /** Of the values from Secrets in it, as in `Applied`. */
  readonly inputs: string;
  /** Azure does not show it yet. */
  readonly differs: boolean;
}

export function putMemo(facts: Facts): PutMemo {
  const { body, live } = facts;
  return { ...fingerprintsOf(facts), differs: !live?.exists || knownDifferenceOf(body, live.body) !== '' };
}

/**
 * Whether what was announced is what is declared now. The mark of a PUT that was cut off outlives its goal: the spec, or
 * a password in a Secret, may have changed since.
 */
export function isStillWanted(facts: Facts, memo: PutMemo | undefined): boolean {
  const { body, inputs } = fingerprintsOf(facts);
  return memo?.body === body && memo.inputs === inputs;
}

/** Whether Azure shows what it did not show when this very body was announced: the PUT was not lost, only its answer. */
export function hasArrived(facts: Facts, memo: PutMemo | undefined): boolean {
  const { body, live } = facts;
  if (!memo?.differs || !live?.exists || hasFailed(live.body)) return false;
  return isStillWanted(facts, memo) && knownDifferenceOf(body, live.body) === '';
}

function fingerprintsOf({ body, declared = body, inputsVersion }: Facts): Pick<PutMemo, 'body' | 'inputs'> {
  return { body: bodyFingerprint(declared), inputs: hasSecrets(body) ? inputsVersion : '' };
}

export function formatApplied({ body, inputs, knownDifference }: Applied): string {
  return [body, inputs, knownDifference].join('.');
}

export function parseApplied(text: string | undefined): Applied | undefined {
  const [body, inputs, knownDifference] = text?.split('.') ?? [];
  return body === undefined || inputs === undefined || knownDifference === undefined
    ? undefined
    : { body, inputs, knownDifference };
}
