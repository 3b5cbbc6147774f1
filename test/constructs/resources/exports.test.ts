import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { Deployment, Secret } from 'cdk8s-plus-27';
import { AzureResource, dbforpostgresql, StorageAccount, UserAssignedIdentity } from '../../../constructs/index.ts';

const location = 'westeurope';
const owner = { armId: '/subscriptions/s/resourceGroups/g' };
const account = { location, owner, kind: 'StorageV2', sku: { name: 'Standard_LRS' } } as const;

function byKind(chart: ReturnType<typeof Testing.chart>) {
  return Object.fromEntries(Testing.synth(chart).map((each) => [each.kind as string, each]));
}

test('a value that a pod reads is exported because it is read: as variable, as volume, as Secret', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  const key = logs.export('key1');
  const pods = new Deployment(chart, 'app');
  pods.addContainer({
    image: 'app',
    envVariables: { KEY: key.envValue, ENDPOINT: logs.export('blobEndpoint').envValue },
    volumeMounts: [{ path: '/keys', volume: key.volume(chart, 'keys', 'storage') }],
  });
  const { StorageAccount: made, Deployment: deployment } = byKind(chart);
  expect(made.spec.operatorSpec).toEqual({
    secrets: { key1: { name: 'logs-storageaccount', key: 'key1' } },
    configMaps: { blobEndpoint: { name: 'logs-storageaccount', key: 'blobEndpoint' } },
  });
  const [container] = deployment.spec.template.spec.containers;
  expect(container.env).toEqual([
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'logs-storageaccount', key: 'key1' } } },
    { name: 'ENDPOINT', valueFrom: { configMapKeyRef: { name: 'logs-storageaccount', key: 'blobEndpoint' } } },
  ]);
  expect(deployment.spec.template.spec.volumes).toEqual([
    { name: 'keys', secret: { secretName: 'logs-storageaccount', items: [{ key: 'key1', path: 'storage' }] } },
  ]);
  expect(key.secret.name).toBe('logs-storageaccount');
});

test('several workloads read one value', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  for (const id of ['a', 'b']) {
    const envVariables = { KEY: logs.export('key1').envValue, URL: logs.export('blobEndpoint').envValue };
    new Deployment(chart, id).addContainer({ image: 'app', envVariables });
  }
  expect(Testing.synth(chart)).toHaveLength(3);
});

test('nothing is exported that nobody reads, and a destination that the app gave stays', () => {
  const chart = Testing.chart();
  const secrets = { key1: { name: 'mine', key: 'k' } };
  const logs = new StorageAccount(chart, 'logs', { spec: { ...account, operatorSpec: { secrets } } });
  expect(logs.export('key1')).toMatchObject({ name: 'mine', key: 'k' });
  new StorageAccount(chart, 'quiet', { spec: account });
  const [first, second] = Testing.synth(chart);
  expect(first.spec.operatorSpec).toEqual({ secrets });
  expect(second.spec).not.toHaveProperty('operatorSpec');
});

test('a spec of another resource reads it in place of a Secret or ConfigMap', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  const identity = new UserAssignedIdentity(chart, 'shop', { spec: { location, owner } });
  new AzureResource(chart, 'role', {
    kind: 'authorization.azure.com/RoleAssignment',
    spec: {
      owner: logs,
      principalIdFromConfig: identity.export('principalId'),
      roleDefinitionReference: { wellKnownName: 'Reader' },
    },
  });
  const { RoleAssignment, UserAssignedIdentity: made } = byKind(chart);
  const principalId = { name: 'shop-userassignedidentity', key: 'principalId' };
  expect(RoleAssignment.spec.principalIdFromConfig).toEqual(principalId);
  expect(made.spec.operatorSpec).toEqual({ configMaps: { principalId } });
});

test('a Secret where a ConfigMap is read is refused', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  new dbforpostgresql.FlexibleServer(chart, 'db', {
    spec: { location, owner, administratorLoginPassword: logs.export('blobEndpoint') },
  });
  expect(() => Testing.synth(chart)).toThrow(
    '[test/db] spec.administratorLoginPassword reads a Secret, and `blobEndpoint` of test/logs is exported to a ConfigMap',
  );
});

test('a value that the operator does not write for the kind is an error at synth', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  // @ts-expect-error: an account has no third key
  logs.export('key3');
  expect(() => Testing.synth(chart)).toThrow(
    '[test/logs] Nobody writes `key3`: the operator exports blobEndpoint, dfsEndpoint, fileEndpoint, key1,',
  );
});

test('a pod that reads a key which nobody writes into an exported Secret is an error at synth', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  const { secret } = logs.export('key1');
  const pods = new Deployment(chart, 'app');
  const container = pods.addContainer({ image: 'app' });
  container.env.addVariable('KEY', secret.envValue('key2'));
  container.env.addVariable('OTHER', Secret.fromSecretName(chart, 'other', 'in-the-cluster').envValue('any'));
  expect(() => Testing.synth(chart)).toThrow(
    /test\/app\/Resource: spec\.template.* reads the key `key2` of `logs-storageaccount`, which nobody writes; written are key1/,
  );
  logs.export('key2');
  expect(Testing.synth(chart)).toHaveLength(2);
});

test('one value in two places is refused', () => {
  const chart = Testing.chart();
  const logs = new StorageAccount(chart, 'logs', { spec: account });
  logs.export('key1');
  logs.export('key1', { name: 'elsewhere' });
  expect(() => Testing.synth(chart)).toThrow(
    '`key1` is exported to logs-storageaccount, key key1, and to elsewhere, key key1: use one destination',
  );
});
