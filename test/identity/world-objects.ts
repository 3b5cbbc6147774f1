/** Objects of pod identities in the embedded Kubernetes and Azure: make them, read them, wait for them. */
import {
  type Assigned,
  assignedType,
  bindingsType,
  identitiesType,
  nodesType,
  podsType,
} from '../../runtime/identity/objects.ts';
import { configMapsType } from '../../runtime/kube/client/core-types.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { until, waitMs } from '../fakes/eventually.ts';
import type { TestClient } from '../sandbox/azure/client.ts';

/** The condition Ready of an object. */
interface Ready {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The objects of a world, by names. */
export class WorldObjects {
  readonly azure: EmbeddedAzure;
  readonly client: KubeClient;
  readonly rest: TestClient;

  constructor(azure: EmbeddedAzure, client: KubeClient, rest: TestClient) {
    this.azure = azure;
    this.client = client;
    this.rest = rest;
  }

  identityId(name: string): string {
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  }

  machineId(kind: 'vm' | 'vmss', name: string): string {
    const type = kind === 'vm' ? 'virtualMachines' : 'virtualMachineScaleSets';
    return `/subscriptions/${this.azure.subscriptionId}/resourceGroups/nodes/providers/Microsoft.Compute/${type}/${name}`;
  }

  /** A user-assigned identity in Azure; gives its client id. */
  async azureIdentity(name: string): Promise<string> {
    const { body } = await this.rest.arm('PUT', this.identityId(name), '2023-01-31', { location: 'westus2' });
    return body.properties.clientId;
  }

  /** A machine in Azure, with these identities (names) and type. */
  async machine(
    kind: 'vm' | 'vmss',
    name: string,
    identity: object = { type: 'None' },
    location = 'westus2',
  ): Promise<string> {
    const id = this.machineId(kind, name);
    await this.rest.arm('PUT', id, '2019-12-01', { location, identity, properties: {} });
    return id;
  }

  /** Names of the identities attached, and the type. */
  async attached(machine: string): Promise<{ type: string; names: string[] }> {
    const { body } = await this.rest.arm('GET', machine, '2019-12-01');
    const ids = Object.keys(body.identity?.userAssignedIdentities ?? {});
    return { type: body.identity?.type ?? '', names: ids.map((id) => id.split('/').at(-1) as string).sort() };
  }

  /** PATCHes of machines that Azure accepted or refused, in order. */
  patches(machine = '') {
    return this.azure.journal.entries({ service: 'arm', method: 'PATCH', path: machine.replaceAll('.', '\\.') });
  }

  async node(name: string, providerID: string): Promise<void> {
    await this.client.create(nodesType, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID } });
  }

  async vmNode(name: string): Promise<string> {
    const id = await this.machine('vm', name);
    await this.node(name, `azure://${id}`);
    return id;
  }

  async pod(
    name: string,
    label: string | undefined,
    node: string,
    namespace = 'app',
    spec: object = {},
  ): Promise<void> {
    await this.client.create(podsType, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, labels: label === undefined ? {} : { aadpodidbinding: label } },
      spec: { nodeName: node, containers: [{ name: 'main', image: 'none' }], ...spec },
    });
  }

  async deletePod(name: string, namespace = 'app'): Promise<void> {
    await this.client.delete(podsType, { namespace, name }, { gracePeriodSeconds: 0 });
  }

  /** An AzureIdentity of type 0 for a user-assigned identity of the same name, unless the spec says otherwise. */
  async identity(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    await this.client.create(identitiesType, {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: 'AzureIdentity',
      metadata: { namespace: 'default', name, ...metadata },
      spec: {
        type: 0,
        resourceID: this.identityId(name),
        clientID: 'type' in spec && spec.type !== 0 ? `client-${name}` : '',
        ...spec,
      },
    });
  }

  async binding(
    name: string,
    selector: string,
    azureIdentity = name,
    spec: object = {},
    namespace = 'default',
  ): Promise<void> {
    await this.client.create(bindingsType, {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: 'AzureIdentityBinding',
      metadata: { namespace, name },
      spec: { selector, azureIdentity, ...spec },
    });
  }

  /** The identity in Azure, its AzureIdentity and a binding with its name as selector. */
  async bound(name: string): Promise<void> {
    const clientID = await this.azureIdentity(name);
    await this.identity(name, { clientID });
    await this.binding(name, name);
  }

  /** The condition Ready of an AzureIdentity, or of another object. */
  async ready(name: string, namespace = 'default', type = identitiesType): Promise<Ready | undefined> {
    const object = await this.client.get(type, { namespace, name });
    return object['status']?.conditions?.find((each: { type: string }) => each.type === 'Ready');
  }

  /** Polls until the condition Ready has this reason, such as `Accepted`, or status and reason; gives its message. */
  async untilReady(name: string, expected = 'Accepted', namespace = 'default', type = identitiesType): Promise<string> {
    let message = '';
    await this.until(async () => {
      const seen = await this.ready(name, namespace, type);
      message = seen?.message ?? '';
      return { ok: [seen?.reason, `${seen?.status} ${seen?.reason}`].includes(expected), seen };
    }, `${name} ${expected}`);
    return message;
  }

  async deleteAzureIdentity(name: string): Promise<void> {
    await this.rest.arm('DELETE', this.identityId(name), '2023-01-31');
  }

  /** Names of the identities that the controller has recorded as attached by it. */
  async recorded(machine: string): Promise<string[]> {
    const { items } = await this.client.list(configMapsType, { namespace: 'azimuth-system' });
    const found = items.find(({ data }) => data?.machine === machine.toLowerCase());
    const ids: string[] = JSON.parse(found?.['data']?.identities ?? '[]');
    return ids.map((id) => id.split('/').at(-1) as string).sort();
  }

  async assigned(): Promise<Assigned[]> {
    return (await this.client.list<Assigned>(assignedType, { limit: 0 })).items;
  }

  /** Polls until the first AzureAssignedIdentity is as wanted. */
  async untilAssigned(isWanted: (object: Assigned) => boolean, expected: string): Promise<void> {
    await this.until(async () => {
      const [seen] = await this.assigned();
      return { ok: seen !== undefined && isWanted(seen), seen };
    }, expected);
  }

  /** `namespace/name state` of every AzureAssignedIdentity, sorted. */
  async states(): Promise<string[]> {
    return (await this.assigned())
      .map(({ metadata, status }) => `${metadata.namespace}/${metadata.name} ${status?.status}`)
      .sort();
  }

  /** Polls until the states are these; fails with the last ones seen. */
  async untilStates(expected: readonly string[], limitMs = waitMs): Promise<void> {
    await this.until(
      async () => {
        const seen = await this.states();
        return { ok: same(seen, expected), seen };
      },
      expected,
      limitMs,
    );
  }

  async untilAttached(machine: string, names: readonly string[], limitMs = waitMs): Promise<void> {
    await this.until(
      async () => {
        const seen = await this.attached(machine);
        return { ok: same(seen.names, [...names].sort()), seen };
      },
      names,
      limitMs,
    );
  }

  async until(
    check: () => Promise<{ ok: boolean; seen: unknown }>,
    expected: unknown,
    limitMs = waitMs,
  ): Promise<void> {
    let seen: unknown;
    await until(
      () => `${JSON.stringify(expected)}; last seen: ${JSON.stringify(seen)}`,
      async () => {
        const result = await check();
        seen = result.seen;
        return result.ok;
      },
      limitMs,
    );
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}
