/** The bundled secret endpoint on a real API server, under the roles that the manifests give it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { kubectl } from '../kubectl.ts';
import { InstalledEndpoint, type RunningEndpoint } from './installed-endpoint.ts';

const namespace = 'azimuth-endpoint-test';
const path = `/v1/secrets/${namespace}/key`;
const value = 'value-of-the-cluster-test';
let installed: InstalledEndpoint;
let endpoint: RunningEndpoint;
let machine: Awaited<ReturnType<InstalledEndpoint['caller']>>;
let stranger: typeof machine;

const apiVersion = 'azimuth.dev/v1alpha1';
const apply = (...objects: object[]) =>
  kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
const approval = { apiVersion, kind: 'FeatureApproval', metadata: { name: 'endpoint-test' } };
const approve = () => apply({ ...approval, spec: { for: { name: 'endpoint-test' } } });
const withdraw = () => kubectl(['delete', 'featureapproval', 'endpoint-test']);

function secret(...objectIds: string[]) {
  return {
    apiVersion,
    kind: 'ManagedSecret',
    metadata: { namespace, name: 'key' },
    spec: {
      kind: 'SymmetricKey',
      home: { vault: { group: 'keyvault.azure.com', kind: 'Vault', name: 'home' } },
      maxStaleness: '40s',
      consumers: objectIds.map((objectId) => ({ objectId })),
    },
  };
}

async function until(status: number, who = machine, on = endpoint): Promise<string> {
  let last = { status: 0, text: '' };
  await eventually(
    `${path} answers ${status}`,
    async () => {
      last = await on.get(path, who.headers);
      return last.status === status;
    },
    120_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; last ${last.status} ${last.text}`, { cause: error });
  });
  return last.text;
}

beforeAll(async () => {
  installed = await InstalledEndpoint.install();
  const { tenantId, subscriptionId } = installed.azure;
  [machine, stranger] = await Promise.all([installed.caller(), installed.caller()]);
  const properties = { tenantId, sku: { family: 'A', name: 'standard' } };
  await apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'keyvault.azure.com/v1api20230701',
      kind: 'Vault',
      metadata: { namespace, name: 'home' },
      spec: { location: 'westus2', owner: { name: 'rg' }, properties },
    },
    secret(machine.objectId),
    {
      apiVersion,
      kind: 'FeatureRegistration',
      metadata: { name: 'endpoint-test' },
      spec: { subscription: subscriptionId, feature: 'azimuth.dev/ManagedSecrets' },
    },
  );
  // What the operator writes, which does not run here.
  const vault = `/apis/keyvault.azure.com/v1api20230701/namespaces/${namespace}/vaults/home`;
  const object = JSON.parse(await kubectl(['get', '--raw', vault]));
  const status = { ...object, status: { id: installed.vaultId } };
  await kubectl(['replace', '--raw', `${vault}/status`, '-f', '-'], JSON.stringify(status));
  const uid = await kubectl(['get', 'managedsecret', 'key', '-n', namespace, '-o', 'jsonpath={.metadata.uid}']);
  await installed.write(namespace, 'key', uid, value);
  const started = await installed.start();
  await started.whenReady();
  endpoint = started;
});

afterAll(() => installed?.remove());

test('a consumer gets the value once its subscription is approved, and nobody else does', async () => {
  expect(await until(403)).toContain('feature_not_approved');
  await approve();
  expect(JSON.parse(await until(200))).toMatchObject({ name: 'key', namespace, version: 1, value });
  expect(await until(403, stranger)).toContain('not_a_consumer');
  expect(await endpoint.get(path)).toMatchObject({ status: 401 });
  expect(await endpoint.get(path, { authorization: 'Bearer a.b.c' })).toMatchObject({ status: 401 });
});

test('changes of consumers and approvals reach it by its watches', async () => {
  await apply(secret(machine.objectId, stranger.objectId));
  await until(200, stranger);
  await apply(secret(machine.objectId));
  await until(403, stranger);
  await withdraw();
  expect(await until(403)).toContain('feature_not_approved');
  await approve();
  await until(200);
});

test('events of the ManagedSecret say who received it and who was refused, without the value', async () => {
  await eventually('both events are there', async () => {
    const events = await kubectl(['get', 'events.events.k8s.io', '-n', namespace, '-o', 'json']);
    expect(events).not.toContain(value);
    return events.includes('SecretServed') && events.includes('SecretRefused');
  });
});

test('without the API server it goes on until maxStaleness, and a replica that starts meanwhile is not ready', async () => {
  installed.proxy.cut();
  const late = await installed.start();
  await eventually('the late replica says why', async () => {
    const text = await late.ready().catch(() => '');
    return /\[-\]caches failed: managedsecrets\.azimuth\.dev: \S/.test(text);
  });
  expect(JSON.parse(await until(200))).toMatchObject({ value });
  const stale = await until(503);
  expect(JSON.parse(stale).error).toMatchObject({
    code: 'secret_stale',
    message: expect.stringMatching(/4\d s ago, .*no answer from https:\/\/127\.0\.0\.1:/),
  });
  expect(await endpoint.ready()).toMatch(/\nok\n$/);
  installed.proxy.restore();
  await until(200);
  await late.whenReady();
  await until(200, machine, late);
  await late.stop();
});

test('nothing that it asked for was denied, and no value or token is in its log', () => {
  const log = readFileSync(endpoint.logFile, 'utf8');
  expect(log).toContain('"outcome":"served"');
  expect(log).not.toMatch(/forbidden/i);
  expect(log).not.toContain(value);
  expect(log).not.toContain(machine.headers['authorization']?.split('.')[2]);
});
