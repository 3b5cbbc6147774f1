/**
 * The next steps of a ManagedSecret, decided from the content of its vaults alone (docs/adr/0031). Pure: times are
 * milliseconds since the epoch and come in.
 */
import { leastLifetime, nextRenewal, nextRotation, type Rotation } from './rotation.ts';
import type { SecretVersion, VaultObservation } from './vault-tags.ts';
import { pinProblem, versionInUse } from './version-in-use.ts';

/** The location of the home vault in the results of a plan. */
export const home = 'home';

/** The observation of a vault, or why it could not be read. */
export type VaultReading = VaultObservation | { readonly state: 'Unreachable'; readonly message: string };

/** All that a plan depends on. */
export interface SecretSituation {
  /** Stable jitter comes from this: namespace and name of the object. */
  readonly name: string;
  readonly now: number;
  readonly home: VaultReading;
  /** By location. */
  readonly regions: ReadonlyMap<string, VaultReading>;
  readonly rotation: PlannedRotation;
  /** Number of the version that is in use in place of the newest. Renewal waits for the end of the pin. */
  readonly pinned?: number | undefined;
  /** How far the version is that goes from region to region; undefined where versions go everywhere at once. */
  readonly rollout?: PlannedRollout | undefined;
  /**
   * Whether a version may be imported again as the newest one of its vault; undefined where every reader names a version.
   */
  readonly mayReimport?: ((location: string, number: number) => boolean) | undefined;
  /** Numbers that a model or an instance of a machine still names. */
  readonly inUse: ReadonlySet<number>;
  /** A new version is wanted although the time has not come: a person asked, or the CA of a leaf was renewed. */
  readonly renewNow?: boolean;
  /** False while a new version is being made or waits for its next try: everything else goes on. @default true */
  readonly mayGenerate?: boolean;
}

/** The part of a rollout that a plan depends on. */
export interface PlannedRollout {
  /** Number of the version that the vault of a location needs. */
  readonly numberAt: (location: string) => number | undefined;
  /** Numbers that a region still has or gets. */
  readonly numbers: ReadonlySet<number>;
  /** When the rollout changed last. */
  readonly at: number;
}

/** When a value is renewed. */
export interface PlannedRotation extends Partial<Rotation> {
  /** The value ends by itself, as a certificate does; its `expires` decides. */
  readonly expires: boolean;
  readonly overlap: number;
  /** How long a former version stays enabled for a revert. @default overlap */
  readonly retain?: number;
}

/** The next steps of one run; those of different vaults run side by side. */
export type SecretStep =
  /** Generate a value and write it to the home vault under this number. */
  | { readonly do: 'Generate'; readonly number: number }
  /** Read this version from the home vault and write it to a region. */
  | { readonly do: 'Copy'; readonly location: string; readonly version: SecretVersion }
  /** Import this version of a vault again, for readers that get the newest one there. */
  | { readonly do: 'Reimport'; readonly location: string; readonly version: SecretVersion }
  | { readonly do: 'Disable'; readonly location: string; readonly version: SecretVersion };

/** The steps, and when to decide again. */
export interface SecretPlan {
  readonly steps: readonly SecretStep[];
  /** Undefined where the value is never renewed, and while a version is pinned. */
  readonly nextRenewal: number | undefined;
  /** When the renewal was or will be due that waits for the end of a pin. */
  readonly pausedRenewal?: number | undefined;
  /** When the oldest version may be disabled; undefined if none waits for its overlap. */
  readonly nextDisable: number | undefined;
  /** The newest version of the home vault that is enabled. */
  readonly newest: SecretVersion | undefined;
  /** The current version: the pinned one, or the newest. */
  readonly current: SecretVersion | undefined;
  /** Why the pinned version cannot be used. */
  readonly pinProblem?: string | undefined;
}

/** Vaults that belong to others: the operator writes nothing into them, and the condition names them. */
export function conflicts(situation: Pick<SecretSituation, 'home' | 'regions'>): [location: string, owner: string][] {
  const readings = [[home, situation.home] as const, ...situation.regions];
  return readings.flatMap(([location, reading]) =>
    reading.state === 'Foreign' ? [[location, reading.owner ?? ''] as [string, string]] : [],
  );
}

/**
 * The plan of one run. Without the home vault nothing is generated and nothing is disabled, and regions keep their
 * versions. A due renewal is done once, however long nobody ran.
 */
export function planSecret(situation: SecretSituation): SecretPlan {
  const versions = versionsOf(situation.home);
  if (versions === undefined) return idle;
  const { pinned, mayGenerate = true } = situation;
  const newest = versionInUse(versions, undefined);
  const current = versionInUse(versions, pinned);
  // A pin asks for no version, but for an object that never had one.
  const lacksVersion = pinned === undefined ? newest === undefined : versions.length === 0;
  const due = mayGenerate && (lacksVersion || isDue(situation, newest));
  const steps: SecretStep[] = due ? [{ do: 'Generate', number: (versions[0]?.number ?? 0) + 1 }] : [];
  const plan = {
    ...idle,
    newest,
    current,
    pinProblem: pinProblem(versions, pinned),
    ...renewals(situation, current, newest),
  };
  if (due || !current) return { ...plan, steps };
  for (const [location, reading] of [[home, situation.home] as const, ...situation.regions]) {
    const version = versionAt(situation, location, current);
    if (version) steps.push(...writesTo(situation, location, reading, version));
  }
  const { disable, nextDisable } = retired(situation, current);
  return { ...plan, steps: [...steps, ...disable], nextDisable };
}

const idle: SecretPlan = {
  steps: [],
  nextRenewal: undefined,
  nextDisable: undefined,
  newest: undefined,
  current: undefined,
};

function isDue({ name, now, rotation, renewNow, pinned }: SecretSituation, newest: SecretVersion | undefined): boolean {
  if (!newest) return false;
  if (renewNow === true) return true;
  const renewal = renewalOf(newest, name, rotation);
  return pinned === undefined && renewal !== undefined && renewal <= now;
}

/** A pinned certificate is due before its own end; every other value when the newest one would be. */
function renewals(
  { name, rotation, pinned }: SecretSituation,
  current: SecretVersion | undefined,
  newest: SecretVersion | undefined,
): Pick<SecretPlan, 'nextRenewal' | 'pausedRenewal'> {
  const version = rotation.expires ? (current ?? newest) : newest;
  const renewal = version && renewalOf(version, name, rotation);
  return pinned === undefined ? { nextRenewal: renewal } : { nextRenewal: undefined, pausedRenewal: renewal };
}

/** The versions of a reading, newest number first; undefined where they are not known or belong to others. */
export function versionsOf(reading: VaultReading): readonly SecretVersion[] | undefined {
  if (reading.state === 'Absent') return [];
  return reading.state === 'Ours' ? reading.versions : undefined;
}

function renewalOf(current: SecretVersion, name: string, rotation: PlannedRotation): number | undefined {
  const { every, renewBefore } = rotation;
  const before = renewBefore === undefined ? {} : { renewBefore };
  const byAge = every === undefined ? undefined : nextRotation(current.created, { every, ...before }, name);
  if (!rotation.expires || current.expires === undefined) return byAge;
  const { created, expires } = current;
  // Reissuing cannot outlive the CA: without this bound, each certificate would follow sooner than the one before.
  const byEnd = Math.max(nextRenewal({ notBefore: created, notAfter: expires }, name, before), created + leastLifetime);
  return Math.min(byEnd, byAge ?? byEnd);
}

/** The version that the vault of a location needs; undefined where the home vault has it no more. */
function versionAt(
  { rollout, home: atHome }: SecretSituation,
  location: string,
  current: SecretVersion,
): SecretVersion | undefined {
  const number = rollout?.numberAt(location) ?? current.number;
  return versionsOf(atHome)?.find((each) => each.enabled && each.number === number);
}

/** A copy is missing, its value is not that of the home vault, or another version is the newest one of the vault. */
function writesTo(
  { mayReimport }: SecretSituation,
  location: string,
  reading: VaultReading,
  version: SecretVersion,
): SecretStep[] {
  const versions = versionsOf(reading);
  if (versions === undefined) return [];
  const copy = versions.find(({ number }) => number === version.number);
  if (copy?.hash !== version.hash || !copy.enabled) return [{ do: 'Copy', location, version }];
  const isDue = latestIn(reading) !== copy.number && mayReimport?.(location, copy.number) === true;
  return isDue ? [{ do: 'Reimport', location, version: copy }] : [];
}

function latestIn(reading: VaultReading): number | undefined {
  return reading.state === 'Ours' ? reading.latest : undefined;
}

/** Older versions to disable: overlap and `retain` are over, every region has the current one, and no machine names them. */
function retired(
  situation: SecretSituation,
  current: SecretVersion,
): { disable: SecretStep[]; nextDisable: number | undefined } {
  const { now, rotation, home: atHome, regions, inUse, rollout, mayReimport } = situation;
  const readings = [[home, atHome] as const, ...regions];
  // A region without the current version still serves the one before.
  const everywhere = readings.every(([location, reading]) => {
    const needed = location === home ? current : versionAt(situation, location, current);
    return versionsOf(reading)?.some(({ number }) => number === needed?.number);
  });
  if (!everywhere) return { disable: [], nextDisable: undefined };
  const disable: SecretStep[] = [];
  let nextDisable: number | undefined;
  const successors = [...(versionsOf(atHome) ?? [])].sort((a, b) => a.number - b.number);
  for (const [location, reading] of readings) {
    for (const version of versionsOf(reading) ?? []) {
      // Somebody has disabled the original, so that nobody reads its value.
      if (!version.enabled && version.reimports && version.number !== current.number)
        disable.push({ do: 'Disable', location, version });
      if (!version.enabled || version.number >= current.number || inUse.has(version.number)) continue;
      if (rollout?.numbers.has(version.number) || (mayReimport && latestIn(reading) === version.number)) continue;
      const successor = successors.find(({ number }) => number > version.number) ?? current;
      const until = Math.max(successor.created, rollout?.at ?? 0) + Math.max(rotation.overlap, rotation.retain ?? 0);
      if (until <= now) disable.push({ do: 'Disable', location, version });
      else nextDisable = Math.min(nextDisable ?? until, until);
    }
  }
  return { disable, nextDisable };
}
