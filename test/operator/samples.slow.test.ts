/** ASO v2's own sample manifests, unchanged: they apply, become Ready on the sandbox and are deleted again. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf } from '../../runtime/api/kinds.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { presumedBySamples, readSamples, samplesMissing, samplesPresent } from './samples.ts';
import { condition, configMaps, secrets, startWorld, until, type World } from './support.ts';

const withSamples = samplesPresent ? test : test.skip;
if (!samplesPresent) process.stderr.write(`${samplesMissing}\n`);

let world: World;
beforeAll(async () => {
  if (!samplesPresent) return;
  world = await startWorld({ kinds: '*', versions: 'all' });
  await world.startOperator();
});
afterAll(() => world?.close());

function typeOf({ apiVersion, kind }: KubeObject): ResourceType {
  if (kind === 'Secret') return secrets;
  if (kind === 'ConfigMap') return configMaps;
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, plural: kindOf(group, kind).plural, kind, namespaced: true };
}
const read = (object: KubeObject) => world.client.tryGet(typeOf(object), object.metadata);

withSamples(samplesPresent ? 'every sample becomes Ready, and is deleted again' : samplesMissing, async () => {
  const samples = readSamples();
  expect(samples.length).toBeGreaterThan(15);
  const all = [...samples, ...presumedBySamples()];
  for (const object of all) await world.client.apply(typeOf(object), object, { fieldManager: 'test' });
  const resources = all.filter(({ apiVersion }) => apiVersion.includes('.azure.com/'));
  for (const object of resources) {
    let last: KubeObject | undefined;
    await until(`${object.kind} ${object.metadata.name} is Ready`, async () => {
      last = await read(object);
      return condition(last)?.status === 'True';
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(condition(last))}`);
    });
  }
  // One object may be there under several versions, and what is inside another may go with it.
  for (const object of resources) {
    if (await read(object)) await world.client.delete(typeOf(object), object.metadata).catch(() => undefined);
  }
  for (const object of resources) {
    await until(`${object.kind} ${object.metadata.name} is gone`, async () => (await read(object)) === undefined);
  }
  const { subscriptionId } = world.azure;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/aso-sample-rg`;
  expect((await world.portal.arm('GET', group, '2021-04-01')).status).toBe(404);
});
