import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf } from '../../runtime/api/kinds.ts';
import { kinds } from '../../runtime/cli/commands/kinds.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { type Scratch, scratch } from '../fakes/scratch.ts';
import { account, group, object } from '../view/support.ts';
import { accounts, type Cluster, groups, identities, startViewWorld } from '../view/world.ts';
import { runCommand } from './run-command.ts';

let world: Cluster;
let files: Scratch;

beforeAll(async () => {
  files = scratch();
  world = await startViewWorld();
  for (const kind of [kindOf('keyvault.azure.com', 'Vault'), kindOf('cache.azure.com', 'Redis')])
    await world.client.create(
      customResourceDefinitions,
      crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject,
    );
  await world.put(groups, group('demo'));
  await world.put(accounts, { ...account('else', 'demo'), metadata: { name: 'else', namespace: 'other' } });
  await world.put(identities, object('', 'AzureIdentity', 'id', { spec: { type: 0, identityRef: { name: 'shop' } } }));
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const run = (...argv: string[]) => runCommand(kinds, world.kubeconfig, argv);

const identity = 'managedidentity.azure.com/UserAssignedIdentity';
const used = [identity, 'resources.azure.com/ResourceGroup', 'storage.azure.com/StorageAccount'];

test('of a cluster it prints a value of AZIMUTH_KINDS, and on standard error what nothing needs or nobody defined', async () => {
  expect(await run()).toEqual({
    code: 0,
    out: used.join(';'),
    err: [
      'Defined, and not needed: cache.azure.com/Redis;keyvault.azure.com/Vault',
      `Needed, and not defined: ${identity}`,
    ].join('\n'),
  });
});

test('names are printed one per line', async () => {
  expect(await run('-o', 'name')).toMatchObject({ code: 0, out: used.join('\n') });
});

test('JSON and YAML have the same lists', async () => {
  const { code, out, err } = await run('-o', 'json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const yaml = await run('-o', 'yaml');
  expect(yaml).toMatchObject({ code: 0, err: '' });
  expect(parse(yaml.out)).toEqual(JSON.parse(out));
  expect(JSON.parse(out)).toEqual({
    kinds: used,
    unused: ['cache.azure.com/Redis', 'keyvault.azure.com/Vault'],
    notDefined: [identity],
    notListed: [],
    problems: [],
  });
});

test('kinds that may not be listed are neither needed nor unused, and end it with 1 and no value of AZIMUTH_KINDS', async () => {
  const rules = [{ apiGroups: ['storage.azure.com'], resources: ['storageaccounts'], verbs: ['list'] }];
  const { kubeconfig } = await world.reader('kinds-reader', rules);
  const { code, out, err } = await run('--kubeconfig', kubeconfig);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^azimuth: you may not list .*keyvault\.azure\.com\/Vault.* in any namespace$/);
  const json = await run('--kubeconfig', kubeconfig, '-o', 'json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ kinds: used.slice(1), notListed: expect.arrayContaining([used[1]]) });
});

test('of manifests it prints the same without a cluster, from a folder at any depth and from standard input', async () => {
  const vault = 'apiVersion: keyvault.azure.com/v1api20230701\nkind: Vault\nspec: {owner: {name: demo}}\n';
  files.write('app/deeper/vault.yaml', vault);
  files.write('app/redis.json', JSON.stringify({ apiVersion: 'cache.azure.com/v1api20230401', kind: 'Redis' }));
  const wanted = 'cache.azure.com/Redis;keyvault.azure.com/Vault;resources.azure.com/ResourceGroup';
  const nowhere = ['--kubeconfig', '/nowhere'];
  expect(await run('-f', `${files.path}/app`, ...nowhere)).toEqual({ code: 0, out: wanted, err: '' });
  const stdin = jest.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(vault)]) as never);
  try {
    const { out } = await run('-f', '-', '-o', 'json', ...nowhere);
    expect(JSON.parse(out)).toEqual({ kinds: wanted.split(';').slice(1) });
  } finally {
    stdin.mockRestore();
  }
});

test('manifests without a kind of Azure print nothing, and a file that is no YAML is an error that names it', async () => {
  const config = files.write('config.yaml', 'apiVersion: v1\nkind: ConfigMap\n');
  expect(await run('-f', config)).toEqual({ code: 0, out: '', err: 'No kinds of Azure resources found.' });
  const broken = files.write('broken.yaml', 'a: [');
  await expect(run('-f', broken)).rejects.toThrow(broken);
});
