import { planSecret, type SecretSituation, type VaultReading } from '../../../runtime/compute/managed-secrets/plan.ts';
import type { SecretVersion } from '../../../runtime/compute/managed-secrets/vault-tags.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const start = Date.UTC(2026, 0, 1);

/** A version that is enabled. Times in milliseconds since the epoch. */
export const version = (number: number, created: number, more: Partial<SecretVersion> = {}): SecretVersion => ({
  number,
  hash: `${number}`.padStart(16, '0'),
  created,
  enabled: true,
  version: `${number}`.padStart(32, 'a'),
  ...more,
});

/** A vault with these versions, newest first. */
export const ours = (...versions: SecretVersion[]): VaultReading => ({ state: 'Ours', versions });

export const situation = (more: Partial<SecretSituation>): SecretSituation => ({
  name: 'shop/web',
  now: start,
  home: { state: 'Absent' },
  regions: new Map(),
  rotation: { expires: false, every: 30 * day, renewBefore: 5 * day, overlap: day },
  inUse: new Set(),
  ...more,
});

/** The steps of a plan in words, such as `copy 1 westeurope`. */
export const steps = (given: SecretSituation) =>
  planSecret(given).steps.map((step) =>
    step.do === 'Generate'
      ? `generate ${step.number}`
      : `${step.do.toLowerCase()} ${step.version.number} ${step.location}`,
  );
