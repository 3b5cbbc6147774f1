/**
 * Every kind of ARM, by a sample of ASO v2 where there is one, else by its required fields: made by one cluster, imported
 * from Azure, taken over by another without a write.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { armKinds, kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { type Imported, importResources } from '../../runtime/import/importer.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { typeOf } from '../operator/sample-run.ts';
import {
  armKindOf,
  keyOf,
  newestSamples,
  otherKinds,
  presumedBy,
  sampleGroups,
  samplesMissing,
  samplesPresent,
} from '../operator/samples.ts';
import { armRequests, condition, startWorld, until, type World } from '../operator/support.ts';
import { readerOf } from './support.ts';

const limitMs = 200_000;
const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);
const anywhere = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };

let first: World;
let second: World;
let made: KubeObject[] = [];
let imported: Imported;
let objects: KubeObject[] = [];
const writes: string[] = [];

const idOf = ({ apiVersion, kind }: KubeObject) => `${apiVersion.split('/')[0]}/${kind}`;
const catalogueId = ({ group, kind }: { group: string; kind: string }) => `${group}/${kind}`;
const storedTypeOf = ({ apiVersion, kind }: KubeObject) => resourceOf(kindOf(apiVersion.split('/')[0] ?? '', kind));

async function allReady(
  world: World,
  wanted: readonly KubeObject[],
  type: (object: KubeObject) => ResourceType,
): Promise<KubeObject[]> {
  const open = new Map(wanted.map((object) => [keyOf(object), object]));
  const found: KubeObject[] = [];
  const last = new Map<string, unknown>();
  await until(
    'all are Ready',
    async () => {
      for (const [key, object] of open) {
        const read = await world.client.tryGet(type(object), object.metadata);
        last.set(key, condition(read));
        if (!read || condition(read)?.status !== 'True') continue;
        found.push(read);
        open.delete(key);
      }
      return open.size === 0;
    },
    limitMs,
  ).catch((error: Error) => {
    const left = [...open.keys()].map((key) => `${key}: ${JSON.stringify(last.get(key))}`);
    throw new Error(`${error.message}\n${left.join('\n')}`);
  });
  return found;
}

/** Azure takes the region of the group where none is given; the sandbox would leave it out of the group's list. */
function inRegion(object: KubeObject): KubeObject {
  const takes = armKindOf(object)?.arm?.fields.properties?.['location'] !== undefined;
  return takes ? { ...object, spec: { location: 'westeurope', ...(object['spec'] as object) } } : object;
}

beforeAll(async () => {
  if (!samplesPresent) return;
  first = await startWorld({ kinds: '*', versions: 'all' });
  const { throttle, subscriptionId } = first.azure;
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
  const [samples = []] = sampleGroups(newestSamples());
  // ARM does not have the objects of other services, so an import cannot find them.
  const ofArm = samples.filter((object) => armKindOf(object)?.arm?.dataPlane === undefined);
  const wanted = [...ofArm, ...otherKinds([...ofArm, ...presumedBy(samples, first.azure)], first.azure)];
  const all = [...presumedBy(wanted, first.azure), ...wanted].map(inRegion);
  for (const object of all) await first.client.apply(typeOf(object), object, { fieldManager: 'test', force: true });
  const operator = await first.startOperator(anywhere);
  made = await allReady(
    first,
    all.filter((object) => armKindOf(object)?.arm),
    typeOf,
  );
  await operator.stop();

  const groups = await first.portal.arm('GET', `/subscriptions/${subscriptionId}/resourceGroups`, '2021-04-01');
  // Azure has no list of all extensions below a group, and an Alias is in none: a user names them.
  const named = made.filter((object) => {
    const { owner, scope } = armKindOf(object)?.arm ?? {};
    return owner?.extension || scope === 'Tenant';
  });
  imported = await importResources(readerOf(first.azure), {
    ids: [
      ...(groups.body['value'] as { id: string }[]).map(({ id }) => id),
      ...named.map(({ status }) => (status as { id: string }).id),
    ],
    recursive: true,
    output: 'yaml',
    namespace: 'default',
    labels: {},
    annotations: {},
    workers: 8,
    credential: 'environment',
  });
  objects = parseAllDocuments(imported.text, { version: '1.1' }).map((document) => document.toJS() as KubeObject);

  const mark = first.azure.journal.entries({}).at(-1)?.seq ?? 0;
  second = await startWorld({ azure: first.azure, kinds: '*' });
  for (const object of objects)
    await second.client.apply(storedTypeOf(object), object, { fieldManager: 'test', force: true });
  await second.startOperator(anywhere);
  await allReady(second, objects, storedTypeOf);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const later = armRequests(second, method, /./).filter(({ seq }) => seq > mark);
    writes.push(...later.map(({ path }) => `${method} ${path.split('/providers/')[1]}`));
  }
}, 560_000);
afterAll(async () => {
  await second?.close();
  await first?.close();
});

withSamples(samplesPresent ? 'every kind of ARM is imported' : samplesMissing, () => {
  const found = new Set(objects.map(idOf));
  const kinds = [...new Set(made.map(idOf))];
  expect(kinds.sort()).toEqual(
    armKinds
      .filter(({ arm }) => arm.dataPlane === undefined)
      .map(catalogueId)
      .sort(),
  );
  expect(kinds.filter((id) => !found.has(id)).sort()).toEqual([]);
});

withSamples(
  samplesPresent
    ? 'its manifest takes the resource over without a write, but for four kinds of which Azure does not show enough'
    : samplesMissing,
  () => {
    expect([...writes].sort()).toEqual([
      // Their types have no GET, so that there is nothing to compare with.
      'PUT Microsoft.ApiManagement/service/presumed-service/gateways/presumed-servicegateway/apis/azmapimgwapix1',
      'PUT Microsoft.ApiManagement/service/presumed-service/products/presumed-product/apis/azmapimprodapix1',
      'PUT Microsoft.ApiManagement/service/sampleapimservice/products/sampleproduct/groups/samplegroup',
      // Its schema requires a password, which Azure shows to nobody; the import says so.
      'PUT Microsoft.DBforMariaDB/servers/myserver',
      'PUT Microsoft.DBforMariaDB/servers/presumed-server',
    ]);
    expect(imported.problems).toContainEqual({
      id: expect.stringMatching(/servers\/myserver$/),
      message: expect.stringContaining('applying the manifest changes'),
    });
  },
);

withSamples(samplesPresent ? 'nothing that the import lists is refused by Azure' : samplesMissing, () => {
  expect(imported.problems.filter(({ message }) => /refused|not supported/i.test(message))).toEqual([]);
});
