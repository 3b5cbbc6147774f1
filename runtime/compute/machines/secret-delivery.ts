/** Which managed secret can reach a machine in which way, and problems of the version that Azure would find late. */

import type { ManagedSecretKind } from '../../api/machines/managed-secret-spec.ts';
import { type Delivery, deliveries } from '../../api/machines/secret-references.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { locationKey } from '../features/features.ts';
import { type ComputeProblem, computeError, computeWarning, type OsType, quoted } from '../problems/compute-problem.ts';
import type { ProblemName } from '../problems/problem-names.ts';
import {
  accessForbiddenText,
  certificateStoreProblem,
  certificateUrlProblems,
  tryVaultName,
} from './certificate-references.ts';
import type { Machine, SecretUse, SecretVersion } from './machine-model.ts';
import { vmAccessContentType } from './vm-access.ts';

const kinds: Readonly<Record<Delivery, readonly ManagedSecretKind[]>> = {
  OsProfile: ['Certificate'],
  VaultExtension: ['Certificate'],
  VMAccess: ['Password', 'SshKey'],
  Endpoint: ['Password', 'SshKey', 'SymmetricKey', 'Certificate', 'ResourceKey'],
  Identity: ['Identity'],
};

/** Deliveries that users ask for and that cannot work, with the reason. */
const impossible: ReadonlyMap<string, string> = new Map([
  ['CustomData', 'customData stays readable on the machine for its life, and cannot change on a virtual machine'],
  ['UserData', 'every process on the machine reads userData from the metadata endpoint'],
  [
    'AdminPassword',
    'a changed adminPassword is refused for a machine, and reaches only new and reimaged instances of a set',
  ],
]);

/** The deliveries that a kind has, in the order of preference. */
export function deliveriesOf(kind: ManagedSecretKind, os: OsType): readonly Delivery[] {
  const all = deliveries.filter((delivery) => kinds[delivery].includes(kind));
  return os === 'Windows' && kind === 'SshKey' ? all.filter((delivery) => delivery !== 'VMAccess') : all;
}

/** Problems of one use: its delivery, and the version that it resolved to. `path` is the path of the entry. */
export function secretUseProblems(machine: Machine, use: SecretUse, path: string): ComputeProblem[] {
  const possible = deliveriesOf(use.kind, machine.os);
  if (!possible.includes(use.delivery as Delivery)) {
    const reason =
      impossible.get(use.delivery) ?? `${use.kind} cannot be delivered by ${quoted(use.delivery)} to ${machine.os}`;
    const fix = `${reason}; set ${possible.join(' or ')}`;
    return [computeError('DeliveryImpossible', `${path}.delivery`, fix, { when: 'Never' })];
  }
  if (use.delivery === 'Endpoint') return [];
  if (use.delivery === 'Identity') return identityProblems(use, path);
  if (!use.version) {
    const fix = `the managed secret ${use.name} has no version in a vault of ${machine.location}; add the region to it`;
    return [computeError('VersionMissing', `${path}.managedSecret`, fix)];
  }
  const problems =
    use.delivery === 'VaultExtension' ? latestProblems(use, path) : computeReadProblems(machine, use.version, path);
  problems.push(...certificateUrlProblems(use.version.vaultId, use.version.secretUrl, path, machine.vaultPort));
  if (use.kind === 'Certificate') problems.push(...certificateProblems(machine, use, use.version, path));
  if (use.delivery === 'VMAccess' && use.version.contentType !== vmAccessContentType) {
    const fix = `the secret ${use.name} is not in the form that VMAccess reads; write its settings as JSON, with the content type ${vmAccessContentType}`;
    problems.push(computeError('VmAccessFormMissing', path, fix, { when: 'Operation' }));
  }
  return problems;
}

/** The extension names no version: Windows 4.0 accepts none, and a renewal would not arrive. */
function latestProblems({ name, latest }: SecretUse, path: string): ComputeProblem[] {
  if (latest === undefined) return [];
  const fix = `the Key Vault extension reads version ${latest} of ${name}, the newest one of the vault, and not the version of this machine: see Ready of the ManagedSecret, or use the delivery OsProfile or Endpoint`;
  return [computeWarning('NewerVersionRead', `${path}.delivery`, fix)];
}

function identityProblems({ name, identity }: SecretUse, path: string): ComputeProblem[] {
  const isIdentity = tryParseResourceId(identity?.id ?? '')?.type.toLowerCase() === userAssignedIdentities;
  if (isIdentity) return [];
  return [
    computeError('IdentityMissing', path, `the managed secret ${name} has no user-assigned identity yet; wait for it`),
  ];
}

const userAssignedIdentities = 'microsoft.managedidentity/userassignedidentities';

/** Compute itself reads the vault for osProfile.secrets and for settings from a vault, with rules of its own. */
function computeReadProblems(machine: Machine, version: SecretVersion, path: string): ComputeProblem[] {
  const { vaultId, vaultLocation, secretUrl } = version;
  const problems: ComputeProblem[] = [];
  const wrong = (name: ProblemName, fix: string, code?: string, message?: string) =>
    problems.push(
      computeError(name, path, fix, { when: 'Operation', ...(code && { code }), ...(message && { message }) }),
    );
  const vault = tryVaultName(vaultId);
  if (vault === undefined)
    return [computeError('VaultIdInvalid', path, `${quoted(vaultId)} is no id of a vault; correct it`)];
  if (!version.enabledForDeployment) {
    const message = accessForbiddenText(secretUrl, vaultId);
    wrong(
      'VaultNotEnabled',
      `vault ${vault} is closed to Compute; set enabledForDeployment`,
      'KeyVaultAccessForbidden',
      message,
    );
  }
  if (locationKey(vaultLocation) !== locationKey(machine.location)) {
    const message = `The Key Vault ${secretUrl} is located in location ${locationKey(vaultLocation)}, which is different from the location of the VM, ${locationKey(machine.location)}. The VM and Key Vault need to be located within the same region.`;
    const fix = `vault ${vault} is in ${vaultLocation}, the machine in ${machine.location}; add a vault of the machine's region`;
    wrong('VaultRegionDiffers', fix, undefined, message);
  }
  const subscription = tryParseResourceId(vaultId)?.subscriptionId;
  if (subscription?.toLowerCase() !== machine.subscriptionId.toLowerCase()) {
    const fix = `vault ${vault} is in subscription ${subscription}, the machine in ${machine.subscriptionId}; use a vault of the machine's`;
    wrong('VaultSubscriptionDiffers', fix);
  }
  return problems;
}

function certificateProblems(machine: Machine, use: SecretUse, version: SecretVersion, path: string): ComputeProblem[] {
  const problems: ComputeProblem[] = [];
  if (version.exportable === false) {
    const fix = `the private key of ${use.name} cannot leave its vault; make the certificate exportable`;
    problems.push(computeError('CertificateNotExportable', path, fix, { when: 'Operation' }));
  }
  if (use.delivery === 'OsProfile' && version.contentType?.toLowerCase() === 'application/x-pem-file') {
    const fix = `${use.name} is PEM, which Compute may not read; make the certificate with the content type application/x-pkcs12`;
    problems.push(computeError('CertificateImproperlyFormatted', path, fix, { when: 'Operation' }));
  }
  const needsStore = use.delivery === 'OsProfile' || use.certificateStore !== undefined;
  const store = needsStore
    ? certificateStoreProblem(machine.os, use.certificateStore, `${path}.certificateStore`)
    : undefined;
  return store ? [...problems, store] : problems;
}
