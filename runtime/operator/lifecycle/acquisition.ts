import { annotations } from '../../arm-kinds/names.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { AdoptPolicy } from './adoption.ts';

/**
 * How an object came to own its ARM id: a PUT is about to be sent and its answer is not known yet, Azure accepted a write,
 * or the operator adopted what was there.
 */
export type AcquiredBy = 'announced' | 'written' | 'adopted';

/** Whose credential it was: the operator's own, or one that the namespace brought. */
export type CredentialOf = 'operator' | 'namespace';

/** The proof that an ARM id belongs to an object; signed with the rest of the record. */
export interface Acquisition {
  readonly by: AcquiredBy;
  readonly credentialOf: CredentialOf;
  /** When the PUT was announced, in milliseconds since the epoch. */
  readonly at: number;
}

/** A PUT without an answer proves ownership this long: after that, somebody else may have made the resource. */
const announcedMs = 3_600_000;

/** Text of the annotation. */
export function formatAcquisition({ by, credentialOf, at }: Acquisition): string {
  return [by, credentialOf, new Date(at).toISOString()].join(' ');
}

/** The acquisition in an authenticated object; undefined where it owns no ARM id. */
export function acquisitionOf({ metadata }: Pick<KubeObject, 'metadata'>): Acquisition | undefined {
  const [by, credentialOf, time = ''] = metadata.annotations?.[annotations.acquired]?.split(' ') ?? [];
  if (by !== 'announced' && by !== 'written' && by !== 'adopted') return undefined;
  if (credentialOf !== 'operator' && credentialOf !== 'namespace') return undefined;
  return { by, credentialOf, at: Date.parse(time) };
}

/**
 * Whether the object owns its ARM id for what is done with this credential. A write that the namespace's own credential
 * made proves nothing to the operator's: whoever brings a credential may bring the Azure that accepts it. An unanswered
 * PUT counts for an hour, and longer only where the policy lets the object take over the resource anyway.
 */
export function ownsArmId(
  acquired: Acquisition | undefined,
  now: { readonly credentialOf: CredentialOf; readonly adopt: AdoptPolicy; readonly time: number },
): boolean {
  if (!acquired) return false;
  if (acquired.credentialOf === 'namespace' && now.credentialOf === 'operator') return false;
  return acquired.by !== 'announced' || now.adopt === 'always' || isRecent(acquired, now.time);
}

/** Whether the object keeps others from using its ARM id. */
export function holdsArmId(object: KubeObject, time: number): boolean {
  const acquired = acquisitionOf(object);
  return acquired !== undefined && (acquired.by !== 'announced' || isRecent(acquired, time));
}

function isRecent({ at }: Acquisition, time: number): boolean {
  return time - at < announcedMs;
}
