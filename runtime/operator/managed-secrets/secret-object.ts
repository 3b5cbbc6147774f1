import type { ManagedSecretStatus } from '../../api/machines/managed-secret.ts';
import type { ManagedSecretSpec } from '../../api/machines/managed-secret-spec.ts';
import { tryParseDuration } from '../../base/duration.ts';
import { locationKey } from '../../compute/features/features.ts';
import { certificateKeyProblems } from '../../compute/managed-secrets/certificate-keys.ts';
import type { PlannedRotation } from '../../compute/managed-secrets/plan.ts';
import type { RolloutRules } from '../../compute/managed-secrets/rollout-steps.ts';
import { certificateTimeProblems, overlapProblems, rotationProblems } from '../../compute/managed-secrets/rotation.ts';
import type { SecretOwner } from '../../compute/managed-secrets/vault-tags.ts';
import type { ComputeProblem } from '../../compute/problems/compute-problem.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** A ManagedSecret as the API server has it. Its status is never read. */
export type ManagedSecretObject = KubeObject & { spec: ManagedSecretSpec; status?: ManagedSecretStatus };

const hour = 3_600_000;
/** Milliseconds, where the spec says nothing. */
export const defaults = {
  overlap: 24 * hour,
  maxStaleness: 168 * hour,
  validity: 2160 * hour,
  bakeFor: hour / 6,
} as const;

/**
 * Milliseconds until a machine that reads at the secret endpoint has a new version: the endpoint reads the vaults once a
 * minute, and a machine asks again after ten minutes at most where the endpoint was away (docs/guides/machines-that-poll).
 * The operator does not see what these machines have, unlike those that it delivers to.
 */
const readersNeed = 900_000;

/** The identity of the object in its vaults. */
export function ownerOf({ metadata: { namespace = '', name, uid = '' } }: KubeObject): SecretOwner {
  return { namespace, name, uid };
}

/** How the value is renewed. */
export function rotationOf({ kind, rotation = {} }: ManagedSecretSpec): PlannedRotation {
  const every = spanOf(rotation.every);
  const renewBefore = spanOf(rotation.renewBefore);
  const retain = spanOf(rotation.retain);
  return {
    expires: kind === 'Certificate',
    overlap: spanOf(rotation.overlap) ?? Math.min(defaults.overlap, every ?? defaults.overlap),
    ...(every !== undefined && { every }),
    ...(renewBefore !== undefined && { renewBefore }),
    ...(retain !== undefined && { retain }),
  };
}

/** How long a certificate is to be valid, in milliseconds. */
export function validityOf({ certificate }: ManagedSecretSpec): number {
  return spanOf(certificate?.validity) ?? defaults.validity;
}

/** The greatest age of a copy that machines get, in milliseconds. */
export function maxStalenessOf({ maxStaleness }: ManagedSecretSpec): number {
  return spanOf(maxStaleness) ?? defaults.maxStaleness;
}

/** How a new version goes from region to region; undefined for one that goes everywhere at once. */
export function rolloutOf({ rollout }: ManagedSecretSpec): RolloutRules | undefined {
  if (!rollout) return undefined;
  return {
    regions: (rollout.regions ?? []).map(locationKey),
    consumers: rollout.consumers ?? [],
    canaryPercent: rollout.canaryPercent,
    bakeMs: spanOf(rollout.bakeFor) ?? defaults.bakeFor,
  };
}

/** Problems of the times and the key of a spec; the definition of the kind has checked the rest. */
export function specProblems(spec: ManagedSecretSpec): readonly ComputeProblem[] {
  const { every, renewBefore, overlap, retain = 0 } = rotationOf(spec);
  const hasReaders = (spec.consumers ?? []).length > 0;
  // A version that is retained is not disabled after its overlap.
  const consumersNeed = hasReaders && retain < readersNeed ? readersNeed : 0;
  const problems: ComputeProblem[] = [];
  if (every !== undefined) {
    const rotation = { every, overlap, ...(renewBefore !== undefined && { renewBefore }) };
    problems.push(...rotationProblems(rotation, 'spec.rotation', { consumersNeed }));
  } else {
    problems.push(...overlapProblems(overlap, 'spec.rotation.overlap', consumersNeed));
  }
  if (spec.kind === 'Certificate')
    problems.push(...certificateTimeProblems(validityOf(spec), renewBefore, 'spec.certificate'));
  const { keyType = 'RSA', keySize } = spec.certificate ?? {};
  return [...problems, ...certificateKeyProblems(keyType, keySize, 'spec.certificate.keySize')];
}

/** Milliseconds; undefined for an absent span. `0s` is zero. */
function spanOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return tryParseDuration(text) ?? 0;
}
