import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import { objectPath } from '../../../../runtime/kube/client/paths.ts';
import type { ObjectKey, ResourceType } from '../../../../runtime/kube/client/types.ts';
import type { DeploymentObject } from '../../../../runtime/operator/deployments/runs/runs.ts';
import { GoalSources, readsConfigMaps } from '../../../../runtime/operator/deployments/sources/goal-sources.ts';

const parameter = (name = 'out', key = 'k') => ({ configMap: { name, key } });
const deployment = (parameters: object): DeploymentObject => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata: { namespace: 'team', name: 'shop' },
  spec: { parameters, locations: [{ name: 'east' }], template: { arm: { json: '{}', owner: {} } } },
});

/** Reads the sources of a deployment with these parameters; `denied`: the service account may read no ConfigMap. */
async function read(
  parameters: object,
  data: Readonly<Record<string, string>> | undefined,
  version = '1',
  denied = false,
) {
  const names: string[] = [];
  const client = {
    tryGet: async (type: ResourceType, key: ObjectKey) => {
      objectPath(type, key);
      names.push(key.name);
      return data && { metadata: { uid: 'u', resourceVersion: version }, data };
    },
  };
  const check = async () => {
    if (denied) throw new AzimuthError('AZ_ACCESS_DENIED', 'may not get configmaps');
  };
  const linked = { read: async ({ spec }: DeploymentObject) => ({ version: 'linked', spec: async () => spec }) };
  const sources = new GoalSources(client as never, { check }, linked);
  const found = await sources.read(deployment(parameters), new AbortController().signal);
  return { names, version: found.version, spec: await found.spec() };
}

test('the goal has the text of the ConfigMap, whose change is another version', async () => {
  const { spec, version, names } = await read({ a: parameter(), b: parameter('out', 'l') }, { k: 'one', l: '2' });
  expect(spec).toMatchObject({ parameters: { a: { configMap: { text: 'one' } }, b: { configMap: { text: '2' } } } });
  expect(names).toEqual(['out']);
  expect((await read({ a: parameter() }, { k: 'one' }, '2')).version).not.toBe(version);
});

test('a ConfigMap that the service account may not read is not read', async () => {
  const { spec, names } = await read({ a: parameter() }, { k: 'one' }, '1', true);
  expect(spec).toEqual({
    problem: { path: 'spec.parameters', message: 'may not get configmaps', retryAfterMs: 30_000 },
  });
  expect(names).toEqual([]);
});

const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, parameter(`map${index}`)]));
test.each([
  ['a ConfigMap that is not there', { a: parameter() }, undefined, /The ConfigMap out does not exist/],
  ['a key that is not there', { a: parameter() }, {}, /The ConfigMap out has no key k/],
  ['a key of every object', { a: parameter('out', 'constructor') }, {}, /has no key constructor/],
  ['more than twenty ConfigMaps', many, {}, /21 of at most 20 ConfigMaps/],
  ['more than a goal takes', { a: parameter() }, { k: 'a'.repeat(1_000_000) }, /more than 1000000 characters/],
])('%s is a problem that is read again', async (_, parameters, data, message) => {
  const { spec } = await read(parameters, data);
  expect(spec).toMatchObject({ problem: { message: expect.stringMatching(message), retryAfterMs: 30_000 } });
});

test.each(['shop/endpoint', 'shop%2f', '', '..', 'Shop'])(
  'the name %j, which no ConfigMap can have, is a problem of its parameter, and is not read',
  async (name) => {
    const { spec, names } = await read({ a: parameter(name), b: parameter() }, { k: 'one' });
    const message = expect.stringContaining(`'${name}' is no name of a ConfigMap`);
    expect(spec).toEqual({ problem: { path: 'spec.parameters.a', message, retryAfterMs: 30_000 } });
    expect(names).toEqual(['out']);
  },
);

test('manifests take an object as it is', async () => {
  const { spec } = deployment({ a: parameter() });
  const manifests = { ...spec, template: { manifests: [] } };
  expect([readsConfigMaps(spec), readsConfigMaps(manifests)]).toEqual([true, false]);
});
