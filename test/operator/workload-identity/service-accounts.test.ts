import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientIdAnnotation, subjectOf, trustedByAnnotation } from '../../../runtime/api/workload-identity.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { namespacesType, serviceAccountsType } from '../../../runtime/kube/client/core-types.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import type { ObjectEvent } from '../../../runtime/kube/events/event-object.ts';
import { addServiceAccountCheck } from '../../../runtime/operator/workload-identity/service-accounts.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startWorld, types, type World } from '../support.ts';

let world: World;
let client: KubeClient;
const recorded: ObjectEvent[] = [];
const stop = new AbortController();
let running: Promise<void>;

beforeAll(async () => {
  world = await startWorld();
  client = createKubeClient(loadKubeConnection({ kubeconfig: world.kubeconfigFile }));
  const manager = new Manager(
    { client, clock: systemClock, log: createLogger('test', { level: 'silent' }), metrics: createMetrics() },
    { name: 'test' },
  );
  addServiceAccountCheck({ manager, events: { record: (event) => recorded.push(event) }, namespaces: [], graceMs: 0 });
  await client.create(namespacesType, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'neighbour' },
  });
  running = manager.run(stop.signal);
});
afterAll(async () => {
  stop.abort();
  await running;
  await client.close();
  await world.close();
});

const account = (name: string, annotations: Record<string, string>, namespace = 'default') =>
  client.create(serviceAccountsType, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name, annotations },
  });

async function identity(name: string, clientId?: string, namespace = 'default') {
  const spec = { location: 'westus2', owner: { armId: '/subscriptions/s/resourceGroups/g' } };
  await world.apply(types.identity, name, spec, { namespace });
  if (clientId === undefined) return;
  const id = `/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
  const body = { status: { clientId, id } };
  await client.patch(types.identity, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
}

const credential = (name: string, owner: object, subject: string, issuer: string) =>
  world.apply(types.federated, name, { owner, subject, issuer, audiences: ['api://AzureADTokenExchange'] });

const notesOf = (name: string, namespace = 'default') =>
  recorded
    .filter(({ regarding: { metadata } }) => metadata.name === name && metadata.namespace === namespace)
    .map(({ note }) => note);
const reported = (name: string, text: string) =>
  eventually(`${name} is reported: ${text}`, async () => notesOf(name).some((note) => note.includes(text)));

test('an account without a credential is reported, on the account, with subject, audience and issuer', async () => {
  await identity('web');
  await account('plain', {});
  await account('api', { [trustedByAnnotation]: 'web' });
  await reported('api', `has the subject ${subjectOf('default', 'api')}`);
  const event = recorded.find(({ regarding }) => regarding.metadata.name === 'api');
  expect(event).toMatchObject({
    type: 'Warning',
    reason: 'FederatedCredentialMissing',
    regarding: { kind: 'ServiceAccount', metadata: { namespace: 'default' } },
    note: `No FederatedIdentityCredential of the UserAssignedIdentity web has the subject system:serviceaccount:default:api: create one with it, the audience api://AzureADTokenExchange and the issuer ${world.kube.issuerUrl}`,
  });
  expect(notesOf('plain')).toEqual([]);
});

test('with the credential it is not reported, and again when the credential goes or changes its issuer', async () => {
  await identity('shop');
  await credential('shop-worker', { name: 'shop' }, subjectOf('default', 'worker'), world.kube.issuerUrl);
  await credential('shop-other', { name: 'shop' }, subjectOf('default', 'other'), 'https://other.example/');
  await account('worker', { [trustedByAnnotation]: 'shop' });
  await account('other', { [trustedByAnnotation]: 'shop' });
  await reported('other', `shop-other trusts the issuer https://other.example/, and this cluster's tokens have the`);
  expect(notesOf('worker')).toEqual([]);
  await client.delete(types.federated, { namespace: 'default', name: 'shop-worker' });
  await reported('worker', 'No FederatedIdentityCredential of the UserAssignedIdentity shop');
});

test('an expression that an account fulfils is a trust, and one for other accounts is none', async () => {
  await identity('many');
  const value = "claims['sub'] matches 'system:serviceaccount:default:many-*'";
  await world.apply(types.federated, 'many', {
    owner: { name: 'many' },
    claimsMatchingExpression: { languageVersion: 1, value },
    issuer: world.kube.issuerUrl,
    audiences: ['api://AzureADTokenExchange'],
  });
  await account('many-one', { [trustedByAnnotation]: 'many' });
  await account('single', { [trustedByAnnotation]: 'many' });
  await reported('single', `has the subject ${subjectOf('default', 'single')}`);
  expect(notesOf('many-one')).toEqual([]);
});

test('an account that names a client id is one of the identity that has it in its status', async () => {
  await account('mail', { [clientIdAnnotation]: 'AAAA-1' });
  await account('foreign', { [clientIdAnnotation]: 'bbbb-2' });
  await identity('mail-identity', 'aaaa-1');
  await reported('mail', 'of the UserAssignedIdentity mail-identity');
  recorded.length = 0;
  const armId =
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/MAIL-identity';
  await credential('mail-trust', { armId }, subjectOf('default', 'mail'), world.kube.issuerUrl);
  await account('last', { [trustedByAnnotation]: 'nowhere' });
  await reported('last', 'There is no UserAssignedIdentity nowhere in this namespace');
  await client.patch(
    serviceAccountsType,
    { namespace: 'default', name: 'mail' },
    { type: 'merge', body: { metadata: { annotations: { [trustedByAnnotation]: null, touched: 'yes' } } } },
  );
  expect([notesOf('mail'), notesOf('foreign')]).toEqual([[], []]);
});

test('an account is compared with nothing of another namespace', async () => {
  await identity('hidden', 'cccc-3');
  await account('thief', { [clientIdAnnotation]: 'cccc-3' }, 'neighbour');
  await account('caller', { [trustedByAnnotation]: 'hidden' }, 'neighbour');
  await eventually('the named one is reported', async () => notesOf('caller', 'neighbour').length > 0);
  expect(notesOf('caller', 'neighbour')[0]).toContain('There is no UserAssignedIdentity hidden in this namespace');
  expect(notesOf('thief', 'neighbour')).toEqual([]);
});
