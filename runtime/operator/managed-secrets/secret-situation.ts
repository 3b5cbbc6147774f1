import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { locationKey } from '../../compute/features/features.ts';
import { copyState } from '../../compute/managed-secrets/copy-state.ts';
import {
  conflicts as foreignVaults,
  home,
  type PlannedRollout,
  planSecret,
  type SecretPlan,
  type SecretSituation,
  type SecretStep,
  type VaultReading,
} from '../../compute/managed-secrets/plan.ts';
import { numberInVault, numbersOf, type RolloutState } from '../../compute/managed-secrets/rollout-state.ts';
import type { SecretVersion } from '../../compute/managed-secrets/vault-tags.ts';
import { versionUpTo } from '../../compute/managed-secrets/version-in-use.ts';
import { type ManagedSecretObject, maxStalenessOf, rotationOf } from './secret-object.ts';
import { reimportFailureOf } from './vaults/reimports.ts';
import type { SecretPart } from './vaults/secret-steps.ts';
import type { PlaceFailure, PlaceMemory, PlaceReading } from './vaults/vault-readings.ts';

/** A step with the vault that it is about. */
export interface PlacedStep {
  readonly step: SecretStep;
  readonly target: PlaceReading;
  readonly part: SecretPart;
}

/** The plan of a run, its next steps, and its conflicts with secrets of others. */
export interface Situation {
  readonly plan: SecretPlan;
  readonly steps: readonly PlacedStep[];
  /** Location and owner of secrets that belong to others. */
  readonly conflicts: readonly [location: string, owner: string][];
}

/** The input of a plan beside the vaults. */
export interface SituationInput {
  readonly object: ManagedSecretObject;
  readonly now: number;
  /** Undefined while it is not known: nothing is disabled then. */
  readonly inUse: ReadonlySet<number> | undefined;
  readonly renewNow: boolean;
  /** Undefined where versions go everywhere at once. */
  readonly rollout?: RolloutState | undefined;
  /** False while a new version is being made or waits for its next try. */
  readonly mayGenerate: boolean;
  /** The state of the rollout could not be read: no vault is written. @default false */
  readonly isRolloutUnread?: boolean;
  readonly mayReimport?: SecretSituation['mayReimport'];
}

const accessSuffix = ' vmaccess';
const accessKey = (location: string) => `${location}${accessSuffix}`;

/** Decides the steps from the content of the vaults. A region that names the home vault has no copy of its own. */
export function situationOf(readings: readonly PlaceReading[], input: SituationInput): Situation {
  const { object, now, inUse, renewNow, mayGenerate, rollout, isRolloutUnread, mayReimport } = input;
  const atHome = readings.find(({ place }) => place.location === home);
  const targets = new Map<string, { readonly target: PlaceReading; readonly part: SecretPart }>();
  const regions = new Map<string, VaultReading>();
  for (const target of readings) {
    const { location } = target.place;
    if (location !== home && isHome(target, atHome)) continue;
    targets.set(location, { target, part: 'value' });
    if (location !== home) regions.set(location, target.reading);
    if (!target.access) continue;
    targets.set(accessKey(location), { target, part: 'vmAccess' });
    regions.set(accessKey(location), target.access);
  }
  const { namespace = '', name } = object.metadata;
  const situation: SecretSituation = {
    name: `${namespace}/${name}`,
    now,
    home: atHome?.reading ?? { state: 'Unreachable', message: '' },
    regions,
    rotation: rotationOf(object.spec),
    pinned: object.spec.pinnedVersion,
    rollout: rollout && plannedRollout(rollout),
    inUse: inUse ?? new Set(),
    renewNow,
    mayGenerate,
    mayReimport,
  };
  const plan = planSecret(situation);
  const steps = (isRolloutUnread ? [] : plan.steps).flatMap((step): PlacedStep[] => {
    if (step.do === 'Disable' && inUse === undefined) return [];
    const target = targets.get(step.do === 'Generate' ? home : step.location);
    return target ? [{ step, ...target }] : [];
  });
  return { plan, steps, conflicts: foreignVaults(situation) };
}

function plannedRollout(state: RolloutState): PlannedRollout {
  const numberAt = (location: string) => numberInVault(state, placeOf(location.replace(accessSuffix, ''), state));
  return { numberAt, numbers: numbersOf(state), at: state.at };
}

/** The region of a vault in a rollout. */
export function placeOf(location: string, { home: homeLocation }: Pick<RolloutState, 'home'>): string {
  return location === home ? homeLocation : locationKey(location);
}

/** Whether a region's vault is the home vault. */
export function isHome({ open }: PlaceReading, atHome: PlaceReading | undefined): boolean {
  return open !== undefined && atHome?.open !== undefined && sameResourceId(open.armId, atHome.open.armId);
}

/** The copy in one vault as the status and machines see it. */
export interface Copy {
  readonly state: 'Current' | 'Stale' | 'Expired';
  /** The version that the region serves, as it was read last. */
  readonly version: SecretVersion | undefined;
  /** The same version of the protected settings. */
  readonly access: SecretVersion | undefined;
  /** Number of the version that a reader without a version gets; undefined where it is disabled or unknown. */
  readonly latest: number | undefined;
  /** Why the version could not be made the newest one of its vault. */
  readonly reimportFailure: PlaceFailure | undefined;
  /** Milliseconds since the copy was last in sync. */
  readonly age: number | undefined;
  readonly syncedAt: number | undefined;
  readonly message: string | undefined;
}

/** How the copy in a vault stands. Remembers when it was in sync. */
export function copyOf(
  reading: PlaceReading,
  memory: PlaceMemory,
  current: SecretVersion | undefined,
  object: ManagedSecretObject,
  now: number,
): Copy {
  const maxStaleness = maxStalenessOf(object.spec);
  const copy = copyState(reading.reading, current, {
    now,
    syncedAt: memory.syncedAt,
    maxStaleness,
    pinned: object.spec.pinnedVersion,
  });
  if (copy.state === 'Current') memory.syncedAt = now;
  const version =
    copy.version ?? versionUpTo(versionsOf(memory.last?.main), current?.number ?? object.spec.pinnedVersion);
  const access =
    version &&
    versionsOf(memory.last?.access).find(({ number, hash }) => number === version.number && hash === version.hash);
  const latest = memory.last?.main.state === 'Ours' ? memory.last.main.latest : undefined;
  return {
    state: copy.state,
    version,
    access,
    latest,
    reimportFailure: version?.number === latest ? undefined : reimportFailureOf(memory, version),
    age: copy.age,
    syncedAt: memory.syncedAt,
    message: messageOf(reading, memory),
  };
}

function messageOf({ reading }: PlaceReading, { failure }: PlaceMemory): string | undefined {
  if (reading.state === 'Unreachable') return reading.message;
  if (reading.state === 'Foreign') return foreignText(reading.owner ?? '');
  return failure?.message;
}

/** Text of a conflict: whose the secret is, and how to end it. */
export function foreignText(owner: string): string {
  const whose = owner === '' ? 'nobody that Azimuth knows' : owner.slice(0, 512);
  return `the secret of that name belongs to ${whose}: set another spec.vaultSecretName, or remove the secret`;
}

/** The versions of an observation, newest number first. */
export function versionsOf(observation: VaultReading | undefined): readonly SecretVersion[] {
  return observation?.state === 'Ours' ? observation.versions : [];
}
