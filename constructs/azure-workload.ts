import { Chart } from 'cdk8s';
import type { Workload } from 'cdk8s-plus-27';
import type { AzureResource } from './azure-resource.ts';
import type { Registry } from './generated/containerregistry.ts';
import type { Namespace as EventHubs } from './generated/eventhub.ts';
import type { Vault } from './generated/keyvault.ts';
import type { Namespace as ServiceBus } from './generated/servicebus.ts';
import type { StorageAccount } from './generated/storage.ts';
import { KeyVaultVolume } from './key-vault/key-vault-volume.ts';
import type { CsiObject, CsiReader, VaultObject } from './key-vault/key-vault-volume-props.ts';
import { AzureIdentity } from './pod-identity/azure-identity.ts';
import { PodIdentity } from './pod-identity/pod-identity.ts';
import { checkName } from './private/unique-names.ts';
import { type GrantedRole, grants } from './resources/built-in-roles.ts';
import { grantRole } from './resources/grant.ts';
import { WorkloadIdentity } from './workload-identity/workload-identity.ts';

/** A resource that workloads read. */
export type ReadableResource = Vault | StorageAccount | Registry | ServiceBus | EventHubs;

/** A resource that workloads write. */
export type WritableResource = Vault | StorageAccount | ServiceBus | EventHubs;

/** Options of `AzureWorkload.mount` for both drivers. */
interface AnyMountOptions {
  /**
   * Directory in each container of the workload.
   *
   * @default '/vault'
   */
  readonly path?: string;

  /**
   * The tenant of the vault.
   *
   * @default `spec.properties.tenantId` of the vault; required without
   */
  readonly tenantId?: string;
}

/** Options of `AzureWorkload.mount` for a volume of the driver `azure/kv`. */
export interface MountOptions extends AnyMountOptions {
  /**
   * The driver: `azure/kv` (a FlexVolume).
   *
   * @default 'flex'
   */
  readonly driver?: 'flex';

  /**
   * Keeps the files up to date.
   *
   * @default false
   */
  readonly refresh?: boolean;
}

/** Options of `AzureWorkload.mount` for a volume of the Secrets Store CSI driver, which has its own rotation. */
export interface CsiMountOptions extends AnyMountOptions {
  /** The driver: the Secrets Store CSI driver, with a SecretProviderClass that `mount` makes. */
  readonly driver: 'csi';

  /**
   * The provider of the driver that serves the volume.
   *
   * @default 'azure'
   */
  readonly provider?: string;
}

type UserAssigned = AzureResource<'managedidentity.azure.com/UserAssignedIdentity'>;

/** The roles of `canRead` and `canWrite` by kind. */
const reading: Readonly<Record<ReadableResource['resourceType'], GrantedRole>> = {
  'keyvault.azure.com/Vault': grants['keyvault.azure.com/Vault'].grantRead,
  'storage.azure.com/StorageAccount': grants['storage.azure.com/StorageAccount'].grantBlobRead,
  'containerregistry.azure.com/Registry': grants['containerregistry.azure.com/Registry'].grantPull,
  'servicebus.azure.com/Namespace': grants['servicebus.azure.com/Namespace'].grantReceive,
  'eventhub.azure.com/Namespace': grants['eventhub.azure.com/Namespace'].grantReceive,
};
const writing: Readonly<Record<WritableResource['resourceType'], GrantedRole>> = {
  'keyvault.azure.com/Vault': grants['keyvault.azure.com/Vault'].grantWrite,
  'storage.azure.com/StorageAccount': grants['storage.azure.com/StorageAccount'].grantBlobWrite,
  'servicebus.azure.com/Namespace': grants['servicebus.azure.com/Namespace'].grantSend,
  'eventhub.azure.com/Namespace': grants['eventhub.azure.com/Namespace'].grantSend,
};

/**
 * Identities of a workload's pods, and their rights in Azure.
 *
 * ```ts
 * AzureWorkload.of(deployment).use(identity).canRead(vault).mount(vault, [{ type: 'secret', name: 'web' }]);
 * ```
 *
 * The pods get the identity by AAD Pod Identity's kinds: an AzureIdentity, a binding and a label; or by the service
 * account of a WorkloadIdentity.
 */
export class AzureWorkload {
  static readonly #known = new WeakMap<Workload, AzureWorkload>();
  readonly #workload: Workload;
  readonly #problems: string[] = [];
  #identity: UserAssigned | undefined;
  #identities = 0;
  #serviceAccount: WorkloadIdentity | undefined;

  private constructor(workload: Workload) {
    this.#workload = workload;
    workload.node.addValidation({ validate: () => this.#problems });
  }

  /** The same object for the same workload. */
  static of(workload: Workload): AzureWorkload {
    const known = AzureWorkload.#known.get(workload) ?? new AzureWorkload(workload);
    AzureWorkload.#known.set(workload, known);
    return known;
  }

  /**
   * Gives the pods the identity: by pod identity, or by the service account of a WorkloadIdentity. Later calls are for
   * this identity; the first one serves requests that name none.
   */
  use(identity: UserAssigned | AzureIdentity | WorkloadIdentity): this {
    this.#identities++;
    const isConstruct = identity instanceof AzureIdentity || identity instanceof WorkloadIdentity;
    this.#identity = isConstruct ? identity.identity : identity;
    this.#serviceAccount = identity instanceof WorkloadIdentity ? identity : undefined;
    if (identity instanceof WorkloadIdentity) {
      identity.inject(this.#workload);
      return this;
    }
    PodIdentity.of(this.#workload).use(identity instanceof AzureIdentity ? identity : this.#podIdentity(identity));
    return this;
  }

  /** Lets the identity read secrets of a vault, blobs, or messages, or pull images: the least role for it. */
  canRead(resource: ReadableResource): this {
    return this.#grant('canRead', resource, reading[resource.resourceType]);
  }

  /** Lets the identity write secrets of a vault or blobs, or send messages: the least role for it. */
  canWrite(resource: WritableResource): this {
    return this.#grant('canWrite', resource, writing[resource.resourceType]);
  }

  /**
   * Lets the identity read the vault, and mounts objects of it as files into the containers that the workload has: by
   * the driver `azure/kv`, or with `driver: 'csi'` by the Secrets Store CSI driver.
   */
  mount(vault: Vault, objects: readonly VaultObject[], options?: MountOptions): this;
  mount(vault: Vault, objects: readonly CsiObject[], options: CsiMountOptions): this;
  mount(vault: Vault, objects: readonly CsiObject[], options: MountOptions | CsiMountOptions = {}): this {
    const byIds = this.#serviceAccount !== undefined && this.#identity === undefined;
    // An identity that is known by its ids got the role from its creator.
    if (!byIds) this.canRead(vault);
    const { azureName = vault.name, properties } = vault.spec;
    const tenantId = options.tenantId ?? properties.tenantId ?? '';
    const { containers } = this.#workload;
    if (tenantId === '') {
      this.#problems.push(`mount(${vault.name}): give \`tenantId\`, because the spec of the vault does not have it`);
    }
    if (containers.length === 0) {
      this.#problems.push(`mount(${vault.name}): the workload has no container yet; call it after \`addContainer\``);
    }
    const reader = this.#reader(vault, options.driver ?? 'flex');
    if (!reader) return this;
    const id = `vault-${vault.name}`;
    const shared = { vault: azureName, tenantId };
    const volume =
      options.driver === 'csi'
        ? KeyVaultVolume.csi(this.#workload, id, {
            ...shared,
            reader,
            objects,
            ...(options.provider !== undefined && { provider: options.provider }),
            ...(this.#namespace !== undefined && { namespace: this.#namespace }),
          })
        : KeyVaultVolume.flex(this.#workload, id, {
            ...shared,
            reader: { kind: 'pod' },
            objects: objects as readonly VaultObject[],
            ...(options.refresh && { refresh: true }),
          });
    for (const container of containers) container.mount(options.path ?? '/vault', volume, { readOnly: true });
    return this;
  }

  get #namespace(): string | undefined {
    return this.#workload.metadata.namespace ?? Chart.of(this.#workload).namespace;
  }

  /** The identity that reads a vault for a volume; undefined with a problem where the driver cannot use it. */
  #reader(vault: Vault, driver: 'flex' | 'csi'): CsiReader | undefined {
    if (!this.#serviceAccount) return { kind: 'pod' };
    const { clientId } = this.#serviceAccount;
    if (driver === 'csi' && clientId !== undefined) return { kind: 'workload', clientId };
    const how =
      driver === 'csi'
        ? "a SecretProviderClass has the client id as text: give WorkloadIdentity the identity's ids, or give `use()` the"
        : "volumes of `azure/kv` read the vault by a pod identity; choose `driver: 'csi'`, or give `use()` the";
    this.#problems.push(`mount(${vault.name}): ${how} UserAssignedIdentity or an AzureIdentity`);
    return undefined;
  }

  #podIdentity(identity: UserAssigned): AzureIdentity {
    const { node } = Chart.of(identity);
    const plainId = `pods-${identity.name}`;
    // Identities of several namespaces may have one name.
    const fullId = `${plainId}-${identity.node.addr.slice(-8)}`;
    const known = [plainId, fullId].map((id) => node.tryFindChild(id));
    const same = known.find((each) => each instanceof AzureIdentity && each.identity === identity);
    if (same instanceof AzureIdentity) return same;
    const made = new AzureIdentity(Chart.of(identity), known[0] ? fullId : plainId, {
      name: identity.name,
      namespace: identity.namespace ?? 'default',
      credential: { kind: 'userAssigned', identity },
    });
    checkName(made, '`metadata.name` of the UserAssignedIdentity');
    return made;
  }

  #grant(method: string, resource: ReadableResource, role: GrantedRole): this {
    if (this.#identity) grantRole(resource, this.#identity, role);
    else {
      const problem =
        this.#identities === 0
          ? 'call `use(identity)` before it'
          : 'the identity of `use()` names ids and no UserAssignedIdentity object; give `use()` one that does';
      this.#problems.push(`${method}(${resource.name}): ${problem}`);
    }
    return this;
  }
}
