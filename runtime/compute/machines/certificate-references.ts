/**
 * References of machines to certificates in Key Vault: `osProfile.secrets` and the secret URLs in it. Azure checks their
 * form in the PUT, and the vault, its region and the version only in the operation or at the next start.
 */
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject } from '../../base/json.ts';
import { type ComputeProblem, computeError, computeWarning, type OsType, quoted } from '../problems/compute-problem.ts';

/** A versioned secret in a vault, from its URL. */
export interface SecretUrl {
  /** In lower case, without port: `v.vault.azure.net`. */
  readonly host: string;
  /** The first label of the host, which is the vault's name in lower case. */
  readonly vault: string;
  readonly name: string;
  /** 32 hexadecimal digits; they differ in each vault. */
  readonly version: string;
}

/** `wrongKind` is the URL of a certificate or key; `refused` every other text that is no https URL of a vault. */
export type CertificateUrlResult = 'ok' | 'notVersioned' | 'wrongKind' | 'refused';

/** Characters of a URL; names have 127 and hosts 253 at most. */
const maxUrlLength = 512;

/**
 * The result of the check of a certificateUrl, with its parts if it is ok. `port` is where vaults listen; only the sandbox's listen
 * elsewhere. @default 443
 */
export function parseCertificateUrl(
  text: string,
  port = 443,
): { readonly result: 'ok'; readonly url: SecretUrl } | { readonly result: Exclude<CertificateUrlResult, 'ok'> } {
  if (text.length > maxUrlLength || !/^https:\/\//i.test(text)) return { result: 'refused' };
  const [authority = '', collection = '', name = '', version = '', ...rest] = text.slice('https://'.length).split('/');
  const [host = '', ownPort = '443', ...more] = authority.toLowerCase().split(':');
  const isHost = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(host) || isSandbox(host, port);
  if (more.length > 0 || ownPort !== String(port) || !isHost) {
    return { result: 'refused' };
  }
  if (rest.length > 0 || !/^[0-9A-Za-z-]{1,127}$/.test(name)) return { result: 'refused' };
  const kind = collection.toLowerCase();
  if (kind === 'certificates' || kind === 'keys') return { result: 'wrongKind' };
  if (kind !== 'secrets') return { result: 'refused' };
  if (version === '') return { result: 'notVersioned' };
  if (!/^[0-9a-fA-F]{32}$/.test(version)) return { result: 'refused' };
  return { result: 'ok', url: { host, vault: host.split('.')[0] as string, name, version: version.toLowerCase() } };
}

/** The sandbox's vaults are ports of localhost, so that their URLs do not name them. */
function isSandbox(host: string, port: number): boolean {
  return host === 'localhost' && port !== 443;
}

/** The name in lower case of the vault that an ARM id names; undefined for an id of anything else. */
export function tryVaultName(vaultId: string): string | undefined {
  const id = tryParseResourceId(vaultId);
  const isVault = id?.type.toLowerCase() === 'microsoft.keyvault/vaults' && id.resourceGroup !== undefined;
  return isVault ? id.name.toLowerCase() : undefined;
}

/** Where a machine's certificates go. */
export interface CertificateMachine {
  readonly os: OsType;
  /** `windowsConfiguration` or `linuxConfiguration` `.provisionVMAgent`. @default true */
  readonly provisionVMAgent?: boolean;
  /** The machine's subscription; a vault of another one is a problem. @default not checked */
  readonly subscriptionId?: string;
  /** Port of the vaults. @default 443 */
  readonly vaultPort?: number;
}

/**
 * Every problem of `osProfile.secrets`, whatever it contains. `path` is the path of the list. The size of the list is
 * bounded by the object that has it; the work is linear in it.
 */
export function certificateGroupProblems(
  machine: CertificateMachine,
  secrets: unknown,
  path: string,
): readonly ComputeProblem[] {
  if (secrets === undefined || secrets === null) return [];
  if (!Array.isArray(secrets))
    return [computeError('SecretsInvalid', path, 'must be a list of groups; remove or correct it')];
  const problems: ComputeProblem[] = [];
  if (secrets.length > 0 && machine.provisionVMAgent === false) problems.push(noAgent(path));
  const seen = new Map<string, number>();
  secrets.forEach((group: unknown, index) => {
    const at = `${path}[${index}]`;
    const { sourceVault, vaultCertificates } = isObject(group) ? group : {};
    const id = isObject(sourceVault) && typeof sourceVault['id'] === 'string' ? sourceVault['id'] : '';
    problems.push(...vaultIdProblems(machine, id, `${at}.sourceVault.id`));
    const key = id.toLowerCase();
    const before = seen.get(key);
    if (id !== '' && before !== undefined) problems.push(repeatedVault(id, `${at}.sourceVault.id`, before));
    seen.set(key, before ?? index);
    const certificates: readonly unknown[] = Array.isArray(vaultCertificates) ? vaultCertificates : [];
    for (const [entry, certificate] of certificates.entries()) {
      problems.push(...certificateProblems(machine, id, certificate, `${at}.vaultCertificates[${entry}]`));
    }
  });
  return problems;
}

function noAgent(path: string): ComputeProblem {
  const message = 'Certificates cannot be added to your VM if the VM agent is not provisioned.';
  const fix = 'certificates need the VM agent: set provisionVMAgent to true, or remove the secrets';
  return computeError('VmAgentMissing', path, fix, { when: 'Request', status: 400, code: 'InvalidParameter', message });
}

function repeatedVault(id: string, path: string, first: number): ComputeProblem {
  const fix = `${quoted(id)} has a group already, number ${first}: put all certificates of a vault into one group`;
  return computeError('VaultRepeated', path, fix, {
    when: 'Request',
    status: 400,
    code: 'InvalidParameter',
    message: `List secrets contains repeated instances of ${id}, which is disallowed.`,
    target: 'sourceVault.id',
  });
}

function vaultIdProblems(machine: CertificateMachine, id: string, path: string): ComputeProblem[] {
  if (tryVaultName(id) === undefined) {
    const form = '/subscriptions/…/resourceGroups/…/providers/Microsoft.KeyVault/vaults/<name>';
    return [computeError('VaultIdInvalid', path, `${quoted(id)} is no id of a vault; give one like ${form}`)];
  }
  const subscription = tryParseResourceId(id)?.subscriptionId;
  if (machine.subscriptionId === undefined || subscription?.toLowerCase() === machine.subscriptionId.toLowerCase())
    return [];
  const fix = `the vault is in subscription ${subscription}, the machine in ${machine.subscriptionId}: use a vault of the machine's`;
  return [computeError('VaultSubscriptionDiffers', path, fix, { when: 'Operation' })];
}

function certificateProblems(
  machine: CertificateMachine,
  vaultId: string,
  certificate: unknown,
  path: string,
): ComputeProblem[] {
  const { certificateUrl, certificateStore } = isObject(certificate) ? certificate : {};
  const problems = certificateUrlProblems(vaultId, certificateUrl, `${path}.certificateUrl`, machine.vaultPort);
  const store = certificateStoreProblem(machine.os, certificateStore, `${path}.certificateStore`);
  return store ? [...problems, store] : problems;
}

/** Problems of one certificateUrl, and of its vault against the group's. `vaultId` '' means that the group has none. */
export function certificateUrlProblems(vaultId: string, url: unknown, path: string, port?: number): ComputeProblem[] {
  const text = typeof url === 'string' ? url : '';
  const parsed = parseCertificateUrl(text, port);
  if (parsed.result !== 'ok') {
    const azure = { when: 'Request', status: 400, message: notVersionedText(text.slice(0, maxUrlLength)) } as const;
    return [
      computeError(urlProblems[parsed.result][0], path, `${quoted(url)} ${urlProblems[parsed.result][1]}`, azure),
    ];
  }
  const vault = tryVaultName(vaultId);
  if (vault === undefined || vault === parsed.url.vault || isSandbox(parsed.url.host, port ?? 443)) return [];
  const fix = `the certificate is in vault ${parsed.url.vault}, the group names ${vault}: give the id of the certificate's vault`;
  const message = accessForbiddenText(text, vaultId);
  return [
    computeError('SourceVaultDiffers', path, fix, { when: 'Operation', code: 'KeyVaultAccessForbidden', message }),
  ];
}

const urlProblems = {
  notVersioned: [
    'CertificateUrlNotVersioned',
    'names no version; add the version, so that the model says what is deployed',
  ],
  wrongKind: ['CertificateUrlWrongKind', 'is a certificate or key; give its secret (the sid of the certificate)'],
  refused: ['CertificateUrlInvalid', 'is not https://<vault>/secrets/<name>/<version>; give such a URL'],
} as const;

/** A store belongs to Windows: missing there it is an error, present on Linux a warning, as it is left out. */
export function certificateStoreProblem(os: OsType, store: unknown, path: string): ComputeProblem | undefined {
  const has = typeof store === 'string' && store !== '';
  if (os === 'Linux') {
    const text = `${quoted(store)} means nothing on Linux and is left out; remove it`;
    return store === undefined || store === null ? undefined : computeWarning('CertificateStoreIgnored', path, text);
  }
  if (has && store.length <= 64 && !/[\p{C}/\\]/u.test(store)) return undefined;
  const fix = has ? 'is no name of a store; set one such as My' : 'is missing; Windows needs one, such as My';
  return computeError('CertificateStoreMissing', path, `certificateStore ${fix}`);
}

/** Azure's text for a URL that is no versioned secret. */
export function notVersionedText(url: string): string {
  return `${url} is not a valid versioned Key Vault Secret URL. It should be in the format https://<vaultEndpoint>/secrets/<secretName>/<secretVersion>.`;
}

/** Azure's text for a vault that is not enabled for deployment, or that is not the one of the URL. */
export function accessForbiddenText(secretUrl: string, vaultId: string): string {
  return `Key Vault ${secretUrl} either has not been enabled for deployment or the vault id provided, ${vaultId}, does not match the Key Vault's true resource id.`;
}
