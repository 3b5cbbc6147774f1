import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { completeFor } from '../../runtime/cli/commands/complete.ts';
import { tree } from '../../runtime/cli/commands/tree.ts';
import { account, group, notReady, object } from '../view/support.ts';
import { accounts, bindings, type Cluster, core, groups, identities, startViewWorld } from '../view/world.ts';
import { runCommand } from './run-command.ts';

let world: Cluster;

beforeAll(async () => {
  world = await startViewWorld();
  const status = { ...notReady('SecretNotFound', 'Warning', 'no Secret'), id: '/subscriptions/s' };
  await world.put(groups, group('demo'));
  await world.put(accounts, account('photos', 'demo', status));
  await world.put(accounts, { ...account('else', 'demo'), metadata: { name: 'else', namespace: 'other' } });
  await world.put(identities, object('', 'AzureIdentity', 'id', { spec: { type: 0 } }));
  await world.put(bindings, object('', 'AzureIdentityBinding', 'bound', { spec: { azureIdentity: 'id' } }));
  const labelled = (name: string, labels: object) => ({
    ...group(name),
    metadata: { name, namespace: 'labels', labels },
  });
  await world.put(groups, labelled('shop', { app: 'shop' }) as never);
  await world.put(groups, labelled('test', { app: 'shop', tier: 'test' }) as never);
  await world.put(core('secrets', 'Secret'), object('', 'Secret', 's', { metadata: { namespace: 'demo' } }) as never);
});
afterAll(() => world?.close());

const run = (...argv: string[]) => runCommand(tree, world.kubeconfig, argv);
const objects = (out: string) =>
  out
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s{2,}/)[0]);

test('without arguments it prints all owner trees of the namespace', async () => {
  const { code, out, err } = await run('-n', 'demo');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(objects(out)).toEqual([
    'AzureIdentity/id',
    '└─AzureIdentityBinding/bound',
    'ResourceGroup/demo',
    '└─StorageAccount/photos',
  ]);
  expect(out).not.toContain('\u001b');
});

test('-A prints all namespaces', async () => {
  const { out } = await run('-A');
  expect(out).toMatch(/^NAMESPACE {2}OBJECT/);
  expect(out).toMatch(/^other +StorageAccount\/else/m);
});

test('of one object it prints its owners and what it owns, and JSON has what it waits for', async () => {
  expect(objects((await run('-n', 'demo', 'storageaccount/photos')).out)).toEqual([
    'ResourceGroup/demo',
    '└─StorageAccount/photos',
  ]);
  const { objects: found } = JSON.parse((await run('-n', 'demo', '-o', 'json', 'storageaccount', 'photos')).out);
  expect(found).toMatchObject([
    { kind: 'ResourceGroup', name: 'demo', state: 'Ready' },
    { kind: 'StorageAccount', state: 'Blocked', reason: 'SecretNotFound', owner: found[0].id, waitsFor: [] },
  ]);
});

test('-o wide, name and yaml, and -l by labels', async () => {
  expect((await run('-n', 'demo', '-o', 'wide')).out).toMatch(/^OBJECT +STATE .* LOCATION +ARM ID +WAITS FOR\n/);
  expect((await run('-n', 'demo', '-o', 'name')).out.split('\n')).toEqual([
    'azureidentity.aadpodidentity.k8s.io/id',
    'azureidentitybinding.aadpodidentity.k8s.io/bound',
    'resourcegroup.resources.azure.com/demo',
    'storageaccount.storage.azure.com/photos',
  ]);
  const { objects: found } = parse((await run('-n', 'demo', '-o', 'yaml', 'storageaccount/photos')).out);
  expect(found).toMatchObject([{ kind: 'ResourceGroup' }, { kind: 'StorageAccount', name: 'photos' }]);
  expect((await run('-n', 'labels', '-l', 'app in (shop, web),tier!=test', '-o', 'name')).out).toBe(
    'resourcegroup.resources.azure.com/shop',
  );
  await expect(run('-l', 'app in shop')).rejects.toThrow(/--selector.*labels such as/);
});

test('--context and --cluster choose of the kubeconfig, and --timeout bounds the command', async () => {
  await expect(run('--context', 'none')).rejects.toThrow(/there is no context "none"; contexts are: /);
  await expect(run('--cluster', 'none')).rejects.toThrow(/there is no cluster "none"; clusters are: /);
  await expect(run('--timeout', '1ms')).rejects.toThrow(/not done after 0.001 s; --timeout sets another time/);
  await expect(run('--request-timeout', 'soon')).rejects.toThrow(/a duration such as 30s or 2m, or 0 for no bound/);
});

test('completion has programs, flags, kinds, and the names of the cluster', async () => {
  const complete = async (...words: string[]) => {
    const kubeconfig = words.length > 1 ? ['--kubeconfig', world.kubeconfig] : [];
    const given = [...words.slice(0, -1), ...kubeconfig, ...words.slice(-1)];
    const program = (argv: readonly string[]) =>
      completeFor(['tree', 'watch'])(['--', ...argv.filter((_, at) => at < given.length)]);
    return (await runCommand(program, world.kubeconfig, given)).out.split('\n').filter((line) => line !== '');
  };
  expect(await complete('t')).toEqual(['tree']);
  expect(await complete('tree', '--all')).toEqual(['--all-namespaces']);
  expect(await complete('tree', 'storageaccount')).toContain('storageaccount/');
  expect(await complete('tree', '-n', 'demo', 'storageaccount/')).toEqual(['storageaccount/photos']);
  expect(await complete('tree', '--kubeconfig', '/nowhere', 'storageaccount/')).toEqual([]);
  expect(await complete('unknown', 'x')).toEqual([]);
});

test('an object that does not exist, and a kind that nobody knows, are errors that say how to go on', async () => {
  expect(await run('-n', 'other', 'storageaccount/none')).toMatchObject({
    code: 1,
    out: '',
    err: 'azimuth: there is no StorageAccount none in the namespace other; -n names another namespace, -A searches all',
  });
  await expect(run('storag/x')).rejects.toThrow(/Expected `KIND` to be .*did you mean StorageAccount\?/);
});

test('with partial rights it prints what it may list, names the rest, and ends with 1', async () => {
  const rules = [{ apiGroups: ['storage.azure.com'], resources: ['storageaccounts'], verbs: ['list'] }];
  const { kubeconfig } = await world.reader('storage-reader', rules, 'demo');
  const { code, out, err } = await run('-n', 'demo', '--kubeconfig', kubeconfig);
  expect(code).toBe(1);
  expect(objects(out)).toEqual(['StorageAccount/photos']);
  expect(err).toMatch(/^azimuth: you may not list .*AzureIdentity, .*ResourceGroup in the namespace demo$/);
  expect((await run('-A', '--kubeconfig', kubeconfig)).err).toMatch(/you may not list .*StorageAccount in any namesp/);
});
