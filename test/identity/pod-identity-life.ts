/** The life of the pods of a run: their identities of each type, their tokens, and their end. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { userAssignedIdentitiesType } from '../../runtime/api/pod-identity/identity-reference.ts';
import type { DemoWorld } from '../../runtime/cli/demo/world.ts';
import { assignedType, bindingsType, identitiesType, podsType, secretsType } from '../../runtime/identity/objects.ts';
import { configMapsType, serviceAccountsType } from '../../runtime/kube/client/core-types.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { adminRequest } from '../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import { namespaces } from '../conformance/resources.ts';
import { eventually } from '../fakes/eventually.ts';
import type { TestClient } from '../sandbox/azure/client.ts';

const POD_ADDRESS = '127.12.0.5';
/** Milliseconds for one wait. */
export const limitMs = 120_000;

/** The cluster and the programs of a life. */
interface Setting {
  readonly world: DemoWorld;
  readonly rest: TestClient;
  readonly stack: AsyncDisposableStack;
  /** The namespace of the pods, and their service account. */
  readonly app: string;
  readonly metadata: string;
  readonly issuer: string | undefined;
}

/** Bind, assign, ask for tokens of each type, change, refuse, release. */
export async function oneLife({ world, rest, stack, app, metadata, issuer }: Setting): Promise<Record<string, number>> {
  const { client, azure, applier, node } = world;
  const make = async (type: ResourceType, name: string, more: object) => {
    await client.create(type, objectOf(type, app, name, more));
    // By hand, for API servers without the controller that empties a namespace.
    stack.defer(() => client.delete(type, { namespace: app, name }).then(() => undefined));
  };
  await applier.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: app } });
  stack.defer(() => client.delete(namespaces, { name: app }).then(() => undefined));
  await make(serviceAccountsType, app, { automountServiceAccountToken: false });

  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/identities`;
  const resourceID = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/machine`;
  await rest.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const machine = (await rest.arm('PUT', resourceID, '2023-01-31', { location: 'westus2' })).body.properties.clientId;
  const principal = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', {});
  const federated = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', {
    secret: null,
    federated: [
      {
        issuer: issuer ?? 'https://nowhere.test',
        subject: `system:serviceaccount:${app}:${app}`,
        audiences: ['api://AzureADTokenExchange'],
      },
    ],
  });
  await make(secretsType, 'principal', { stringData: { clientSecret: principal.secret } });
  // Made by OpenSSL.
  const { modern } = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8'));
  await make(secretsType, 'locked', { data: { certificate: modern, password: btoa('of another file') } });
  const { tenantId: tenantID } = azure;
  const clientPassword = { namespace: app, name: 'principal' };
  await make(userAssignedIdentitiesType, 'referenced', {
    spec: { location: 'westus2', owner: { armId: group } },
  });
  const referencedId = resourceID.replace(/machine$/, 'referenced');
  const referenced = (await rest.arm('PUT', referencedId, '2023-01-31', { location: 'westus2' })).body.properties;
  // As the operator writes it.
  const ids = { id: referencedId, clientId: referenced.clientId, tenantId: referenced.tenantId };
  const place = { namespace: app, name: 'referenced' };
  const status = { type: 'merge', body: { status: ids } } as const;
  await client.patch(userAssignedIdentitiesType, place, status, { subresource: 'status' });
  const specs = {
    referenced: { type: 0, identityRef: { name: 'referenced' } },
    machine: { type: 0, clientID: machine, resourceID },
    principal: { type: 1, clientID: principal.clientId, tenantID, clientPassword },
    federated: { type: 3, clientID: federated.clientId, tenantID },
    // What cannot work: said in conditions and events.
    locked: { type: 2, clientID: 'none', tenantID, clientPassword: { namespace: app, name: 'locked' } },
    broken: { type: 0, clientID: 'none', resourceID: resourceID.replace('userAssignedIdentities', 'nonsense') },
  };
  for (const [name, spec] of Object.entries(specs)) {
    await make(identitiesType, name, { spec });
    await make(bindingsType, name, { spec: { azureIdentity: name, selector: app } });
  }
  await startPod(client, app, node.name);
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced']);

  const tokens: Record<string, number> = {};
  const asked = {
    machine,
    principal: specs.principal.clientID,
    federated: specs.federated.clientID,
    referenced: referenced.clientId,
  };
  for (const [name, id] of Object.entries(asked)) {
    // The second answer makes the event a series.
    for (let i = 0; i < 2; i++) tokens[name] = await askForToken(metadata, id);
  }
  // A second identity on the same machine: its record exists by then.
  const secondId = resourceID.replace(/machine$/, 'second');
  await rest.arm('PUT', secondId, '2023-01-31', { location: 'westus2' });
  await make(identitiesType, 'second', { spec: { type: 0, resourceID: secondId } });
  await make(bindingsType, 'second', { spec: { azureIdentity: 'second', selector: app } });
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced', 'second']);
  // An identity that changes is written into the assignments of its pods.
  const body = { metadata: { annotations: { changed: 'yes' } }, spec: { tenantID: 'another' } };
  await client.patch(identitiesType, { namespace: app, name: 'federated' }, { type: 'merge', body });
  await eventually(
    'the change of the identity arrived',
    async () => JSON.stringify((await assignedOf(client, app)).map(({ spec }) => spec)).includes('"another"'),
    limitMs,
  );
  // A pod of the same name once more: the event of its binding becomes a series.
  await client.delete(podsType, { namespace: app, name: 'pod' }, { gracePeriodSeconds: 0 });
  await untilAssigned(client, app, []);
  await startPod(client, app, node.name);
  await untilAssigned(client, app, ['federated', 'locked', 'machine', 'principal', 'referenced', 'second']);
  await client.delete(podsType, { namespace: app, name: 'pod' }, { gracePeriodSeconds: 0 });
  await untilAssigned(client, app, []);
  await eventually(
    'every identity is detached',
    async () => {
      const labelSelector = 'azimuth.dev/record=attachments';
      return (await client.list(configMapsType, { labelSelector })).items.length === 0;
    },
    limitMs,
  );
  return tokens;
}

async function startPod(client: KubeClient, app: string, nodeName: string): Promise<void> {
  const pod = await client.create(podsType, {
    ...objectOf(podsType, app, 'pod', {
      spec: { nodeName, serviceAccountName: app, containers: [{ name: 'main', image: 'none' }] },
    }),
    metadata: { namespace: app, name: 'pod', labels: { aadpodidbinding: app } },
  });
  const status = { phase: 'Running', podIP: POD_ADDRESS, podIPs: [{ ip: POD_ADDRESS }] };
  await client.replace(podsType, { ...pod, status }, { subresource: 'status' });
}

const assignedOf = async (client: KubeClient, app: string) =>
  (await client.list(assignedType)).items.filter(({ spec }) => spec.podNamespace === app);

/** Waits until exactly these identities, by name, are assigned to the pod. */
async function untilAssigned(client: KubeClient, app: string, identities: readonly string[]): Promise<void> {
  let seen = '';
  const wanted = identities.join();
  await eventually(
    `assigned: ${wanted || 'nothing'}`,
    async () => {
      const all = await assignedOf(client, app);
      seen = all.map(({ spec, status }) => `${spec.azureIdentityRef.metadata.name} ${status?.status}`).join();
      const ready = all.filter(({ status }) => status?.status === 'Assigned');
      const names = ready
        .map(({ spec }) => spec.azureIdentityRef.metadata.name as string)
        .filter((n) => n !== 'broken');
      return names.sort().join() === wanted && (wanted !== '' || all.length === 0);
    },
    limitMs,
  ).catch((error: unknown) => {
    throw new Error(`Expected \`${wanted}\` to be assigned, got \`${seen}\``, { cause: error });
  });
}

/** As a pod's SDK asks; gives the status of the answer. */
async function askForToken(metadata: string, clientId: string): Promise<number> {
  const resource = 'https://management.azure.com';
  const query = new URLSearchParams({ 'api-version': '2018-02-01', resource, client_id: clientId });
  return new Promise((resolve, reject) => {
    const headers = { metadata: 'true' };
    request(`${metadata}/metadata/identity/oauth2/token?${query}`, { localAddress: POD_ADDRESS, headers }, (answer) => {
      text(answer).then(() => resolve(answer.statusCode ?? 0), reject);
    })
      .once('error', reject)
      .end();
  });
}

/** An object of the type, with these further members. */
export function objectOf(type: ResourceType, namespace: string, name: string, more: object): KubeObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { namespace, name }, ...more };
}
