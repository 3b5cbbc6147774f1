/** Machines and the secrets that they use: the input of every check and of the plan, and where each field is in a body. */
import type { ManagedSecretKind } from '../../api/machines/managed-secret-spec.ts';
import type { Delivery } from '../../api/machines/secret-references.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { OsType } from '../problems/compute-problem.ts';

/** A virtual machine or a scale set, with data that its body lacks. */
export interface Machine {
  readonly kind: 'VirtualMachine' | 'VirtualMachineScaleSet';
  /** The body of the PUT in ARM's form: `{location, identity, properties}`. It is read, never changed. */
  readonly body: JsonObject;
  readonly os: OsType;
  /** Location of the machine, in any spelling. */
  readonly location: string;
  /** '' where it is not known. */
  readonly subscriptionId: string;
  /** Whether Azure has the machine already. @default false */
  readonly exists?: boolean;
  /** Of a virtual machine: the extensions that others declare for it. @default none */
  readonly extensions?: readonly MachineExtension[];
  /** The user-assigned identity with which the Key Vault extension reads vaults. @default the only one, if its client id is known */
  readonly vaultIdentity?: MachineIdentity;
  /** Port of the vaults; only the sandbox's listen elsewhere. @default 443 */
  readonly vaultPort?: number;
}

/** An extension of a machine, in ARM's form. */
export interface MachineExtension {
  readonly name: string;
  readonly properties: JsonObject;
}

/** A user-assigned identity. */
export interface MachineIdentity {
  /** ARM id. */
  readonly id: string;
  readonly clientId: string;
}

/** One entry of `operatorSpec.managedSecrets` with its resolved version or identity. */
export interface SecretUse {
  /** Name of the managed secret. */
  readonly name: string;
  readonly kind: ManagedSecretKind;
  /** A text, as checks refuse other deliveries with the reason. */
  readonly delivery: Delivery | (string & {});
  /** Windows: the store, such as My. */
  readonly certificateStore?: string;
  /** The version in the vault of the machine's region; undefined until it exists, and not needed by Endpoint and Identity. */
  readonly version?: SecretVersion;
  /** Number of the newest version in the vault, which a reader without a version gets; undefined where it is this version. */
  readonly latest?: number;
  /** The account that a password or key is for. @default the machine's adminUsername */
  readonly userName?: string;
  /** The identity that a secret of kind Identity is. */
  readonly identity?: MachineIdentity;
}

/** A version of a managed secret in one vault. */
export interface SecretVersion {
  readonly vaultId: string;
  readonly vaultLocation: string;
  /** The vault's flag that lets Compute read it. */
  readonly enabledForDeployment: boolean;
  /** `https://<vault>/secrets/<name>/<version>` */
  readonly secretUrl: string;
  /** Whether the private key of a certificate may leave the vault. @default true */
  readonly exportable?: boolean;
  readonly contentType?: string;
}

/** The path of the machine's profile in the body: the properties, or the profile of each instance of a scale set. */
export function profilePath({ kind }: Pick<Machine, 'kind'>): string {
  return kind === 'VirtualMachine' ? 'properties' : 'properties.virtualMachineProfile';
}

/** A member that is an object; an empty one for anything else. */
export function objectIn(value: unknown, ...names: readonly string[]): JsonObject {
  let at: unknown = value;
  for (const name of names) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return isObject(at) ? at : {};
}

/** A member that is a list; an empty one for anything else. */
export function listIn(value: JsonObject, name: string): readonly unknown[] {
  const list = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** A member that is a text; undefined for anything else. */
export function textIn(value: JsonObject, name: string): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The profile: the object at `profilePath`. */
export function profileOf(machine: Machine): JsonObject {
  return objectIn(machine.body, ...profilePath(machine).split('.'));
}

/** The osProfile of the machine or of each instance. */
export function osProfileOf(machine: Machine): JsonObject {
  return objectIn(profileOf(machine), 'osProfile');
}

/** `windowsConfiguration` or `linuxConfiguration`, by the machine's system. */
export function osConfigurationOf(machine: Machine): JsonObject {
  return objectIn(osProfileOf(machine), machine.os === 'Windows' ? 'windowsConfiguration' : 'linuxConfiguration');
}

/** The extensions of a scale set's model, or those that are known of a virtual machine. */
export function extensionsOf(machine: Machine): readonly MachineExtension[] {
  if (machine.kind === 'VirtualMachine') return machine.extensions ?? [];
  const list = listIn(objectIn(profileOf(machine), 'extensionProfile'), 'extensions');
  return list
    .filter(isObject)
    .map((each) => ({ name: textIn(each, 'name') ?? '', properties: objectIn(each, 'properties') }));
}

/** Whether an extension is of this publisher and type; Azure compares them without regard to case. */
export function isExtension({ properties }: MachineExtension, publisher: string, type: string): boolean {
  const is = (name: string, wanted: string) => textIn(properties, name)?.toLowerCase() === wanted.toLowerCase();
  return is('publisher', publisher) && is('type', type);
}

/** The path of an extension's properties: in the model of a scale set, or in a resource of its own. */
export function extensionPath({ kind }: Pick<Machine, 'kind'>, name: string): string {
  const list = kind === 'VirtualMachine' ? 'extensions' : `${profilePath({ kind })}.extensionProfile.extensions`;
  return `${list}[${name.slice(0, 80)}].properties`;
}

/** A name for a new extension: its type, or another one where an extension of another type has that name. */
export function newExtensionName(machine: Machine, type: string): string {
  const taken = extensionsOf(machine).some(({ name }) => name.toLowerCase() === type.toLowerCase());
  return taken ? `azimuth-${type}` : type;
}

/** The identities of a body: whether it has its own, and the ARM ids of the user-assigned ones as written. */
export function identitiesOf(body: JsonObject): { readonly system: boolean; readonly userAssigned: readonly string[] } {
  const identity = objectIn(body, 'identity');
  const system = (textIn(identity, 'type') ?? '').toLowerCase().includes('systemassigned');
  return { system, userAssigned: Object.keys(objectIn(identity, 'userAssignedIdentities')) };
}
