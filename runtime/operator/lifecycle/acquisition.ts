import { annotations } from '../../arm-kinds/names.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { AdoptPolicy } from './adoption.ts';

/**
 * How an object came to own its ARM id: a PUT is about to be sent and its answer is not known yet, Azure accepted a write,
 * or the operator adopted what was there.
 */
export type AcquiredBy = 'announced' | 'written' | 'adopted';

/** Whose credential it was: the operator's own, one that the namespace brought, or one of another cloud than the operator's. */
export type CredentialOf = 'operator' | 'namespace' | 'other-cloud';

const credentialsOf: readonly string[] = ['operator', 'namespace', 'other-cloud'] satisfies CredentialOf[];

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
  if (credentialOf === undefined || !credentialsOf.includes(credentialOf)) return undefined;
  return { by, credentialOf: credentialOf as CredentialOf, at: Date.parse(time) };
}

/**
 * Whether what was acquired counts for this credential. What the namespace's own credential wrote proves nothing to the
 * operator's, and what another cloud accepted proves nothing to this one.
 */
export function countsFor({ credentialOf: made }: Acquisition, now: CredentialOf): boolean {
  if (made === 'other-cloud' || now === 'other-cloud') return made === now;
  return made === 'operator' || now === 'namespace';
}

/**
 * Whether the object owns its ARM id for what is done with this credential. An unanswered PUT counts for an hour, and
 * longer only where the policy lets the object take over the resource anyway.
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

function isRecent({ at }: Acquisition, time: number): boolean {
  return time - at < announcedMs;
}
