import type { SecretVersion as MachineVersion } from '../../../compute/machines/machine-model.ts';
import { vmAccessContentType } from '../../../compute/machines/vm-access.ts';
import { home, type SecretPlan } from '../../../compute/managed-secrets/plan.ts';
import { type SecretVersion, vmAccessSecretName } from '../../../compute/managed-secrets/vault-tags.ts';
import { versionInUse } from '../../../compute/managed-secrets/version-in-use.ts';
import type { KnownCopy, KnownSecret } from '../resolver.ts';
import { copyOf, isHome, versionsOf } from '../secret-situation.ts';
import { userNameOf } from '../values/secret-values.ts';
import type { OpenVault, SecretRun } from '../vaults/vault-places.ts';
import type { PlaceMemory, PlaceReading } from '../vaults/vault-readings.ts';
import { heldBy } from './pinned-version.ts';
import type { ReportedCopy } from './secret-status.ts';

/** The outcome of a run: the reading of each vault, with its memory. */
export interface Outcome {
  readonly readings: readonly PlaceReading[];
  readonly memories: readonly PlaceMemory[];
  readonly current: SecretVersion | undefined;
}

/** The current version: that of the home vault, or the newest of the regions while nobody has read the home vault. */
function currentOf({ readings, current }: Outcome, pinned: number | undefined): SecretVersion | undefined {
  if (current) return current;
  const newest = readings.flatMap(({ reading }) => versionInUse(versionsOf(reading), pinned) ?? []);
  return newest.sort((a, b) => b.number - a.number)[0];
}

/** How the copy of each vault stands. */
export function reportedCopies(run: SecretRun, outcome: Outcome, now: number): ReportedCopy[] {
  const current = currentOf(outcome, run.object.spec.pinnedVersion);
  return outcome.readings.map((reading, index) => {
    const memory = outcome.memories[index] ?? { failures: 0, retryAt: 0 };
    const open = reading.open ?? memory.last?.open;
    const copy = copyOf(reading, memory, current, run.object, now);
    return {
      reading,
      copy,
      lastOpen: memory.last?.open,
      vaultId: open?.armId,
      secretUrl: open && secretUrl(open, run.name),
    };
  });
}

/** The record for machines, by the region of each vault. */
export function knownSecret(
  run: SecretRun,
  { current, plan }: { readonly current: SecretVersion | undefined; readonly plan: SecretPlan },
  copies: readonly ReportedCopy[],
  message: string,
): KnownSecret {
  const { spec, metadata } = run.object;
  const atHome = copies.find(({ reading }) => reading.place.location === home);
  const known = new Map<string, KnownCopy>();
  // The home vault serves its own region; a region's own copy goes before it.
  for (const each of copies) {
    const open = openOf(each);
    const region = each.reading.place.location === home ? open?.location : each.reading.place.location;
    if (region === undefined) continue;
    const same = atHome !== undefined && isHome(each.reading, atHome.reading);
    known.set(region, knownCopy(run, same ? atHome : each));
  }
  const userName = userNameOf(spec);
  const number = current?.number ?? copies.reduce((most, { copy }) => Math.max(most, copy.version?.number ?? 0), 0);
  return {
    uid: metadata.uid ?? '',
    kind: spec.kind,
    number: number === 0 ? undefined : number,
    copies: known,
    ...(userName !== undefined && { userName }),
    ...heldBy(plan),
    ...(message !== '' && { message }),
  };
}

function knownCopy(run: SecretRun, reported: ReportedCopy): KnownCopy {
  const { copy } = reported;
  const open = openOf(reported);
  const { version, access } = copy;
  const isCertificate = run.object.spec.kind === 'Certificate';
  return {
    state: copy.state,
    number: version?.number,
    version:
      open && version && machineVersion(open, run.name, version, isCertificate ? 'application/x-pkcs12' : undefined),
    vmAccess: open && access && machineVersion(open, vmAccessSecretName(run.name), access, vmAccessContentType),
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
