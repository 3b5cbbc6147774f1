import { tenantPattern, vaultNamePattern } from '../../api/volumes/vault-objects.ts';
import { type CloudDescription, cloudByName, cloudFromFile } from '../../azure/clouds.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { tryBoolean } from '../options/boolean.ts';
import type { ReadYaml } from '../options/bounded-yaml.ts';
import type { PodReference, VolumeIdentity, VolumeSpec } from '../options/volume-spec.ts';
import type { MountCall } from './messages.ts';
import { type ParameterRow, type ProviderParameter, providerParameters } from './parameters.ts';
import { type ProviderObject, readProviderObjects } from './provider-object.ts';
import { mostReads } from './selected-objects.ts';

type Attribute = (name: ProviderParameter) => string;

/** The node's description of AzureStackCloud: an environment file, or `cloud` in the node's settings. */
export interface NodeCloud {
  readonly cloudFile?: string | undefined;
  readonly cloud?: CloudDescription | undefined;
}

/** A checked `Mount` request. */
export interface ProviderRequest extends VolumeSpec {
  readonly objects: readonly ProviderObject[];
}

/** Most parameters of a class together with those that kubelet adds, and most keys of a Secret. */
const mostMembers = 200;
const podKeys = 'csi.storage.k8s.io/';
/** Audience that Microsoft Entra ID requires of service account tokens. */
const tokenAudience = 'api://AzureADTokenExchange';

/** Attributes and secrets of a call by name, as the driver sent them. */
export interface CallTexts {
  readonly attributes: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Reads the two JSON documents of a call. Throws AZ_CONFIG_INVALID with the Azure provider's wording. */
export function readTexts(call: Pick<MountCall, 'attributes' | 'secrets'>): CallTexts {
  return { attributes: texts('attributes', call.attributes), secrets: texts('secrets', call.secrets) };
}

/**
 * Reads a call as the Azure provider does. `node` describes AzureStackCloud; `readYaml` reads the objects. Rejects
 * with AZ_CONFIG_INVALID for the first problem, in the Azure provider's wording.
 */
export async function readMountCall(
  { attributes, secrets }: CallTexts,
  permission: string,
  node: NodeCloud = {},
  readYaml?: ReadYaml,
): Promise<ProviderRequest> {
  const mode = modeOf(permission);
  const attributeText = (name: string) => normalizeText(attributes.get(name) ?? '');
  const attribute: Attribute = (name) =>
    attributeText(name) || attributeText((providerParameters[name] as ParameterRow).also ?? '');
  const pod: PodReference = {
    name: attributeText(`${podKeys}pod.name`),
    namespace: attributeText(`${podKeys}pod.namespace`),
    uid: attributeText(`${podKeys}pod.uid`),
  };
  if (pod.name === '') throw invalid('pod name is not provided');
  if (pod.namespace === '') throw invalid('pod namespace is not provided');
  // The values become HTTP headers.
  if (!/^[a-z0-9.-]+$/.test(pod.namespace + pod.name) || !/^[\w.-]*$/.test(pod.uid)) {
    throw invalid('pod name, namespace or uid is malformed');
  }
  const vault = attribute('keyvaultName');
  if (vault === '') throw invalid('keyvaultName is not provided');
  if (!vaultNamePattern.test(vault)) {
    throw invalid(
      `Invalid vault name: ${JSON.stringify(vault.slice(0, 80))}, must match [-a-zA-Z0-9]{3,24}; it is the vault's name, not its address`,
    );
  }
  const tenantId = attribute('tenantId');
  if (tenantId === '') throw invalid('tenantId is not provided');
  if (!tenantPattern.test(tenantId)) throw invalid('tenantId is no GUID or domain name');
  const identity = identityOf(attribute, attributeText(`${podKeys}serviceAccount.tokens`), secrets);
  const cloudName = attribute('cloudName');
  checkCloud(cloudName, attribute('cloudEnvFileName'), node);
  const credentials = identity();
  const objects = attributes.get('objects') ?? '';
  if (normalizeText(objects) === '') throw invalid('objects is not set');
  const read = await readProviderObjects(objects, mode, readYaml);
  return {
    vault,
    tenantId,
    cloudName,
    region: undefined,
    objects: read,
    mostReads: mostReads(read),
    identity: credentials,
    pod,
    filePermission: mode,
    fsGroup: undefined,
    refreshSeconds: undefined,
  };
}

/** The pod's namespace as the driver reports it; '' where it does not. */
export function namespaceOf({ attributes }: CallTexts): string {
  return normalizeText(attributes.get(`${podKeys}pod.namespace`) ?? '');
}

/** All secret texts of a call, plain and percent-encoded, for removal from messages. */
export function secretsOf({ attributes, secrets }: CallTexts): string[] {
  const kept = [...secrets].filter(([name]) => !/^clientid$/i.test(name)).map(([, value]) => value);
  return [...kept, ...tokensOf(attributes.get(`${podKeys}serviceAccount.tokens`) ?? '')]
    .map(normalizeText)
    .flatMap((value) => [value, encodeURIComponent(value)])
    .filter((value) => value.length >= 4);
}

/** The tokens in the pod's attribute; none where it is malformed. */
function tokensOf(json: string): string[] {
  try {
    return Object.values((JSON.parse(json) ?? {}) as object).map((value) => String(value?.token ?? ''));
  } catch {
    return [];
  }
}

/** Reads the flags now and returns a reader of the credentials: the Azure provider checks the cloud in between. */
function identityOf(attribute: Attribute, tokens: string, secrets: ReadonlyMap<string, string>): () => VolumeIdentity {
  const flag = (name: ProviderParameter, what: string): boolean => {
    const value = tryBoolean(attribute(name));
    if (value !== undefined) return value;
    throw invalid(`failed to parse ${name}${what}: it must be true or false`);
  };
  const pod = flag('usePodIdentity', ' flag');
  const machine = flag('useVMManagedIdentity', ' flag');
  const proxy = flag('useAzureTokenProxy', '');
  if (Number(pod) + Number(machine) + Number(proxy) > 1) {
    throw invalid('only one identity mode of usePodIdentity, useVMManagedIdentity and useAzureTokenProxy can be set');
  }
  const clientId = attribute('clientID');
  return () => {
    if (pod) return { mode: 'pod' };
    if (machine) {
      const assigned = attribute('userAssignedIdentityID');
      return { mode: 'vm', ...(assigned !== '' && { clientId: assigned }) };
    }
    if (proxy && clientId === '') throw invalid('clientID is required with useAzureTokenProxy');
    const token = clientId === '' ? undefined : accountToken(tokens);
    if (proxy) {
      if (token === undefined) throw invalid('service account tokens are required for identity binding');
      throw invalid('useAzureTokenProxy is not available here; leave it out to use clientID as a workload identity');
    }
    if (token !== undefined) return { mode: 'federated', clientId, token };
    const secret = new Map([...secrets].map(([name, value]) => [name.toLowerCase(), normalizeText(value)]));
    const credential = (name: string): string => {
      const value = secret.get(name);
      if (value) return value;
      const more =
        clientId === '' ? '' : `; clientID is set, but the CSIDriver asks for no token with audience ${tokenAudience}`;
      throw invalid(
        `${name} is not in the Secret of nodePublishSecretRef; name a Secret with clientid and clientsecret, or set ` +
          `usePodIdentity, useVMManagedIdentity or clientID${more}`,
      );
    };
    return { mode: 'service-principal', clientId: credential('clientid'), clientSecret: credential('clientsecret') };
  };
}

/**
 * Reads `{"<audience>": {"token": "...", "expirationTimestamp": "..."}}`; undefined without a token for Microsoft
 * Entra ID.
 */
function accountToken(json: string): string | undefined {
  if (json === '') return undefined;
  let tokens: Record<string, { readonly token?: unknown } | undefined>;
  try {
    tokens = JSON.parse(json) ?? {};
  } catch {
    throw invalid('the service account tokens are no JSON document');
  }
  const token = tokens[tokenAudience]?.token;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/**
 * Throws for an environment file other than the node's own. The file decides to which hosts tokens go, and the author
 * of a class or a pod could name any file on the node, also one in a pod's volume.
 */
function checkCloud(cloudName: string, file: string, { cloudFile, cloud }: NodeCloud): void {
  try {
    if (cloudName.toLowerCase() !== 'azurestackcloud') return void cloudByName(cloudName);
    // The provider does not read `cloudEnvFileName` here, so existing classes may keep it.
    if (cloud) return;
    if (file !== '' && file !== cloudFile) {
      throw invalid(
        `cloudEnvFileName ${JSON.stringify(file.slice(0, 200))} is not the file of the node's own settings; leave it out, ` +
          'or name it in AZURE_ENVIRONMENT_FILEPATH of their environment',
      );
    }
    cloudFromFile(cloudFile);
  } catch (error) {
    throw invalid(`cloudName ${cloudName.slice(0, 80)} is not valid: ${messageOf(error)}`);
  }
}

function texts(what: string, json: string): Map<string, string> {
  // Before it is parsed: sixty thousand members take a tenth of a second, in which all other volumes wait.
  if (hasMoreTexts(json, 2 * mostMembers)) throw invalid(`${what} has more than ${mostMembers} members`);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The parser's message quotes the document, which may contain secrets.
    throw invalid(`failed to unmarshal ${what}: it is no JSON document`);
  }
  // Go encodes an empty map as null.
  const entries = Object.entries(value ?? {});
  if (
    Array.isArray(value) ||
    typeof (value ?? {}) !== 'object' ||
    entries.some(([, text]) => typeof text !== 'string')
  ) {
    throw invalid(`failed to unmarshal ${what}: it is no JSON object of texts`);
  }
  return new Map(entries);
}

/** Whether a JSON document has more than so many texts, names of members included. */
function hasMoreTexts(json: string, most: number): boolean {
  let quotes = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0 && ++quotes > 2 * most) return true;
  }
  return false;
}

function modeOf(json: string): number {
  const mode = /^\d{1,5}$/.test(json) ? Number(json) : Number.NaN;
  if (mode <= 0o777) return mode;
  throw invalid(`failed to unmarshal file permission: ${JSON.stringify(json.slice(0, 20))} is no number up to 511`);
}

function invalid(message: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', message);
}
