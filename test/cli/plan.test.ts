import { afterAll, expect, jest, test } from '@jest/globals';
import { plan } from '../../runtime/cli/commands/plan.ts';
import { scratch } from '../fakes/scratch.ts';
import { groups, startViewWorld } from '../view/world.ts';

const files = scratch();
afterAll(() => files.remove());

async function run(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  const error = jest.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)));
  try {
    return { code: await plan(argv), out: out.join('\n'), err: err.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const group = (location: string) =>
  `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\nspec: {location: ${location}}\n`;

test('--offline needs no kubeconfig, and shows what would be made', async () => {
  const file = files.write('group.yaml', group('westeurope'));
  expect(await run('--offline', '-f', file, '-n', 'team', '--detailed-exitcode')).toEqual({
    code: 2,
    out: '+ ResourceGroup.resources.azure.com/rg (team)\n\nPlan: 1 to create, 0 to change, 0 to delete',
    err: '',
  });
});

test('with a kubeconfig it compares with the cluster, and --detailed-exitcode tells changes from none', async () => {
  const world = await startViewWorld();
  try {
    const { group: apiGroup, version } = groups;
    const manifest = group('westeurope').replace('v1api20200601', version);
    const file = files.write('cluster.yaml', manifest);
    const flags = ['-f', file, '-n', 'demo', '--kubeconfig', world.kubeconfig];
    expect(await run(...flags)).toMatchObject({ code: 0 });
    expect(await run(...flags, '--detailed-exitcode')).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^\+ .*\/rg \(demo\)/),
    });
    const object = {
      apiVersion: `${apiGroup}/${version}`,
      kind: 'ResourceGroup',
      metadata: { name: 'rg', namespace: 'demo' },
    };
    await world.client.create(groups, { ...object, spec: { location: 'westeurope' } });
    expect(await run(...flags, '--detailed-exitcode')).toEqual({
      code: 0,
      out: 'Plan: 0 to create, 0 to change, 0 to delete, 1 unchanged',
      err: '',
    });
    const log = jest.spyOn(console, 'log').mockImplementation(() => {});
    expect(await plan([...flags, '-o', 'name'])).toBe(0);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  } finally {
    await world.close();
  }
});

test('--live with --offline is refused', async () => {
  const file = files.write('group.yaml', group('westeurope'));
  await expect(run('--offline', '--live', '-f', file)).rejects.toThrow(/--live.*absent with --offline/);
});

test('a cluster that does not answer is an error, not a plan', async () => {
  const file = files.write('group.yaml', group('westeurope'));
  await expect(run('-f', file, '--kubeconfig', '/nonexistent')).rejects.toThrow(/nonexistent/);
});

test('problems end with 1, and are on standard error beside other forms', async () => {
  const file = files.write('wrong.yaml', group('7'));
  const text = await run('--offline', '-f', file);
  expect(text).toMatchObject({ code: 1, err: '' });
  expect(text.out).toMatch(
    /^Problem: .*\/wrong\.yaml:1 documents\[0\]\.spec\.location: expected .*\nProblems: 1\. Nothing should be applied\.$/,
  );
  const json = await run('--offline', '-f', file, '-o', 'json');
  expect(json).toMatchObject({
    code: 1,
    err: expect.stringContaining(`azimuth: ${file}:1 documents[0].spec.location`),
  });
  expect(JSON.parse(json.out).problems).toHaveLength(1);
});

test('an empty file and a misspelt kind end with 1, and a kind of others only with a note', async () => {
  expect(await run('--offline', '-f', files.write('empty.yaml', ''))).toMatchObject({ code: 1 });
  const misspelt = files.write('misspelt.yaml', group('westeurope').replace('ResourceGroup', 'ResourceGrop'));
  expect(await run('--offline', '-f', misspelt)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${misspelt}:1 documents[0].kind: there is no ResourceGrop of resources.azure.com/`),
  });
  const others = files.write('others.yaml', 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: a}\n');
  expect(await run('--offline', '-f', others)).toMatchObject({
    code: 0,
    out: expect.stringContaining('whether the cluster serves Certificate of cert-manager.io/v1 is not checked'),
  });
});

test('a file that is missing or no YAML is an error that names it', async () => {
  await expect(run('--offline')).rejects.toThrow(/a file with manifests/);
  await expect(run('--offline', '-f', '/nonexistent')).rejects.toThrow(/The file \/nonexistent cannot be read/);
  const file = files.write('broken.yaml', 'a: [');
  await expect(run('--offline', '-f', file)).rejects.toThrow(/broken\.yaml cannot be read: .*line 1/);
});
