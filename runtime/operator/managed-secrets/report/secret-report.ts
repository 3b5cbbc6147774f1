import type { SecretVersion as MachineVersion } from '../../../compute/machines/machine-model.ts';
import { vmAccessContentType } from '../../../compute/machines/vm-access.ts';
import { home, type SecretPlan } from '../../../compute/managed-secrets/plan.ts';
import { numberInVault } from '../../../compute/managed-secrets/rollout-state.ts';
import { type SecretVersion, vmAccessSecretName } from '../../../compute/managed-secrets/vault-tags.ts';
import { versionInUse } from '../../../compute/managed-secrets/version-in-use.ts';
import type { KnownCopy, KnownSecret } from '../resolver.ts';
import type { RolloutRound } from '../rollouts/rollout-memory.ts';
import { type Copy, copyOf, isHome, placeOf, versionsOf } from '../secret-situation.ts';
import { userNameOf } from '../values/secret-values.ts';
import type { OpenVault, SecretContext } from '../vaults/vault-places.ts';
import type { PlaceMemory, PlaceReading } from '../vaults/vault-readings.ts';
import { heldBy } from './pinned-version.ts';
import type { ReportedCopy } from './secret-status.ts';

/** The outcome of a run: the reading of each vault, with its memory. */
export interface Outcome {
  readonly readings: readonly PlaceReading[];
  readonly memories: readonly PlaceMemory[];
  readonly current: SecretVersion | undefined;
  readonly rollout: RolloutRound | undefined;
}

/** The current version: that of the home vault, or the newest of the regions while nobody has read the home vault. */
function currentOf({ readings, current }: Outcome, pinned: number | undefined): SecretVersion | undefined {
  if (current) return current;
  const newest = readings.flatMap(({ reading }) => versionInUse(versionsOf(reading), pinned) ?? []);
  return newest.sort((a, b) => b.number - a.number)[0];
}

/** How the copy of each vault stands. */
export function reportedCopies(context: SecretContext, outcome: Outcome, now: number): ReportedCopy[] {
  const current = currentOf(outcome, context.object.spec.pinnedVersion);
  return outcome.readings.map((reading, index) => {
    const memory = outcome.memories[index] ?? { failures: 0, retryAt: 0 };
    const open = reading.open ?? memory.last?.open;
    const { inVault, served } = versionsAt(outcome, reading.place.location, current);
    const copy = copyOf(reading, memory, inVault, context.object, now);
    return {
      reading,
      copy,
      served: served === inVault ? copy : copyOf(reading, memory, served, context.object, now),
      lastOpen: memory.last?.open,
      vaultId: open?.armId,
      secretUrl: open && secretUrl(open, context.name),
    };
  });
}

/** The version that a vault needs, and the one that its whole region has: another one while a rollout is there. */
function versionsAt({ readings, memories, rollout }: Outcome, location: string, current: SecretVersion | undefined) {
  const state = rollout?.state;
  if (!state) return { inVault: current, served: current };
  const place = placeOf(location, state);
  const atHome = memories[readings.findIndex((each) => each.place.location === home)]?.last?.main;
  const versions = [...versionsOf(atHome), ...(current ? [current] : [])];
  const at = (number: number | undefined) => versions.find((each) => each.number === number) ?? current;
  return { inVault: at(numberInVault(state, place)), served: at(state.regions[place]) };
}

/** The record for machines, by the region of each vault. */
export function knownSecret(
  context: SecretContext,
  { current, plan, rollout }: Pick<Outcome, 'current' | 'rollout'> & { readonly plan: SecretPlan },
  copies: readonly ReportedCopy[],
  message: string,
): KnownSecret {
  const { spec, metadata } = context.object;
  const atHome = copies.find(({ reading }) => reading.place.location === home);
  const knownCopies = new Map<string, KnownCopy>();
  let early: KnownCopy | undefined;
  // The home vault serves its own region; a region's own copy goes before it.
  for (const each of copies) {
    const open = openOf(each);
    const region = each.reading.place.location === home ? open?.location : each.reading.place.location;
    if (region === undefined) continue;
    const same = atHome !== undefined && isHome(each.reading, atHome.reading);
    const source = same ? atHome : each;
    knownCopies.set(region, knownCopy(context, source, source.served));
    if (region === rollout?.state?.step?.location) early = knownCopy(context, source, source.copy);
  }
  const userName = userNameOf(spec);
  const ends = versionsOf(atHome?.reading.reading).flatMap(({ number: each, expires }) =>
    expires === undefined ? [] : [[each, expires] as const],
  );
  const number = current?.number ?? copies.reduce((most, { copy }) => Math.max(most, copy.version?.number ?? 0), 0);
  return {
    uid: metadata.uid ?? '',
    kind: spec.kind,
    number: number === 0 ? undefined : number,
    copies: knownCopies,
    ...(ends.length > 0 && { ends: Object.fromEntries(ends) }),
    ...(userName !== undefined && { userName }),
    ...heldBy(plan),
    ...(rollout && knownRollout(rollout, early)),
    ...(message !== '' && { message }),
  };
}

/** Without its state, no machine gets another version than it has. */
function knownRollout(
  { state, early: machines, failure }: RolloutRound,
  copy: KnownCopy | undefined,
): Pick<KnownSecret, 'held' | 'rollout'> {
  if (!state) {
    const message = `how far its rollout is has not been read${failure ? `: ${failure.message}` : ' yet'}`;
    return { held: { reason: 'SecretNotReady', message } };
  }
  const { step, home: homeRegion, regions } = state;
  const early = step && copy && machines.length > 0 ? { location: step.location, machines, copy } : undefined;
  return { rollout: { home: homeRegion, regions, ...(early && { early }) } };
}

function knownCopy(context: SecretContext, reported: ReportedCopy, copy: Copy): KnownCopy {
  const open = openOf(reported);
  const { version, access, latest } = copy;
  const isCertificate = context.object.spec.kind === 'Certificate';
  return {
    state: copy.state,
    number: version?.number,
    version:
      open &&
      version &&
      machineVersion(open, context.name, version, isCertificate ? 'application/x-pkcs12' : undefined),
    vmAccess: open && access && machineVersion(open, vmAccessSecretName(context.name), access, vmAccessContentType),
    ...(version && latest !== undefined && latest !== version.number && { latest }),
    ...(copy.message !== undefined && { message: copy.message }),
  };
}

function machineVersion(
  open: OpenVault,
  name: string,
  { version }: SecretVersion,
  contentType: string | undefined,
): MachineVersion {
  return {
    vaultId: open.armId,
    vaultLocation: open.location,
    enabledForDeployment: open.enabledForDeployment,
    secretUrl: `${secretUrl(open, name)}/${version}`,
    ...(contentType !== undefined && { contentType }),
  };
}

function openOf({ reading, lastOpen }: ReportedCopy): OpenVault | undefined {
  return reading.open ?? lastOpen;
}

function secretUrl({ vault }: OpenVault, name: string): string {
  return `${vault.url.origin}/secrets/${name}`;
}
