import { expect, jest, test } from '@jest/globals';
import type { ComputeDeploymentSpec } from '../../../../runtime/api/deployments/compute-deployment.ts';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import { configMapsType } from '../../../../runtime/kube/client/core-types.ts';
import { objectPath } from '../../../../runtime/kube/client/paths.ts';
import type { ObjectKey, ResourceType } from '../../../../runtime/kube/client/types.ts';
import type { ChildAccess } from '../../../../runtime/operator/deployments/child-access.ts';
import type { DeploymentObject } from '../../../../runtime/operator/deployments/runs/runs.ts';
import { LinkedSources } from '../../../../runtime/operator/deployments/sources/linked-sources.ts';

const signal = new AbortController().signal;
const artefact = `registry.example.org/shop@sha256:${'a'.repeat(64)}`;
type Sources = NonNullable<NonNullable<ComputeDeploymentSpec['template']['arm']>['linkedTemplatesFrom']>;
const specOf = (linkedTemplatesFrom: Sources): ComputeDeploymentSpec => ({
  locations: [{ name: 'westeurope' }],
  template: { arm: { json: '{}', owner: { name: 'shop' }, linkedTemplates: { 'own.json': '1' }, linkedTemplatesFrom } },
});
const deploymentOf = (linkedTemplatesFrom: Sources) =>
  ({ metadata: { namespace: 'team', name: 'shop' }, spec: specOf(linkedTemplatesFrom) }) as DeploymentObject;
const access: Pick<ChildAccess, 'check'> = { check: async () => undefined };
let read = 0;
const clock = new ManualClock();
const sourcesWith = (data: Record<string, string> | undefined, resourceVersion = '1') => {
  const metadata = { name: 'texts', uid: 'u', resourceVersion };
  const client = {
    tryGet: async (_type: unknown, key: object) =>
      data && JSON.stringify(key) === '{"namespace":"team","name":"texts"}' ? { metadata, data } : undefined,
  };
  const oci = {
    read: async () => {
      read++;
      return { 'nested/web.json': '3' };
    },
  };
  return new LinkedSources(client as never, oci, access, clock);
};

test('texts of ConfigMaps and artefacts take the place of their sources; those of the spec go before', async () => {
  const sources = sourcesWith({ 'network.json': '2', 'own.json': 'other' });
  const found = await sources.read(deploymentOf([{ configMap: { name: 'texts' } }, { oci: artefact }]), signal);
  expect(read).toBe(0);
  expect(await found.spec()).toMatchObject({
    template: {
      arm: { linkedTemplates: { 'network.json': '2', 'nested/web.json': '3', 'own.json': '1' } },
    },
  });
  expect(JSON.stringify(await found.spec())).not.toContain('linkedTemplatesFrom');
});

test('an artefact counts for five minutes, and for its namespace and service account alone', async () => {
  read = 0;
  const sources = sourcesWith({});
  const deployment = deploymentOf([{ oci: artefact }]);
  const spec = async (of: DeploymentObject) => await (await sources.read(of, signal)).spec();
  await spec(deployment);
  await spec(deployment);
  expect(read).toBe(1);
  await spec({ ...deployment, spec: { ...deployment.spec, serviceAccountName: 'other' } });
  expect(read).toBe(2);
  await spec({ ...deployment, metadata: { ...deployment.metadata, namespace: 'neighbour' } });
  expect(read).toBe(3);
  clock.advance(300_000);
  await spec(deployment);
  expect(read).toBe(4);
  read = 0;
});

test('the version changes with a ConfigMap, and a spec without sources asks nobody', async () => {
  const deployment = deploymentOf([{ configMap: { name: 'texts' } }]);
  const [first, second] = await Promise.all(
    ['1', '2'].map(async (version) => (await sourcesWith({}, version).read(deployment, signal)).version),
  );
  expect(first).not.toBe(second);
  const none = await new LinkedSources({} as never, {} as never, access, clock).read(deploymentOf([]), signal);
  expect(none.version).toBe('');
});

test('a ConfigMap that does not exist is a problem that may pass', async () => {
  const found = await sourcesWith(undefined).read(deploymentOf([{ configMap: { name: 'texts' } }]), signal);
  expect(await found.spec()).toMatchObject({
    problem: {
      path: 'spec.template.arm.linkedTemplatesFrom[0]',
      message: 'The ConfigMap texts does not exist: create it',
      retryAfterMs: expect.any(Number),
    },
  });
});

test('a name that no ConfigMap can have is a problem of its source, and is not read', async () => {
  const tryGet = async (type: ResourceType, key: ObjectKey) => void objectPath(type, key);
  const sources = new LinkedSources({ tryGet } as never, {} as never, access, clock);
  const read = await sources.read(deploymentOf([{ configMap: { name: 'shop/texts' } }]), signal);
  const message = expect.stringContaining("'shop/texts' is no name of a ConfigMap");
  expect(await read.spec()).toEqual({ problem: { path: 'spec.template.arm.linkedTemplatesFrom[0]', message } });
});

test('texts beyond the limit of a goal are refused, and no further ConfigMap is read', async () => {
  const asked: string[] = [];
  const tryGet = async (_type: unknown, { name }: { readonly name: string }) => {
    asked.push(name);
    return { metadata: { name }, data: { [name]: 'x'.repeat(600_000) } };
  };
  const sources = new LinkedSources({ tryGet } as never, {} as never, access, clock);
  const maps = ['a', 'b', 'c', 'd'].map((name) => ({ configMap: { name } }));
  const found = await (await sources.read(deploymentOf(maps), signal)).spec();
  expect(found).toMatchObject({ problem: { message: expect.stringContaining('more than 1000000 characters') } });
  expect(asked).toEqual(['a', 'b']);
});

test.each([
  ['binaryData', () => ({ binaryData: { file: 'x'.repeat(600_000) } }), 'more than 1000000 characters', 2],
  ['paths', () => ({ data: { ['x'.repeat(600_000)]: '' } }), 'more than 1000000 characters', 2],
  [
    'empty texts',
    () => ({ data: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n, ''])) }),
    'or 100 texts',
    2,
  ],
])('%s of ConfigMaps count against the limits too', async (_what, content, message, reads) => {
  let asked = 0;
  const tryGet = async () => ({ metadata: { name: `map-${asked++}` }, ...content() });
  const sources = new LinkedSources({ tryGet } as never, {} as never, access, clock);
  const maps = ['a', 'b', 'c', 'd'].map((name) => ({ configMap: { name } }));
  const found = await (await sources.read(deploymentOf(maps), signal)).spec();
  expect(found).toMatchObject({ problem: { message: expect.stringContaining(message) } });
  expect(asked).toBe(reads);
});

test('a ConfigMap that the service account of the deployment may not read is not read', async () => {
  const checked: unknown[] = [];
  let asked = 0;
  const denied = {
    check: async (_deployment: unknown, request: object) => {
      checked.push(request);
      throw new AzimuthError('AZ_ACCESS_DENIED', 'it may not get configmaps', { retryAfterMs: 30_000 });
    },
  };
  const sources = new LinkedSources({ tryGet: async () => void asked++ } as never, {} as never, denied, clock);
  const found = await sources.read(deploymentOf([{ configMap: { name: 'texts' } }]), signal);
  expect(await found.spec()).toEqual({
    problem: {
      path: 'spec.template.arm.linkedTemplatesFrom[0]',
      message: 'it may not get configmaps',
      retryAfterMs: 30_000,
    },
  });
  expect(checked).toEqual([{ verb: 'get', type: configMapsType, name: 'texts' }]);
  expect(asked).toBe(0);
});

test('a registry that fails is asked again after a while, however often the deployment changes', async () => {
  let asked = 0;
  const oci = {
    read: async () => {
      asked++;
      throw new Error('the registry is down');
    },
  };
  const sources = new LinkedSources({} as never, oci, access, clock);
  const ask = async () => await (await sources.read(deploymentOf([{ oci: artefact }]), signal)).spec();
  for (let change = 0; change < 5; change++)
    expect(await ask()).toMatchObject({ problem: { message: 'the registry is down' } });
  expect(asked).toBe(1);
  clock.advance(30_001);
  await ask();
  expect(asked).toBe(2);
});

const artefacts = ['a', 'b'].map((digit) => ({ oci: `registry.example.org/shop@sha256:${digit.repeat(64)}` }));

test('all sources of a deployment have one deadline', async () => {
  const ends = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(ends.signal);
  const oci = {
    read: async (reference: string, end: AbortSignal) => {
      if (reference === artefacts[1]?.oci) ends.abort();
      end.throwIfAborted();
      return {};
    },
  };
  const sources = new LinkedSources({} as never, oci, access, clock);
  const found = await (await sources.read(deploymentOf(artefacts), signal)).spec();
  expect(timeout.mock.calls).toEqual([[60_000]]);
  timeout.mockRestore();
  expect(found).toMatchObject({
    problem: { message: expect.stringContaining('within 60 s'), path: 'spec.template.arm.linkedTemplatesFrom[1]' },
  });
});

test('an artefact is read once for a namespace, and a large one of a neighbour does not replace it', async () => {
  const asked: string[] = [];
  const oci = {
    read: async (reference: string) => {
      asked.push(reference);
      return { 'web.json': 'x'.repeat(reference.startsWith('large') ? 900_000 : 10) };
    },
  };
  const sources = new LinkedSources({} as never, oci, access, clock);
  const ask = async (namespace: string, reference: string) => {
    const deployment = deploymentOf([{ oci: reference }]);
    await (await sources.read({ ...deployment, metadata: { name: 'shop', namespace } }, signal)).spec();
  };
  await ask('team', artefact);
  await ask('other', artefact);
  for (let index = 0; index < 20; index++) await ask('other', `large-${index}`);
  await ask('team', artefact);
  expect(asked.filter((each) => each === artefact)).toHaveLength(2);
  asked.length = 0;
  for (let index = 19; index >= 0; index--) await ask('other', `large-${index}`);
  expect(asked.length).toBeGreaterThanOrEqual(12);
});
