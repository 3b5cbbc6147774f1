import { annotations } from '../../arm-kinds/names.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { AdoptPolicy } from './adoption.ts';

/**
 * How an object came to own its ARM id: the operator is about to send a PUT and does not know its answer yet, Azure
 * accepted a write, or the operator adopted an existing resource.
 */
export type AcquiredBy = 'announced' | 'written' | 'adopted';

/**
 * The credential of the write: the operator's own, one from the namespace, or one of another cloud than the
 * operator's.
 */
export type CredentialOf = 'operator' | 'namespace' | 'other-cloud';

const credentialsOf: readonly string[] = ['operator', 'namespace', 'other-cloud'] satisfies CredentialOf[];

/** The proof that an ARM id belongs to an object; signed with the rest of the record. */
export interface Acquisition {
  readonly by: AcquiredBy;
  readonly credentialOf: CredentialOf;
  /** When the operator announced the PUT, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A PUT without an answer proves ownership this long, in milliseconds: later, somebody else may have created the
 * resource.
 */
const announcedMs = 3_600_000;

/** Formats the acquisition as the text of the annotation. */
export function formatAcquisition({ by, credentialOf, at }: Acquisition): string {
  return [by, credentialOf, new Date(at).toISOString()].join(' ');
}

/** The acquisition in an authenticated object; undefined where the object owns no ARM id. */
export function acquisitionOf({ metadata }: Pick<KubeObject, 'metadata'>): Acquisition | undefined {
  const [by, credentialOf, time = ''] = metadata.annotations?.[annotations.acquired]?.split(' ') ?? [];
  if (by !== 'announced' && by !== 'written' && by !== 'adopted') return undefined;
  if (credentialOf === undefined || !credentialsOf.includes(credentialOf)) return undefined;
  return { by, credentialOf: credentialOf as CredentialOf, at: Date.parse(time) };
}

/**
 * Whether the acquisition is valid for this credential. A write with the namespace's credential proves nothing to the
 * operator's, and a write that another cloud accepted proves nothing to this cloud.
 */
export function countsFor({ credentialOf: made }: Acquisition, now: CredentialOf): boolean {
  if (made === 'other-cloud' || now === 'other-cloud') return made === now;
  return made === 'operator' || now === 'namespace';
}

/** Why a deletion keeps a resource whose acquisition is not valid for the present credential. */
export const lostCredential =
  'it was made with a credential of the namespace or of another cloud, which is not there any more';

/**
 * Whether the object owns its ARM id for requests with this credential. An unanswered PUT is valid for an hour; it is
 * valid for longer only where the policy allows the object to adopt the resource anyway.
 */
export function ownsArmId(
  acquired: Acquisition | undefined,
  now: { readonly credentialOf: CredentialOf; readonly adopt: AdoptPolicy; readonly time: number },
): boolean {
  if (!acquired || !countsFor(acquired, now.credentialOf)) return false;
  return acquired.by !== 'announced' || now.adopt === 'always' || isRecent(acquired, now.time);
}

/** Whether the object keeps others from using its ARM id. In another cloud, the same id is another resource. */
export function holdsArmId(object: KubeObject, time: number): boolean {
  const acquired = acquisitionOf(object);
  if (!acquired || acquired.credentialOf === 'other-cloud') return false;
  return acquired.by !== 'announced' || isRecent(acquired, time);
}

/** Whether the object owns its ARM id for less than an hour; `time` in milliseconds since the epoch. */
export function isRecent({ at }: Acquisition, time: number): boolean {
  return time - at < announcedMs;
}
