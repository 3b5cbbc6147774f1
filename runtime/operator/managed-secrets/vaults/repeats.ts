import { secretReasons } from '../../../arm-kinds/names.ts';
import type { SecretSituation } from '../../../compute/managed-secrets/plan.ts';
import type { SecretVersion } from '../../../compute/managed-secrets/vault-tags.ts';
import type { ManagedSecretObject } from '../secret-object.ts';
import { failed, type PlaceFailure, type PlaceMemory, type PlaceReading } from './vault-readings.ts';

/**
 * Which versions may be written again as the newest of their vaults. Undefined for kinds that no delivery reads without a
 * version: the Key Vault extension reads certificates.
 */
export function repeatsOf(
  { spec }: ManagedSecretObject,
  readings: readonly PlaceReading[],
  memories: readonly PlaceMemory[],
  now: number,
): SecretSituation['mayRepeat'] {
  if (spec.kind !== 'Certificate') return undefined;
  return (location, number) => {
    const repeat = memories[readings.findIndex(({ place }) => place.location === location)]?.repeat;
    return repeat?.number !== number || repeat.retryAt <= now;
  };
}

/** Records that a version could not be written again. The vault stays readable, and machines that name versions go on. */
export function repeatFailed(memory: PlaceMemory, { number }: SecretVersion, error: unknown, now: number): void {
  const repeat = memory.repeat?.number === number ? memory.repeat : { number, failures: 0, retryAt: 0 };
  const { message } = failed(repeat, error, now);
  const text = `version ${number} could not be made the newest one, which the Key Vault extension reads: ${message}`;
  repeat.failure = { reason: secretReasons.newestDiffers, message: text.slice(0, 1024) };
  memory.repeat = repeat;
}

/** Why this version could not be written again; undefined where it was not tried. */
export function repeatFailureOf({ repeat }: PlaceMemory, version: SecretVersion | undefined): PlaceFailure | undefined {
  return repeat?.number === version?.number ? repeat?.failure : undefined;
}
