import { secretReasons } from '../../../arm-kinds/names.ts';
import { backoff } from '../../../base/backoff.ts';
import type { SecretSituation } from '../../../compute/managed-secrets/plan.ts';
import type { SecretVersion } from '../../../compute/managed-secrets/vault-tags.ts';
import type { ManagedSecretObject } from '../secret-object.ts';
import { failed, type PlaceFailure, type PlaceMemory, type PlaceReading } from './vault-readings.ts';

/** Longest time between two imports of one version, milliseconds. */
const longestWaitMs = 3_600_000;

/**
 * Which versions may be imported again as the newest of their vaults. Undefined for kinds that no delivery reads without a
 * version: the Key Vault extension reads certificates.
 */
export function mayReimportOf(
  { spec }: ManagedSecretObject,
  readings: readonly PlaceReading[],
  memories: readonly PlaceMemory[],
  now: number,
): SecretSituation['mayReimport'] {
  if (spec.kind !== 'Certificate') return undefined;
  return (location, number) => {
    const reimport = memories[readings.findIndex(({ place }) => place.location === location)]?.reimport;
    return reimport?.number !== number || reimport.retryAt <= now;
  };
}

/**
 * Records that a version was imported again. The next import of it waits, as after a failure: a list may lag behind, and
 * another writer may make another version the newest one again and again.
 */
export function reimported(memory: PlaceMemory, { number }: SecretVersion, now: number): void {
  const isRecent = memory.reimport?.number === number && now - memory.reimport.retryAt < longestWaitMs;
  const times = isRecent ? (memory.reimport?.failures ?? 0) : 0;
  const retryAt = now + backoff(times, { initialMs: 5000, maxMs: longestWaitMs });
  memory.reimport = { number, failures: times + 1, retryAt };
}

/** Records that a version could not be imported again. The vault stays readable, and machines that name versions go on. */
export function reimportFailed(memory: PlaceMemory, { number }: SecretVersion, error: unknown, now: number): void {
  const reimport = memory.reimport?.number === number ? memory.reimport : { number, failures: 0, retryAt: 0 };
  const { message } = failed(reimport, error, now);
  const text = `version ${number} could not be imported again, so the Key Vault extension reads another version: ${message}`;
  reimport.failure = { reason: secretReasons.newestDiffers, message: text.slice(0, 1024) };
  memory.reimport = reimport;
}

/** Why this version could not be imported again; undefined where it was not tried. */
export function reimportFailureOf(
  { reimport }: PlaceMemory,
  version: SecretVersion | undefined,
): PlaceFailure | undefined {
  return reimport?.number === version?.number ? reimport?.failure : undefined;
}
