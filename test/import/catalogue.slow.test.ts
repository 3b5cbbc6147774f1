/** Every kind of the catalogue: made by one cluster, imported from Azure, taken over by another without a write. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import type { ImportOutput } from '../../runtime/import/config.ts';
import { type Imported, importResources } from '../../runtime/import/importer.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { untilEach } from '../fakes/eventually.ts';
import { exampleKinds, exampleOf } from '../operator/kinds/examples.ts';
import { armRequests, condition, startWorld, type World } from '../operator/support.ts';
import { readerOf } from './support.ts';

const limitMs = 120_000;
const kinds = exampleKinds.map((kind) => [`${kind.group.split('.')[0]}/${kind.kind}`, kind] as const);

let first: World;
let second: World;
let yaml: Imported;
let cdk8s: Imported;
let objects: KubeObject[];
const adopted = new Map<string, KubeObject>();
const puts = new Map<string, number>();

const typeOf = ({ apiVersion, kind }: KubeObject) => resourceOf(kindOf(apiVersion.split('/')[0] as string, kind));
const idOf = ({ apiVersion, kind }: KubeObject) => `${apiVersion.split('.')[0]}/${kind}`;

async function allReady(world: World, wanted: readonly KubeObject[]): Promise<KubeObject[]> {
  const read = (each: KubeObject) =>
    world.client.tryGet(typeOf(each), { namespace: 'default', name: each.metadata.name });
  const isReady = async (each: KubeObject) => condition(await read(each))?.status === 'True';
  const left = await untilEach(wanted, isReady, limitMs);
  const conditions = left.map(async (each) => `${each.kind}: ${JSON.stringify(condition(await read(each)))}`);
  expect(await Promise.all(conditions)).toEqual([]);
  return (await Promise.all(wanted.map(read))) as KubeObject[];
}

/** What stays outside of the import is named by ARM id, for which the operator's own credential needs a rule. */
const anywhere = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };

beforeAll(async () => {
  first = await startWorld({ kinds: '*' });
  const { subscriptionId, tenantId, throttle, defaultApp } = first.azure;
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
  const examples = kinds.map(([, kind]) =>
    exampleOf(kind, { subscriptionId, tenantId, principalId: defaultApp.objectId }),
  );
  // Without a region Azure takes that of the group, or refuses; the sandbox would leave it out of the group's list.
  const region = ({ arm }: (typeof exampleKinds)[number]) =>
    arm.fields.properties?.['location'] && { location: 'westeurope' };
  for (const { kind, name, spec } of examples) await first.apply(resourceOf(kind), name, { ...region(kind), ...spec });
  const operator = await first.startOperator(anywhere);
  const made = await allReady(
    first,
    examples.map(({ kind, name }) => ({ apiVersion: `${kind.group}/v1`, kind: kind.kind, metadata: { name } })),
  );
  await operator.stop();

  const group = `/subscriptions/${subscriptionId}/resourceGroups/azmrgx1`;
  const role = made.find(({ kind }) => kind === 'RoleDefinition')?.['status'].id as string;
  const reader = readerOf(first.azure);
  const run = (output: ImportOutput) =>
    importResources(reader, {
      ids: [group, role],
      recursive: true,
      output,
      namespace: 'default',
      labels: { team: 'a' },
      annotations: { 'example.com/from': 'azure' },
      workers: 8,
      credential: 'environment',
    });
  yaml = await run('yaml');
  cdk8s = await run('cdk8s');
  objects = parseAllDocuments(yaml.text, { version: '1.1' }).map((document) => document.toJS() as KubeObject);

  const mark = first.azure.journal.entries({}).at(-1)?.seq ?? 0;
  second = await startWorld({ azure: first.azure, kinds: '*' });
  for (const object of objects)
    await second.client.apply(typeOf(object), object, { fieldManager: 'test', force: true });
  await second.startOperator(anywhere);
  for (const object of await allReady(second, objects)) {
    adopted.set(idOf(object), object);
    const id = object['status'].id as string;
    const written = ['PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      armRequests(second, method, /./).filter(({ seq, path }) => seq > mark && path.toLowerCase() === id.toLowerCase()),
    );
    puts.set(idOf(object), written.length);
  }
}, 4 * limitMs);
afterAll(async () => {
  await second?.close();
  await first?.close();
});

/** Azure makes them with each server and each database. */
const madeByAzure = ['sql/ServersConnectionPolicy', 'sql/ServersDatabasesTransparentDataEncryption'];

test('everything is imported, and nothing else', () => {
  expect(yaml.problems).toEqual([]);
  expect(yaml.count).toBe(objects.length);
  expect(objects.map(idOf).sort()).toEqual([...kinds.map(([id]) => id), ...madeByAzure].sort());
});

test.each(kinds)('%s: its manifest takes the resource over without a write', (id) => {
  expect(condition(adopted.get(id))).toMatchObject({ status: 'True' });
  expect(puts.get(id)).toBe(0);
});

test.each(kinds.filter(([, { arm }]) => arm.owner))('%s: its owner is imported too and goes by name', (id) => {
  const { owner } = (objects.find((object) => idOf(object) === id) as KubeObject)['spec'];
  if (id === 'authorization/RoleDefinition')
    expect(owner).toEqual({ armId: expect.stringMatching(/^\/subscriptions\//) });
  else expect(objects.map(({ metadata }) => metadata.name)).toContain(owner.name);
});

test('labels and annotations are on every object', () => {
  for (const { metadata } of objects) {
    expect(metadata).toMatchObject({ labels: { team: 'a' }, annotations: { 'example.com/from': 'azure' } });
  }
});

test(
  'the cdk8s program passes the compiler and synthesizes to the same objects',
  async () => {
    const root = process.cwd();
    const directory = mkdtempSync(join(tmpdir(), 'azimuth-import-'));
    try {
      for (const name of ['constructs', 'runtime', 'node_modules'])
        symlinkSync(join(root, name), join(directory, name));
      writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
      writeFileSync(join(directory, 'imported.ts'), cdk8s.text);
      writeFileSync(
        join(directory, 'tsconfig.json'),
        JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['imported.ts'] }),
      );
      const run = promisify(execFile);
      const tsc = join(root, 'node_modules', '.bin', 'tsc');
      await run(tsc, ['--noEmit', '-p', directory], { cwd: directory }).catch(({ stdout }) => {
        throw new Error(stdout);
      });
      await run(process.execPath, ['imported.ts'], { cwd: directory });
      const written = readFileSync(join(directory, 'dist', 'imported.k8s.yaml'), 'utf8');
      const synthesized = parseAllDocuments(written, { version: '1.1' }).map((each) => each.toJS() as KubeObject);
      const byName = (all: KubeObject[]) =>
        new Map(all.map((each) => [`${idOf(each)} ${each.metadata.name}`, each] as const));
      expect(byName(synthesized)).toEqual(byName(objects));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  limitMs,
);
