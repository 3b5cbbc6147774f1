import type { ManagedSecretStatus } from '../../../api/machines/managed-secret.ts';
import { reasons } from '../../../arm-kinds/names.ts';
import { home, type SecretPlan } from '../../../compute/managed-secrets/plan.ts';
import type { SecretVersion } from '../../../compute/managed-secrets/vault-tags.ts';
import type { Readiness } from '../../objects/conditions.ts';
import type { RolloutRound } from '../rollouts/rollout-memory.ts';
import { type Copy, foreignText, versionsOf } from '../secret-situation.ts';
import type { OpenVault } from '../vaults/vault-places.ts';
import type { PlaceReading, Retry } from '../vaults/vault-readings.ts';
import { type SucceededInput, succeeded, unavailable } from './pinned-version.ts';
import { rolloutReadiness, rolloutStatus } from './rollout-report.ts';
import { secretSeverity } from './secret-severity.ts';
import { timestamp } from './timestamp.ts';

/** The newest versions that the status lists. */
const shownVersions = 10;
const minute = 60_000;
const hour = 60 * minute;

/** A vault with the state of its copy. */
export interface ReportedCopy {
  readonly reading: PlaceReading;
  readonly copy: Copy;
  /** The same for the version that the whole region has, where a rollout is there. */
  readonly served: Copy;
  /** The vault as it was opened last, where this run could not. */
  readonly lastOpen: OpenVault | undefined;
  /** ARM id of the vault, where it is known. */
  readonly vaultId: string | undefined;
  /** URL of the secret without version, where it is known. */
  readonly secretUrl: string | undefined;
}

/** The members of the status: numbers, times and hashes. */
export function statusOf(
  plan: SecretPlan,
  { current, rollout }: { readonly current: SecretVersion | undefined; readonly rollout: RolloutRound | undefined },
  copies: readonly ReportedCopy[],
): Omit<ManagedSecretStatus, 'conditions'> {
  const atHome = copies.find(({ reading }) => reading.place.location === home);
  const versions = versionsOf(atHome?.reading.reading).slice(0, shownVersions);
  return {
    ...(current && { version: current.number }),
    ...(versions.length > 0 && { versions: versions.map((version) => shownVersion(version, current)) }),
    ...(copies.length > 0 && { copies: copies.map(shownCopy) }),
    ...(rollout && { rollout: rolloutStatus(rollout) ?? {} }),
    ...(plan.nextRenewal !== undefined && { nextRenewal: timestamp(plan.nextRenewal) }),
  };
}

/** A version as the status shows it. */
export function shownVersion(version: SecretVersion, current: SecretVersion | undefined) {
  const { number, hash, created, expires, enabled } = version;
  const state = enabled ? stateOf(number, current?.number) : 'Disabled';
  const end = expires === undefined ? {} : { expires: timestamp(expires) };
  return { number, hash, created: timestamp(created), ...end, state } as const;
}

function stateOf(number: number, current: number | undefined) {
  if (number === current) return 'Current';
  return current !== undefined && number > current ? 'Waiting' : 'Previous';
}

function shownCopy({ reading, copy, vaultId, secretUrl }: ReportedCopy) {
  const { state, version, age, syncedAt, message } = copy;
  return {
    location: reading.place.location,
    state,
    ...(vaultId !== undefined && { vaultId }),
    ...(version && { version: version.number }),
    ...(version && secretUrl !== undefined && { secretId: `${secretUrl}/${version.version}` }),
    // Only while it says something: a status that changes in each run is a write in each run.
    ...(state !== 'Current' && age !== undefined && { age: roughly(age) }),
    ...(state !== 'Current' && syncedAt !== undefined && { syncedAt: timestamp(syncedAt) }),
    ...(state !== 'Current' && message !== undefined && { message }),
  };
}

/** The input of the Ready condition. */
export interface ReadinessInput extends SucceededInput {
  readonly plan: Pick<SecretPlan, 'pinProblem' | 'pausedRenewal' | 'newest'>;
  readonly current: SecretVersion | undefined;
  readonly copies: readonly ReportedCopy[];
  readonly conflicts: readonly [location: string, owner: string][];
  readonly rollout: RolloutRound | undefined;
  /** A new version that is being made, or that could not be; undefined if none is due. */
  readonly renewal: Retry | undefined;
}

/** The Ready condition: the home vault first, then the regions. */
export function readinessOf(input: ReadinessInput): Readiness {
  const { current, plan, copies, conflicts, renewal } = input;
  const [conflict] = conflicts;
  if (conflict) {
    const message = `In ${placeText(conflict[0])} ${foreignText(conflict[1])}`;
    return { severity: secretSeverity('NameTaken'), reason: 'NameTaken', message };
  }
  const atHome = copies.find(({ reading }) => reading.place.location === home);
  if (atHome && (atHome.reading.reading.state === 'Unreachable' || atHome.copy.message !== undefined)) {
    const reason = atHome.reading.reason ?? 'CopyStale';
    return { severity: secretSeverity(reason), reason, message: atHome.copy.message ?? '' };
  }
  if (renewal?.failure) return { severity: secretSeverity(renewal.failure.reason), ...renewal.failure };
  const pin = unavailable(plan);
  if (pin) return pin;
  if (renewal || !current) {
    return { severity: 'Info', reason: reasons.reconciling, message: 'The home vault makes a new version' };
  }
  const rolling = input.rollout && rolloutReadiness(input.rollout);
  if (rolling && rolling.severity !== 'Info') return rolling;
  const behind = copies.filter(({ copy }) => copy.state !== 'Current');
  const [first] = behind;
  if (!first) return refusedReimport(copies) ?? rolling ?? succeeded(input);
  const more = behind.length > 1 ? ` (and ${behind.length - 1} more)` : '';
  const message = `In ${placeText(first.reading.place.location)}${more}: ${first.copy.message ?? 'the copy is being made'}`;
  const reason = first.reading.reason === 'VaultUnreachable' ? 'CopyStale' : (first.reading.reason ?? 'CopyStale');
  return { severity: secretSeverity(reason), reason, message };
}

function refusedReimport(copies: ReadinessInput['copies']): Readiness | undefined {
  for (const { reading, copy } of copies) {
    if (!copy.reimportFailure) continue;
    const { reason, message } = copy.reimportFailure;
    return { severity: secretSeverity(reason), reason, message: `In ${placeText(reading.place.location)} ${message}` };
  }
  return undefined;
}

function placeText(location: string): string {
  return location === home ? 'the home vault' : location.replace(' vmaccess', ' (VMAccess)');
}

/** An age in hours, or in tens of minutes: no finer, so that the status seldom changes. */
function roughly(age: number): string {
  return age < hour ? `${Math.floor(age / minute / 10) * 10}m` : `${Math.floor(age / hour)}h`;
}
