import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { bundle } from '../../tools/bundle.ts';
import { builtOnce } from '../fakes/built-once.ts';
import { until } from '../operator/support.ts';
import { Api } from '../sandbox/kube/api.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-bundle-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('the bundle of the container image runs the operator with nothing beside it', async () => {
  const image = await builtOnce('image', bundle);
  const bin = join(image, 'azimuth.mjs');
  const parts = readdirSync(image).filter((name) => name.endsWith('.mjs'));
  // 1.6 MB of it are the drivers of databases, in parts of their own.
  expect(parts.reduce((sum, name) => sum + statSync(join(image, name)).size, 0)).toBeLessThan(5_000_000);
  for (const name of parts) expect(readFileSync(join(image, name), 'utf8')).not.toContain('startEmbeddedAzure');

  const [kube, azure] = await Promise.all([startEmbeddedKube(), startEmbeddedAzure()]);
  const api = new Api(kube);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const kind of operatorKinds) await api.post(path, crdManifest(kind));
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig);
  const env = { ...azure.env(), KUBECONFIG: kubeconfig };
  const healthPort = await freePort();
  const operator = new ProgramProcess(
    ['operator', `--health-port=${healthPort}`, '--namespace=default'],
    env,
    join(directory, 'log'),
    { bin },
  );
  try {
    await operator.ready(healthPort);
    // Expressions run in a process of their own, whose program must be beside the rest.
    const group = {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: 'bundled', namespace: 'default' },
      spec: {
        location: 'westeurope',
        operatorSpec: {
          configMapExpressions: [{ name: 'computed', key: 'name', value: '"rg-" + self.metadata.name' }],
        },
      },
    };
    const made = await api.post('/apis/resources.azure.com/v1api20200601/namespaces/default/resourcegroups', group);
    expect(made.code).toBe(201);
    const computed = await until('the value is there', async () => {
      const { body } = await api.get('/api/v1/namespaces/default/configmaps/computed');
      return (body as { data?: Record<string, string> }).data;
    });
    expect(computed).toEqual({ name: 'rg-bundled' });
  } finally {
    await operator.stop();
    await Promise.all([kube.close(), azure.close()]);
  }
});

test('no program has data of a kind, and the operator reads those of the kinds that the cluster defines', async () => {
  const image = await builtOnce('image', bundle);
  const names = ['redisenterprisedatabase', 'webapplicationfirewallpolicy', 'notificationhub', 'afdcustomdomain'];
  for (const name of readdirSync(image).filter((each) => each.endsWith('.mjs'))) {
    const text = readFileSync(join(image, name), 'utf8').toLowerCase();
    expect(names.filter((each) => text.includes(each))).toEqual([]);
  }
  const [kube, azure] = await Promise.all([startEmbeddedKube(), startEmbeddedAzure()]);
  const api = new Api(kube);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const defined = operatorKinds.filter(({ kind }) => kind === 'ResourceGroup' || kind === 'StorageAccount');
  for (const kind of defined) await api.post(path, crdManifest(kind));
  const kubeconfig = join(directory, 'kubeconfig-two');
  writeFileSync(kubeconfig, kube.adminKubeconfig);
  const reads = join(directory, 'reads');
  const healthPort = await freePort();
  const operator = new ProgramProcess(
    ['operator', `--health-port=${healthPort}`, '--namespace=default'],
    { ...azure.env(), KUBECONFIG: kubeconfig, NODE_OPTIONS: `--import ${recorderOf(reads)}` },
    join(directory, 'log-two'),
    { bin: join(image, 'azimuth.mjs') },
  );
  try {
    await operator.ready(healthPort);
  } finally {
    await operator.stop();
    await Promise.all([kube.close(), azure.close()]);
  }
  const data = readFileSync(reads, 'utf8').matchAll(/generated\/(.*)\.json/g);
  expect([...new Set([...data].map(([, name]) => name))].sort()).toEqual([
    'index',
    'resources/resource-group',
    'storage/storage-account',
  ]);
});

/** A module that writes the name of each file that a process reads at once into another file. */
function recorderOf(file: string): string {
  const path = join(directory, 'recorder.mjs');
  writeFileSync(
    path,
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
     const read = fs.readFileSync;
     fs.readFileSync = (name, ...rest) => (fs.appendFileSync(${JSON.stringify(file)}, name + '\\n'), read(name, ...rest));
     syncBuiltinESMExports();`,
  );
  return path;
}

test('the operator starts without a driver of a database', async () => {
  const image = await builtOnce('image', bundle);
  const loaded = loadedAtStart(image, 'operator');
  expect(loaded.size).toBeGreaterThan(3);
  const drivers = readdirSync(image).filter((name) => {
    if (!name.endsWith('.mjs')) return false;
    return /postgres\.js|pg-native|caching_sha2_password|abortTransactionOnError/.test(
      readFileSync(join(image, name), 'utf8'),
    );
  });
  expect(drivers.length).toBeGreaterThanOrEqual(3);
  expect(drivers.filter((name) => loaded.has(name))).toEqual([]);
});

/** The files that a program loads at its start, with their text. */
function loadedAtStart(image: string, program: string): ReadonlyMap<string, string> {
  const pattern = new RegExp(`import\\("\\./(${program}-\\w+\\.mjs)"\\)`);
  const [, start = ''] = pattern.exec(readFileSync(join(image, 'azimuth.mjs'), 'utf8')) ?? [];
  const loaded = new Map<string, string>();
  for (const names = [start]; names.length > 0; ) {
    const name = names.pop() ?? '';
    if (loaded.has(name)) continue;
    const text = readFileSync(join(image, name), 'utf8');
    loaded.set(name, text);
    for (const [, next = ''] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.mjs)"/g)) names.push(next);
  }
  return loaded;
}

test('the node daemon loads YAML only where it reads a kubeconfig', async () => {
  const image = await builtOnce('image', bundle);
  const loaded = loadedAtStart(image, 'nmi');
  expect(loaded.size).toBeGreaterThan(3);
  const all = readdirSync(image).filter((name) => name.endsWith('.mjs'));
  const yaml = all.filter((name) => readFileSync(join(image, name), 'utf8').includes('tag:yaml.org,2002:'));
  expect(yaml).not.toEqual([]);
  expect(yaml.filter((name) => loaded.has(name))).toEqual([]);
});

test.each(['operator', 'identity', 'nmi'])('%s loads neither an undici of Node itself nor HTTP/2', async (program) => {
  const tell = "process.on('exit', () => console.error(process.moduleLoadList.join(' ')))";
  const argv = [
    '--import',
    `data:text/javascript,${tell}`,
    join(await builtOnce('image', bundle), 'azimuth.mjs'),
    program,
    '--help',
  ];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stderr).toContain('NativeModule http');
  expect(stderr).not.toMatch(/internal\/deps\/undici|http2/);
});
