/**
 * The Key Vault VM extension: the machine itself reads certificates with its managed identity, without a version, and
 * keeps up with renewals by polling.
 */
import type { JsonObject } from '../../base/json.ts';
import { type ComputeProblem, computeError, computeWarning, type OsType, quoted } from '../problems/compute-problem.ts';
import type { ProblemName } from '../problems/problem-names.ts';
import { isExtension, listIn, type MachineExtension, objectIn, textIn } from './machine-model.ts';

/** Publisher of the extension. */
export const vaultExtensionPublisher = 'Microsoft.Azure.KeyVault';

/** Type and version that we install, and the first version whose observedCertificates are objects. */
export const vaultExtensions: Readonly<Record<OsType, { type: string; version: string; objectsSince: number }>> = {
  Linux: { type: 'KeyVaultForLinux', version: '3.0', objectsSince: 3 },
  Windows: { type: 'KeyVaultForWindows', version: '4.0', objectsSince: 3 },
};

const msiEndpoints: Readonly<Record<OsType, string>> = {
  Linux: 'http://169.254.169.254/metadata/identity',
  Windows: 'http://169.254.169.254/metadata/identity/oauth2/token',
};

/** A certificate that the extension observes. */
export interface ObservedCertificate {
  /** The secret's URL without a version. */
  readonly url: string;
  /** Windows. @default MY */
  readonly certificateStore?: string;
}

/** The extension for these certificates. */
export interface VaultExtensionOptions {
  readonly os: OsType;
  readonly certificates: readonly ObservedCertificate[];
  /** Client id of the user-assigned identity that reads; without one the machine's own identity reads. */
  readonly msiClientId?: string;
}

const pollSeconds = 3600;

/**
 * Properties of the extension. On Linux the first fetch is waited for only with a user-assigned identity: the machine's
 * own identity gets its grant after the machine, which would wait for the grant.
 */
export function vaultExtensionProperties({ os, certificates, msiClientId }: VaultExtensionOptions): JsonObject {
  const { type, version } = vaultExtensions[os];
  return {
    publisher: vaultExtensionPublisher,
    type,
    typeHandlerVersion: version,
    autoUpgradeMinorVersion: true,
    enableAutomaticUpgrade: true,
    settings: {
      secretsManagementSettings: {
        pollingIntervalInS: String(pollSeconds),
        ...(os === 'Linux' && { requireInitialSync: msiClientId !== undefined }),
        observedCertificates: certificates.map((each) => observedEntry(os, each)),
      },
      ...(msiClientId !== undefined && { authenticationSettings: { msiEndpoint: msiEndpoints[os], msiClientId } }),
    },
  };
}

function observedEntry(os: OsType, { url, certificateStore = 'MY' }: ObservedCertificate): JsonObject {
  if (os === 'Linux') return { url };
  return { url, certificateStoreName: certificateStore, certificateStoreLocation: 'LocalMachine' };
}

/**
 * The properties of an extension that exists with these certificates added to it. All that its author wrote stays; a
 * certificate that it observes already is not added again.
 */
export function withCertificates(existing: JsonObject, options: VaultExtensionOptions): JsonObject {
  const settings = objectIn(existing, 'settings');
  const management = objectIn(settings, 'secretsManagementSettings');
  const observed = listIn(management, 'observedCertificates');
  const urls = new Set(observed.map((each) => textIn(objectIn(each), 'url')?.toLowerCase()));
  const added = options.certificates.filter(({ url }) => !urls.has(url.toLowerCase()));
  const made = objectIn(vaultExtensionProperties(options), 'settings');
  return {
    ...existing,
    settings: {
      ...made,
      ...settings,
      secretsManagementSettings: {
        ...management,
        observedCertificates: [...observed, ...added.map((each) => observedEntry(options.os, each))],
      },
    },
  };
}

/** Input of the checks of an extension beside its properties. */
export interface VaultExtensionSituation {
  readonly os: OsType;
  /** Whether certificates are to be added to it. */
  readonly extended: boolean;
  readonly identities: { readonly system: boolean; readonly userAssigned: readonly string[] };
  /** Whether the machine is there already, so that its identity may have its grant. */
  readonly exists: boolean;
}

/** Problems of a Key Vault extension that a manifest has, or of the one that we make. `path` is the path of its properties. */
export function vaultExtensionProblems(
  { properties }: Pick<MachineExtension, 'properties'>,
  { os, extended, identities, exists }: VaultExtensionSituation,
  path: string,
): ComputeProblem[] {
  const problems: ComputeProblem[] = [];
  const wrong = (name: ProblemName, field: string, fix: string) =>
    problems.push(computeError(name, `${path}.${field}`, fix));
  const version = Number.parseFloat(textIn(properties, 'typeHandlerVersion') ?? '0');
  const isWindows4 = os === 'Windows' && version >= 4;
  const management = objectIn(properties, 'settings', 'secretsManagementSettings');
  const at = 'settings.secretsManagementSettings';
  if (extended && version < vaultExtensions[os].objectsSince) {
    const fix = `version ${quoted(properties['typeHandlerVersion'])} cannot be extended; remove the extension, so that ${vaultExtensions[os].version} is installed`;
    wrong('VaultExtensionOld', 'typeHandlerVersion', fix);
  }
  if (Object.hasOwn(management, 'authenticationSettings')) {
    wrong(
      'AuthenticationSettingsMisplaced',
      `${at}.authenticationSettings`,
      'move it to settings.authenticationSettings; here it is ignored',
    );
  }
  const clientId = textIn(objectIn(properties, 'settings', 'authenticationSettings'), 'msiClientId');
  if (identities.userAssigned.length > 0 && clientId === undefined) {
    const fix =
      'is missing: a machine with a user-assigned identity must name the identity that reads the vault; set its client id';
    wrong('MsiClientIdMissing', 'settings.authenticationSettings.msiClientId', fix);
  }
  if (!identities.system && identities.userAssigned.length === 0) {
    wrong('VaultIdentityMissing', 'settings', 'the machine has no managed identity to read vaults with; give it one');
  }
  const sync = management['requireInitialSync'];
  if (!isWindows4 && sync === true && clientId === undefined && identities.system) {
    const fix =
      'the machine waits for a certificate that its own identity may read only after the machine is there; set it to false, or use a user-assigned identity';
    if (exists) problems.push(computeWarning('InitialSyncDeadlock', `${path}.${at}.requireInitialSync`, fix));
    else wrong('InitialSyncDeadlock', `${at}.requireInitialSync`, fix);
  }
  if (isWindows4) problems.push(...windows4Problems(management, `${path}.${at}`));
  return problems;
}

/**
 * Certificates that a Key Vault extension is to observe and that are texts, or one text in place of the list, from the
 * version on that observes objects. None for another extension. `path` is the path of its properties.
 */
export function observedTextProblems(extension: MachineExtension, path: string): ComputeProblem[] {
  const { properties } = extension;
  const made = Object.values(vaultExtensions).find(({ type }) => isExtension(extension, vaultExtensionPublisher, type));
  const version = Number.parseFloat(textIn(properties, 'typeHandlerVersion') ?? '0');
  if (!made || !(version >= made.objectsSince)) return [];
  const { observedCertificates } = objectIn(properties, 'settings', 'secretsManagementSettings');
  const at = `${path}.settings.secretsManagementSettings.observedCertificates`;
  const wrong = (field: string, form: string) =>
    computeError('ObservedCertificateText', field, `version ${version} observes objects; write ${form}`);
  if (typeof observedCertificates === 'string') return [wrong(at, `[{"url": ${quoted(observedCertificates)}}]`)];
  if (!Array.isArray(observedCertificates)) return [];
  return observedCertificates.flatMap((each, index) =>
    typeof each === 'string' ? [wrong(`${at}[${index}]`, `{"url": ${quoted(each)}}`)] : [],
  );
}

/** Settings that version 3.0 took and 4.0 does not, versions that are pinned, and the range of the poll. */
function windows4Problems(management: JsonObject, path: string): ComputeProblem[] {
  const problems = ['requireInitialSync', 'linkOnRenewal', 'keyExportable']
    .filter((name) => Object.hasOwn(management, name))
    .map((name) => computeError('SettingRemoved', `${path}.${name}`, 'version 4.0 has no such setting; remove it'));
  const poll = management['pollingIntervalInS'];
  const seconds = poll === undefined ? pollSeconds : Number(poll);
  if (!(seconds >= 300 && seconds <= 3600)) {
    const fix = `${quoted(poll)} is outside 300 to 3600 seconds; set a value in that range`;
    problems.push(computeError('PollOutOfRange', `${path}.pollingIntervalInS`, fix));
  }
  for (const [index, observed] of listIn(management, 'observedCertificates').entries()) {
    const url = typeof observed === 'string' ? observed : (textIn(objectIn(observed), 'url') ?? '');
    const pinned = /^https:\/\/[^/]{1,300}\/[^/]{1,20}\/[^/]{1,127}\/[^/]/i.test(url.slice(0, 512));
    const at = `${path}.observedCertificates[${index}]`;
    if (pinned)
      problems.push(computeError('PinnedVersion', at, 'names a version; leave it out, so that renewals arrive'));
  }
  return problems;
}

/** Where the Linux extension puts a certificate: a symbolic link that moves to the file of each new version. */
export function linuxCertificateLink(vault: string, certificate: string): string {
  return `/var/lib/waagent/Microsoft.Azure.KeyVault.Store/${vault}.${certificate}`;
}

/** The file of one version, beside the link. */
export function linuxCertificateFile(vault: string, certificate: string, version: string): string {
  return `${vault}.${certificate}.${version}`;
}
