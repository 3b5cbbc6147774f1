import { tryKindOf } from '../../api/kinds.ts';
import { managedSecret } from '../../api/machines/managed-secret.ts';
import {
  type AdminCredentials,
  type AdminInput,
  adminCredentials,
  passwordToSend,
} from '../../arm-kinds/generated-admin-secret.ts';
import type { Input, KeyVaultSource, ResolvedInputs } from '../../arm-kinds/inputs.ts';
import type { ArmModel, ExistingOwner, OwnerLink } from '../../arm-kinds/model.ts';
import { reasons } from '../../arm-kinds/names.ts';
import { objectLinks } from '../../arm-kinds/object-links.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import type { Edge, Wait } from '../../engine/index.ts';
import { configMapsType, secretsType } from '../../kube/client/core-types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import { nodeId } from '../objects/node-id.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import { usableId } from '../objects/resource-id.ts';
import type { FingerprintKey } from './fingerprint-key.ts';
import { InputValues, type RemoteInput } from './input-values.ts';
import type { WellKnownRoles } from './well-known-roles.ts';

/** The objects and values that an object refers to, as far as they exist. */
export interface Resolution {
  readonly waits: readonly Wait[];
  readonly owner: (ExistingOwner & { readonly object: KubeObject | undefined }) | undefined;
  readonly inputs: ResolvedInputs;
  /** Changes with the values from Secrets only; '' without Secrets. */
  readonly inputsVersion: string;
  /** Texts of secrets of which a value in the body is made, which Azure may repeat in an error. @default none */
  readonly secretParts?: readonly string[];
  /** Generated credentials, where the object requests them. */
  readonly admin?: AdminCredentials | undefined;
}

/** The sources that `resolve` reads. */
export interface Resolver {
  readonly client: KubeClient;
  readonly objects: ObjectIndex;
  /** ARM ids of built-in roles by name. Throws when Azure cannot be reached. */
  readonly roles: (name: string) => ReturnType<WellKnownRoles['find']>;
  /** Reads an answer of Azure or a secret of a vault; undefined for one that does not exist. @default none exists */
  readonly values?: (input: RemoteInput) => Promise<unknown>;
  /** The current version of a ManagedSecret of the namespace, or why there is none. @default there is none */
  readonly managedSecrets?: (
    name: string,
  ) => KeyVaultSource | { readonly reason: string; readonly message: string } | undefined;
  readonly fingerprints: Pick<FingerprintKey, 'of'>;
  readonly signal: AbortSignal;
}

/** Resolves all references of an object. Reads each Secret and ConfigMap from the API server once. */
export async function resolve(model: ArmModel, object: KubeObject, from: Resolver): Promise<Resolution> {
  const lookup = new Lookup(object, from);
  const owner = lookup.owner(model.owner(object));
  for (const input of model.inputs(object)) await lookup.input(input);
  const secrets = [...lookup.values.secrets];
  return {
    waits: lookup.waits,
    owner,
    inputs: lookup.values.inputs,
    inputsVersion: secrets.length === 0 ? '' : await from.fingerprints.of(secrets, from.signal),
    secretParts: lookup.values.parts,
    ...(lookup.admin && { admin: lookup.admin }),
  };
}

/**
 * The edges to all objects that the object names, existing or not. Set before reading them, so that no change is
 * missed.
 */
export function edgesOf(model: ArmModel, object: KubeObject): Edge[] {
  const { namespace = '' } = object.metadata;
  return objectLinks(model, object).map(({ relation, group, kind, name }) => ({
    kind: relation,
    to: nodeId(group, kind, { namespace, name }),
  }));
}

const absent = 'does not exist in this namespace yet';
const unserved = 'is of a kind that this operator does not serve';

class Lookup {
  readonly waits: Wait[] = [];
  readonly values = new InputValues();
  admin: AdminCredentials | undefined;
  readonly #object: KubeObject;
  readonly #namespace: string;
  readonly #from: Resolver;
  readonly #read = new Map<string, Promise<KubeObject | undefined>>();

  constructor(object: KubeObject, from: Resolver) {
    this.#object = object;
    this.#namespace = object.metadata.namespace ?? '';
    this.#from = from;
  }

  owner(link: OwnerLink | undefined): Resolution['owner'] {
    if (!link) return undefined;
    if ('armId' in link) return { armId: link.armId, object: undefined };
    const { group, kinds, name } = link;
    const key = { namespace: this.#namespace, name };
    const wait = (kind: string, message: string): undefined => {
      this.waits.push({ kind: 'owner', node: nodeId(group, kind, key), reason: reasons.waitingForOwner, message });
    };
    const referenced = kinds
      .map((kind) => this.#from.objects.get(group, kind, key))
      .find((object) => object !== undefined);
    const asked = kinds.join(' or ');
    if (!referenced) {
      const problem = kinds.some((kind) => this.#from.objects.has(group, kind)) ? absent : unserved;
      return wait(kinds[0] ?? '', `The owner, ${asked} ${name}, ${problem}`);
    }
    if (referenced.metadata.deletionTimestamp)
      return wait(referenced.kind, `The owner, ${referenced.kind} ${name}, is being deleted`);
    const armId = usableId(referenced);
    if (armId === undefined) {
      return wait(referenced.kind, `The owner, ${referenced.kind} ${name}, is not in Azure yet`);
    }
    const { childScope } = tryKindOf(group, referenced.kind)?.arm ?? {};
    const scope = childScope === undefined ? armId : (referenced['status']?.childScope as string | undefined);
    if (scope === undefined)
      return wait(referenced.kind, `The owner, ${referenced.kind} ${name}, does not show ${childScope} yet`);
    return { armId: scope, object: referenced };
  }

  async input(input: Input): Promise<void> {
    switch (input.type) {
      case 'reference':
        return this.#reference(input);
      case 'wellKnown': {
        const role = await this.#from.roles(input.name);
        if (role !== undefined) this.values.inputs.set(input.path, role);
        else
          this.#missing(
            'reference',
            '',
            reasons.referenceNotFound,
            `Azure has no ${input.name}, named by ${input.path}`,
          );
        return;
      }
      case 'literal':
        this.values.inputs.set(input.path, input.value);
        return;
      case 'secret':
        return this.#secret(input);
      case 'azure':
      case 'keyVault':
        return this.#remoteValue(input);
      case 'managedSecret':
        return this.#managedSecret(input);
      case 'expression':
        return this.values.expression(input);
      case 'configMap':
        return this.#configMap(input);
      case 'credentials':
        return this.#credentials(input);
    }
  }

  #reference({ path, reference }: Extract<Input, { type: 'reference' }>): void {
    const { armId, group = '', kind = '', name = '' } = reference;
    if (armId !== undefined) {
      this.values.inputs.set(path, armId);
      return;
    }
    const key = { namespace: this.#namespace, name };
    const node = nodeId(group, kind, key);
    const referenced = this.#from.objects.get(group, kind, key);
    const id = referenced && usableId(referenced);
    if (id !== undefined) {
      this.values.inputs.set(path, id);
      return;
    }
    const problem = this.#from.objects.has(group, kind) ? (referenced ? 'is not in Azure yet' : absent) : unserved;
    this.#missing('reference', node, reasons.referenceNotFound, `${kind} ${name}, named by ${path}, ${problem}`);
  }

  async #secret({ path, name, key }: Extract<Input, { type: 'secret' }>): Promise<void> {
    const node = this.#node('Secret', name);
    const secret = await this.#fetch(secretsType, name);
    const data = (secret?.['data'] ?? {}) as Record<string, string>;
    const decode = (value: string) => Buffer.from(value, 'base64').toString('utf8');
    // A key may be named `constructor`, which every object inherits.
    if (!secret || (key !== undefined && !Object.hasOwn(data, key))) {
      return this.#missing(
        'secret',
        node,
        reasons.secretNotFound,
        unfound(`Secret ${name}`, secret && data, key, path),
      );
    }
    this.values.secret({ type: 'secret', path, name, key }, () =>
      key === undefined ? mapValues(data, decode) : decode(data[key] ?? ''),
    );
  }

  async #managedSecret({ path, name }: Extract<Input, { type: 'managedSecret' }>): Promise<void> {
    const { group, kind } = managedSecret;
    const version = this.#from.managedSecrets?.(name) ?? {
      reason: reasons.referenceNotFound,
      message: `ManagedSecret ${name}, named by spec.${path}, needs an operator with --machine-secrets`,
    };
    if (!('reason' in version)) return await this.#remoteValue({ type: 'keyVault', path, ...version });
    const node = nodeId(group, kind, { namespace: this.#namespace, name });
    this.#missing('reference', node, version.reason, version.message);
  }

  /** Sends no request where the object has to wait for something else. */
  async #remoteValue(input: RemoteInput): Promise<void> {
    if (this.waits.length > 0) return;
    if (await this.values.remote(input, async (each) => this.#from.values?.(each))) return;
    const message = `${input.id}, named by spec.${input.path}, does not exist in Azure`;
    this.waits.push({ kind: 'reference', node: '', reason: reasons.referenceNotFound, message, endsInAzure: true });
  }

  async #configMap({ path, name, key }: Extract<Input, { type: 'configMap' }>): Promise<void> {
    const node = this.#node('ConfigMap', name);
    const configMap = await this.#fetch(configMapsType, name);
    const data = (configMap?.['data'] ?? {}) as Record<string, string>;
    if (Object.hasOwn(data, key)) this.values.inputs.set(path, data[key]);
    else {
      const what = unfound(`ConfigMap ${name}`, configMap && data, key, path);
      this.#missing('config', node, reasons.configMapNotFound, what);
    }
  }

  /** Needs no wait: the operator generates missing credentials. */
  async #credentials(input: AdminInput): Promise<void> {
    this.admin = adminCredentials(input, this.#object, await this.#fetch(secretsType, input.name));
    if (this.admin.task === 'generate') return;
    this.values.inputs.set(input.path, new SecretValue(passwordToSend(this.admin)));
    this.values.inputs.set(input.login, new SecretValue(this.admin.userName));
    this.values.secrets.set(input.path, passwordToSend(this.admin));
  }

  #node(kind: string, name: string): string {
    return nodeId('', kind, { namespace: this.#namespace, name });
  }

  #missing(kind: Edge['kind'], node: string, reason: string, message: string): void {
    this.waits.push({ kind, node, reason, message });
  }

  #fetch(type: ResourceType, name: string): Promise<KubeObject | undefined> {
    const id = `${type.kind} ${name}`;
    const reading =
      this.#read.get(id) ?? this.#from.client.tryGet(type, { namespace: this.#namespace, name }, this.#from.signal);
    this.#read.set(id, reading);
    return reading;
  }
}

/** Names which of the two to fix: a missing object, or a missing key. Shows no values. */
function unfound(what: string, data: object | undefined, key: string | undefined, path: string): string {
  const named = `(named by ${path})`;
  if (!data) return `${what} does not exist yet ${named}`;
  const keys = Object.keys(data).sort();
  const more = keys.length > shownKeys ? ` and ${keys.length - shownKeys} more` : '';
  return `${what} has no key ${key}; it has ${keys.slice(0, shownKeys).join(', ') || 'none'}${more} ${named}`;
}

/** Keys listed in a condition, which people read. */
const shownKeys = 10;

function mapValues(data: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value)]));
}
