/** Machines with ManagedSecrets on a real API server, whose vaults lie in three regions of an embedded Azure. */
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { managedSecret } from '../../../runtime/api/machines/managed-secret.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { eventually } from '../../fakes/eventually.ts';
import { machineSpec } from '../../operator/machines/secret-machines.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';

const typeOf = (group: string, kind: string): ResourceType => resourceOf(kindOf(group, kind));
const vaultType = typeOf('keyvault.azure.com', 'Vault');
const groupType = typeOf('resources.azure.com', 'ResourceGroup');
export const secretType = resourceOf(managedSecret);
export const machineType = typeOf('compute.azure.com', 'VirtualMachine');
export const setType = typeOf('compute.azure.com', 'VirtualMachineScaleSet');

/** The regions, the home vault's first. */
export const locations = ['westeurope', 'northeurope', 'eastus'] as const;
/** The number of a version, and whether it is enabled. */
export type Numbered = readonly [number: string, enabled: boolean];

const vaultRef = (name: string) => ({ group: 'keyvault.azure.com', kind: 'Vault', name });
/** A reason of a condition of an object. */
export const reasonOf = (found: KubeObject | undefined, type = 'Ready'): string | undefined =>
  found?.['status']?.conditions?.find((each: { type: string }) => each.type === type)?.reason;

/** One namespace with its objects. */
export class MachinePlace {
  readonly azure: EmbeddedAzure;
  readonly namespace: string;
  readonly client: KubeClient = createKubeClient(loadKubeConnection({}));
  readonly #rest: TestClient;

  constructor(azure: EmbeddedAzure, namespace: string) {
    this.azure = azure;
    this.namespace = namespace;
    this.#rest = new TestClient(azure);
  }

  /** Makes the namespace, the resource group and a vault in each region, and approves the use of ManagedSecrets. */
  async prepare(): Promise<void> {
    await tryKubectl(['create', 'namespace', this.namespace]);
    await this.apply(groupType, 'rg', { location: 'westeurope' });
    const properties = {
      tenantId: this.azure.tenantId,
      sku: { family: 'A', name: 'standard' },
      enableRbacAuthorization: true,
      enabledForDeployment: true,
    };
    for (const [name, location] of [
      ...locations.map((each) => [`azms${each}`, each] as const),
      ['azmsaway', 'westeurope'] as const,
    ])
      await this.apply(vaultType, name, { location, owner: { name: 'rg' }, properties });
    for (const name of [...locations.map((each) => `azms${each}`), 'azmsaway']) {
      const { status } = await this.until(vaultType, name, (found) => reasonOf(found) === 'Succeeded');
      this.azure.assignRole(this.azure.defaultApp.objectId, 'Key Vault Administrator', status?.id);
    }
    const spec = { subscription: this.azure.subscriptionId, feature: 'azimuth.dev/ManagedSecrets' };
    await this.#gate('FeatureRegistration', spec);
    await this.approve();
  }

  approve(): Promise<void> {
    return this.#gate('FeatureApproval', { for: { name: this.namespace } });
  }

  async withdraw(): Promise<void> {
    await kubectl(['delete', 'featureapprovals.azimuth.dev', this.namespace]);
  }

  async #gate(kind: string, spec: object): Promise<void> {
    const metadata = { name: this.namespace };
    await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'azimuth.dev/v1alpha1', kind, metadata, spec }));
  }

  async apply(type: ResourceType, name: string, spec: object, annotations?: Record<string, string>): Promise<void> {
    const metadata = { namespace: this.namespace, name, ...(annotations && { annotations }) };
    const object = { apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec };
    await this.client.apply<KubeObject>(type, object, { fieldManager: 'cluster-test', force: true });
  }

  /** A certificate with copies in these regions; `word` asks for another version, `more` are members of its spec. */
  async certificate(
    name: string,
    regions: readonly string[],
    word?: string,
    home = 'azmswesteurope',
    more: object = {},
  ): Promise<void> {
    const spec = {
      kind: 'Certificate',
      home: { vault: vaultRef(home) },
      regions: regions.map((location) => ({ location, vault: vaultRef(`azms${location}`) })),
      rotation: { overlap: '0s' },
      certificate: { subject: `CN=${name}`, keyType: 'EC' },
      vaultSecretName: name,
      ...more,
    };
    await this.apply(secretType, name, spec, word === undefined ? undefined : { 'azimuth.dev/renew': word });
  }

  async machine(name: string, secret: string, location: string): Promise<void> {
    await this.apply(machineType, name, machineSpec(secret, 'OsProfile', location));
  }

  /** Waits for an object of the API server. */
  async until(type: ResourceType, name: string, look: (found: KubeObject) => boolean): Promise<KubeObject> {
    let last: KubeObject | undefined;
    await eventually(
      `${type.kind} ${name}`,
      async () => {
        last = await this.client.tryGet<KubeObject>(type, { namespace: this.namespace, name });
        return last !== undefined && look(last);
      },
      180_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; last ${JSON.stringify(last?.['status'])}`);
    });
    return last as KubeObject;
  }

  /** Waits until a machine or a whole scale set has this version of its secret. */
  async delivered(type: ResourceType, name: string, version: number): Promise<KubeObject> {
    return await this.until(type, name, (found) => {
      const wanted = found['status']?.managedSecrets?.wanted?.[0]?.version;
      return reasonOf(found, 'SecretsDelivered') === 'Delivered' && wanted === version;
    });
  }

  /** Waits until these are the versions of a certificate in a vault, oldest first. */
  async untilNumbered(vault: string, name: string, expected: readonly Numbered[]): Promise<void> {
    let last: readonly Numbered[] = [];
    await eventually(
      `the versions of ${name} in ${vault}`,
      async () => {
        last = await this.numbered(vault, name);
        return JSON.stringify(last) === JSON.stringify(expected);
      },
      180_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; last ${JSON.stringify(last)}`);
    });
  }

  /** Versions of a certificate as its vault lists them. */
  async numbered(vault: string, name: string): Promise<readonly Numbered[]> {
    const token = await this.#rest.token('https://vault.azure.net/.default');
    const url = `https://${vault}.${this.azure.endpoints.vaultSuffix}/certificates/${name}/versions?api-version=7.4`;
    const { body } = await this.#rest.send('GET', url, { token });
    type Item = { attributes: { enabled: boolean }; tags?: Record<string, string> };
    const items = ((body as { value?: Item[] }).value ?? []).map(
      ({ tags, attributes }): Numbered => [tags?.['azimuth-version'] ?? '', attributes.enabled],
    );
    return items.sort(([a], [b]) => Number(a) - Number(b));
  }

  /** The ARM id of a scale set. */
  setId(name: string): string {
    const { subscriptionId } = this.azure;
    return `/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/${name}`;
  }

  /** For each instance of a set, whether it has the newest model. */
  async instances(name: string): Promise<readonly boolean[]> {
    const { body } = await this.#rest.arm('GET', `${this.setId(name)}/virtualMachines`, '2024-07-01');
    type Item = { properties: { latestModelApplied: boolean } };
    return (body as { value: Item[] }).value.map(({ properties }) => properties.latestModelApplied);
  }

  /** Deletes all objects while the operator runs, which removes their finalizers. */
  async close(): Promise<void> {
    const types = [setType, machineType, secretType, vaultType, groupType];
    for (const { plural, group } of types)
      await kubectl(['delete', `${plural}.${group}`, '--all', '-n', this.namespace, '--timeout=120s']);
    await kubectl(['delete', 'featureregistrations.azimuth.dev', this.namespace]);
    await this.client.close();
  }
}
