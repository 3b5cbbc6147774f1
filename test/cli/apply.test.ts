import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { apply } from '../../runtime/cli/commands/apply.ts';
import { plan } from '../../runtime/cli/commands/plan.ts';
import type { Program } from '../../runtime/cli/program.ts';
import { apiVersionOf, type KubeObject } from '../../runtime/kube/client/types.ts';
import { accounts, type Cluster, core, groups, startViewWorld } from '../view/world.ts';

const namespace = 'demo';
const deployments = resourceOf(kindOf('azimuth.dev', 'ComputeDeployment'));
let world: Cluster;
beforeAll(async () => {
  world = await startViewWorld([kindOf('azimuth.dev', 'ComputeDeployment')]);
});
afterAll(() => world?.close());

async function run(program: Program, ...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  const error = jest.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)));
  try {
    return {
      code: await program([...argv, '--kubeconfig', world.kubeconfig]),
      out: out.join('\n'),
      err: err.join('\n'),
    };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const group = (name: string, tags: object = {}) => ({
  apiVersion: apiVersionOf(groups),
  kind: 'ResourceGroup',
  metadata: { name },
  spec: { location: 'westeurope', tags },
});
const account = (name: string, owner: string) => ({
  apiVersion: apiVersionOf(accounts),
  kind: 'StorageAccount',
  metadata: { name },
  spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: owner } },
});
const deployment = (name: string) => ({
  apiVersion: apiVersionOf(deployments),
  kind: 'ComputeDeployment',
  metadata: { name },
  spec: { locations: [{ name: 'westeurope' }], template: { manifests: [group(`${name}-group`)] } },
});

/** Plans manifests into a file, and gives its path. */
async function planned(name: string, ...manifests: readonly object[]) {
  const manifest = world.files.write(`${name}.json`, JSON.stringify({ kind: 'List', items: manifests }));
  const file = join(manifest, `../${name}.plan`);
  return { file, result: await run(plan, '-f', manifest, '-n', namespace, '--out', file) };
}
const applied = (manifest: object & { metadata: object }, fieldManager: string) =>
  world.client.apply(groups, { ...manifest, metadata: { ...manifest.metadata, namespace } } as KubeObject, {
    fieldManager,
  });
const specOf = async (name: string) => (await world.client.get(groups, { namespace, name }))['spec'];

test('a plan in a file is applied in its order, with the manager of the plan', async () => {
  const { file, result } = await planned('whole', deployment('shop'), account('photos', 'new'), group('new'));
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const done = await run(apply, file, '--yes');
  expect(done.code).toBe(0);
  expect(done.out).toMatch(/^Cluster: http.* \(.*kubeconfig, context "sandbox"\)/);
  expect(done.out.split('\n').slice(-3)).toEqual([
    'ResourceGroup.resources.azure.com/new (demo) applied',
    'StorageAccount.storage.azure.com/photos (demo) applied',
    'ComputeDeployment.azimuth.dev/shop (demo) applied',
  ]);
  const { metadata } = await world.client.get(groups, { namespace, name: 'new' });
  expect(metadata.managedFields).toMatchObject([{ manager: 'kubectl', operation: 'Apply' }]);
});

test('without a person at a terminal or --yes nothing is applied', async () => {
  const { file } = await planned('asked', group('asked'));
  const { code, err } = await run(apply, file);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/nothing was applied: .*--yes/) });
  expect(await world.client.tryGet(groups, { namespace, name: 'asked' })).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  ['a spec changed', () => applied(group('old', { b: '2' }), 'somebody')],
  [
    'an object was made again',
    async () => {
      await world.client.delete(groups, { namespace, name: 'old' });
      await applied(group('old', { a: '1' }), 'kubectl');
    },
  ],
  ['a new object exists', () => applied(group('other'), 'kubectl')],
])('when %s since the plan, nothing is applied', async (_, change) => {
  await applied(group('old', { a: '1' }), 'kubectl');
  await world.client.delete(groups, { namespace, name: 'other' }).catch(() => undefined);
  const { file } = await planned('old', group('old', { a: '2' }), group('other'));
  await change();
  await expect(run(apply, file, '--yes')).rejects.toMatchObject({
    code: 'AZ_PLAN_OUTDATED',
    message: expect.stringMatching(/old\.plan was made: nothing was applied; plan again/),
  });
  expect(await specOf('old')).toMatchObject({ tags: { a: '1' } });
});

test('a status that moves changes nothing', async () => {
  await applied(group('busy', { a: '1' }), 'kubectl');
  const { file } = await planned('busy', group('busy', { a: '2' }));
  await world.setStatus(groups, namespace, 'busy', { id: '/subscriptions/s/resourceGroups/busy' });
  expect(await run(apply, file, '--yes')).toMatchObject({ code: 0 });
  expect(await specOf('busy')).toMatchObject({ tags: { a: '2' } });
});

test('fields of another manager need --force-conflicts', async () => {
  await applied(group('shared', { a: '1' }), 'somebody');
  const { file } = await planned('shared', group('shared', { a: '2' }));
  await expect(run(apply, file, '--yes')).rejects.toThrow(
    /shared: other field managers .*"somebody".*--force-conflicts/,
  );
  expect(await run(apply, file, '--yes', '--force-conflicts')).toMatchObject({ code: 0 });
  expect(await specOf('shared')).toMatchObject({ tags: { a: '2' } });
});

test('a plan for another cluster, and a file that is no plan, are refused', async () => {
  const { file } = await planned('elsewhere', group('elsewhere'));
  const other = world.files.write(
    'other.plan',
    readFileSync(file, 'utf8').replace(/"server": "[^"]*"/, '"server": "https://other"'),
  );
  await expect(run(apply, other, '--yes')).rejects.toThrow(/is for https:\/\/other: choose its cluster by --context/);
  const manifest = world.files.write('manifest.json', JSON.stringify(group('elsewhere')));
  await expect(run(apply, manifest, '--yes')).rejects.toThrow(
    /no file of azimuth plan --out; kubectl applies manifests/,
  );
  await expect(run(apply, file, other)).rejects.toThrow(/one file of azimuth plan --out/);
});

test('the file holds no secret: such a manifest is refused, and a Secret is left out and named', async () => {
  const body = { adminPassword: 'hunter2hunter2' };
  await expect(planned('secret', { ...group('secret', body) })).rejects.toThrow(
    /spec\.tags\.adminPassword may be a secret, and the file of a plan holds none: name a Secret/,
  );
  const { plural, kind, version: apiVersion } = core('secrets', 'Secret');
  expect(plural).toBe('secrets');
  const secret = { apiVersion, kind, metadata: { name: 'login' }, stringData: { password: 'hunter2hunter2' } };
  const { file, result } = await planned('beside', group('beside'), secret);
  expect(result.err).toMatch(/beside\.plan lacks 1 objects of other kinds: apply them by kubectl before/);
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
});

test('a file that cannot be written is named', async () => {
  const manifest = world.files.write('unwritten.json', JSON.stringify(group('unwritten')));
  const file = join(manifest, '../absent/unwritten.plan');
  await expect(run(plan, '-f', manifest, '-n', namespace, '--out', file)).rejects.toMatchObject({
    code: 'AZ_CONFIG_INVALID',
    message: expect.stringMatching(/The file .*unwritten\.plan cannot be written: ENOENT/),
  });
});

test('--out with --offline is refused, and a plan with problems is not written', async () => {
  await expect(run(plan, '--offline', '--out', 'x', '-f', 'x')).rejects.toThrow(/--out.*absent with --offline/);
  const { file, result } = await planned('wrong', { ...group('wrong'), spec: { location: 7 } });
  expect(result.code).toBe(1);
  expect(() => statSync(file)).toThrow(/ENOENT/);
});
