/**
 * The plan of a machine with managed secrets: every problem that Azure would find late, by name, and the bodies to send.
 * Nothing is sent while there is an error. The machine's own body stays as its author wrote it but for the additions.
 */
import { managedSecretReferencesSchema } from '../../api/machines/secret-references.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { type ComputeProblem, computeError } from '../problems/compute-problem.ts';
import type { ProblemName } from '../problems/problem-names.ts';
import { parseCertificateUrl } from './certificate-references.ts';
import { bodyProblems, listenerProblems } from './machine-checks.ts';
import { attachIdentities, mergeSecretGroups, withExtensions } from './machine-merge.ts';
import {
  extensionPath,
  extensionsOf,
  identitiesOf,
  isExtension,
  type Machine,
  type MachineExtension,
  type MachineIdentity,
  newExtensionName,
  osConfigurationOf,
  osProfileOf,
  profilePath,
  type SecretUse,
  type SecretVersion,
  textIn,
} from './machine-model.ts';
import { secretUseProblems } from './secret-delivery.ts';
import {
  type VaultExtensionOptions,
  vaultExtensionProblems,
  vaultExtensionProperties,
  vaultExtensionPublisher,
  vaultExtensions,
  withCertificates,
} from './vault-extension.ts';
import { vmAccessExtensions, vmAccessProperties } from './vm-access.ts';

/** The bodies to send for a machine, or the errors that forbid it. */
export interface MachinePlan {
  /** Errors and warnings. Paths of the body are ARM's; paths of uses begin with `usesPath`. */
  readonly problems: readonly ComputeProblem[];
  /** The body of the PUT; undefined while there is an error. */
  readonly body?: JsonObject;
  /** Of a virtual machine: bodies of child resources `extensions/<name>`, sent after it. A scale set has them in its body. */
  readonly extensions: readonly (MachineExtension & { readonly location: string })[];
}

const usesPath = 'spec.operatorSpec.managedSecrets';
/** Uses of one machine that are planned; more are refused before any work. */
const maxUses = managedSecretReferencesSchema.maxItems;

/** Plans one machine. Work is linear in the body and in the uses, which the schema limits. */
export function planMachine(machine: Machine, uses: readonly SecretUse[]): MachinePlan {
  if (uses.length > maxUses) {
    const fix = `${uses.length} entries, at most ${maxUses} are accepted; remove some`;
    return { problems: [computeError('UsesTooMany', usesPath, fix)], extensions: [] };
  }
  const problems = [...bodyProblems(machine), ...uses.flatMap((use, index) => useProblems(machine, use, index))];
  if (problems.some(({ severity }) => severity === 'Error')) return { problems, extensions: [] };

  const of = (delivery: string) => uses.filter((use) => use.delivery === delivery);
  const identities = of('Identity').flatMap(({ identity }) => (identity ? [identity] : []));
  const attached = mergeSecretGroups(
    {
      ...machine,
      body: attachIdentities(
        machine.body,
        identities.map(({ id }) => id),
      ),
    },
    of('OsProfile'),
  );
  const changed = [
    ...vaultExtensionOf(attached, of('VaultExtension'), identities, problems),
    ...vmAccessOf(attached, of('VMAccess'), problems),
  ];
  const merged = machine.kind === 'VirtualMachine' ? attached : withExtensions(attached, changed);
  problems.push(...agentProblems(merged, changed), ...listenerProblems(merged));
  if (problems.some(({ severity }) => severity === 'Error')) return { problems, extensions: [] };
  const children = machine.kind === 'VirtualMachine' ? changed : [];
  return { problems, body: merged.body, extensions: children.map((each) => ({ ...each, location: machine.location })) };
}

function useProblems(machine: Machine, use: SecretUse, index: number): ComputeProblem[] {
  return secretUseProblems(machine, use, `${usesPath}[${index}]`);
}

/** Extensions need the VM agent, as certificates do. */
function agentProblems(machine: Machine, changed: readonly MachineExtension[]): ComputeProblem[] {
  const path = `${profilePath(machine)}.osProfile`;
  const configuration = machine.os === 'Windows' ? 'windowsConfiguration' : 'linuxConfiguration';
  const certificates = osProfileOf(machine)['secrets'];
  const needed = changed.length > 0 || (Array.isArray(certificates) && certificates.length > 0);
  const problems: ComputeProblem[] = [];
  if (needed && osConfigurationOf(machine)['provisionVMAgent'] === false) {
    const message = 'Certificates cannot be added to your VM if the VM agent is not provisioned.';
    const azure = { when: 'Request', status: 400, code: 'InvalidParameter', message } as const;
    const fix = 'certificates and extensions need the VM agent; set it to true, or use the delivery Endpoint';
    problems.push(computeError('VmAgentMissing', `${path}.${configuration}.provisionVMAgent`, fix, azure));
  }
  if (changed.length > 0 && osProfileOf(machine)['allowExtensionOperations'] === false) {
    const fix = 'deliveries by extension need it; set it to true, or use the delivery OsProfile or Endpoint';
    problems.push(computeError('ExtensionsForbidden', `${path}.allowExtensionOperations`, fix));
  }
  return problems;
}

/** The Key Vault extension with the certificates of these uses; also checks one that a manifest has without any use. */
function vaultExtensionOf(
  machine: Machine,
  uses: readonly SecretUse[],
  attached: readonly MachineIdentity[],
  problems: ComputeProblem[],
): MachineExtension[] {
  const { os, vaultPort } = machine;
  const { type } = vaultExtensions[os];
  const existing = extensionsOf(machine).find((each) => isExtension(each, vaultExtensionPublisher, type));
  if (uses.length === 0 && !existing) return [];
  const identities = identitiesOf(machine.body);
  const reader = vaultReader(machine, identities.userAssigned, attached);
  if (reader === 'NotAttached') {
    const fix = 'the identity that reads vaults is not attached to the machine; attach it, or name one that is';
    problems.push(computeError('VaultIdentityNotAttached', 'identity.userAssignedIdentities', fix));
    return [];
  }
  const certificates = uses.flatMap(({ version, certificateStore }) => {
    const url = version && observedUrl(version, vaultPort);
    if (url === undefined) return [];
    return [{ url, ...(os === 'Windows' && certificateStore !== undefined && { certificateStore }) }];
  });
  const options: VaultExtensionOptions = { os, certificates, ...(reader && { msiClientId: reader.clientId }) };
  const properties = !existing
    ? vaultExtensionProperties(options)
    : uses.length === 0
      ? existing.properties
      : withCertificates(existing.properties, options);
  const extension = { name: existing?.name ?? newExtensionName(machine, type), properties };
  const situation = {
    os,
    extended: existing !== undefined && uses.length > 0,
    identities,
    exists: machine.exists === true,
  };
  problems.push(...vaultExtensionProblems(extension, situation, extensionPath(machine, extension.name)));
  return uses.length === 0 ? [] : [extension];
}

/** The user-assigned identity that reads vaults; undefined when the machine's own does, or when it is not known. */
function vaultReader(
  { vaultIdentity }: Machine,
  userAssigned: readonly string[],
  attached: readonly MachineIdentity[],
): MachineIdentity | 'NotAttached' | undefined {
  const ids = new Set(userAssigned.map((id) => id.toLowerCase()));
  if (vaultIdentity) return ids.has(vaultIdentity.id.toLowerCase()) ? vaultIdentity : 'NotAttached';
  return ids.size === 1 ? attached.find(({ id }) => ids.has(id.toLowerCase())) : undefined;
}

/** The URL of the secret without its version, so that the extension sees new ones. */
function observedUrl({ secretUrl }: SecretVersion, port = 443): string | undefined {
  const parsed = parseCertificateUrl(secretUrl, port);
  if (parsed.result !== 'ok') return undefined;
  return `https://${parsed.url.host}${port === 443 ? '' : `:${port}`}/secrets/${parsed.url.name}`;
}

/** The VMAccess extension of a use. A machine has one, with settings from one place. */
function vmAccessOf(machine: Machine, uses: readonly SecretUse[], problems: ComputeProblem[]): MachineExtension[] {
  const [use, ...more] = uses;
  const version = use?.version;
  if (!use || !version) return [];
  const wrong = (name: ProblemName, path: string, fix: string) => problems.push(computeError(name, path, fix));
  if (more.length > 0) {
    wrong(
      'VmAccessTwice',
      usesPath,
      `${use.name} and ${more[0]?.name} both use VMAccess, of which a machine has one; keep one`,
    );
  }
  const { publisher, type } = vmAccessExtensions[machine.os];
  const existing = extensionsOf(machine).find((each) => isExtension(each, publisher, type));
  const name = existing?.name ?? newExtensionName(machine, type);
  const at = extensionPath(machine, name);
  if (isObject(existing?.properties['protectedSettings'])) {
    const fix = 'an extension has settings of its own or those of a vault; remove them, or the managed secret';
    wrong('ProtectedSettingsTwice', `${at}.protectedSettings`, fix);
  }
  const from = existing?.properties['protectedSettingsFromKeyVault'];
  if (isObject(from) && textIn(from, 'secretUrl') !== version.secretUrl) {
    const fix = `names another secret than ${use.name}; remove it, or the managed secret`;
    wrong('ProtectedSettingsTwice', `${at}.protectedSettingsFromKeyVault`, fix);
  }
  const username = use.userName ?? textIn(osProfileOf(machine), 'adminUsername');
  if (username === undefined || username === '') {
    const path = `${profilePath(machine)}.osProfile.adminUsername`;
    wrong('AdminUsernameMissing', path, 'is missing: VMAccess sets the password or key of this user; name the user');
    return [];
  }
  const parsed = parseCertificateUrl(version.secretUrl, machine.vaultPort);
  const tag = parsed.result === 'ok' ? parsed.url.version : '';
  const made = vmAccessProperties(machine.os, username, version, tag);
  const properties = existing ? { ...existing.properties, ...made } : made;
  return [{ name, properties }];
}
