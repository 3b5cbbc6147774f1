/** Who of several objects with one ARM id deletes it in Azure. */
import { expect, test } from '@jest/globals';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { planDeletion } from '../../../runtime/operator/lifecycle/deletion.ts';
import type { ObjectIndex } from '../../../runtime/operator/objects/object-index.ts';

const id = '/subscriptions/s/resourceGroups/g/providers/Contoso.Web/sites/x';
const claimant = (uid: string, { there = false, deleted = false, second = 0 } = {}): KubeObject => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ArmResource',
  metadata: {
    namespace: 'default',
    name: uid,
    uid,
    creationTimestamp: `2026-01-01T00:00:0${second}Z`,
    annotations: {
      [annotations.resourceId]: id,
      [annotations.acquired]: `${there ? 'written' : 'announced'} operator 2026-01-01T00:00:00.000Z`,
    },
    ...(deleted && { deletionTimestamp: '2026-01-02T00:00:00Z' }),
  },
  ...(there && { status: { id } }),
});

const now = Date.parse('2026-01-01T00:30:00Z');
const records = { authenticated: (object: KubeObject) => object, stored: (object: KubeObject) => object };
const signal = new AbortController().signal;
const type = { group: 'a', version: 'v1', plural: 'as', kind: 'A', namespaced: true };
/** A cluster with the definition of the kind, which is being removed or not. */
const definitions = (deletionTimestamp?: string) => async () => ({
  items: [{ metadata: { name: 'as.a', ...(deletionTimestamp !== undefined && { deletionTimestamp }) } }],
});
const never = { policy: 'manage', adopt: 'never' } as const;

async function leftBy(object: KubeObject, other: KubeObject | undefined, time = now): Promise<string | undefined> {
  const withResourceId = () => (other ? [object, other] : [object]);
  const objects = { withResourceId, ownedBy: () => [], typeOf: () => undefined } as unknown as ObjectIndex;
  const client = { list: definitions() } as unknown as KubeClient;
  const from = { objects, records, client, type, now: time, namespaceGoes: false, signal };
  return (await planDeletion(armResourceModel, object, never, undefined, from)).keepReason;
}

test('the resource stays where another object has it in Azure, but not for one that is being deleted too', async () => {
  const mine = claimant('mine', { there: true, deleted: true });
  expect(await leftBy(mine, claimant('other', { there: true }))).toContain('ArmResource default/other manages it too');
  expect(await leftBy(mine, claimant('other', { there: true, deleted: true }))).toBeUndefined();
});

test('an object of another namespace that has it is not named', async () => {
  const mine = claimant('mine', { there: true, deleted: true });
  const theirs = claimant('theirs', { there: true });
  theirs.metadata.namespace = 'victims';
  expect(await leftBy(mine, theirs)).toBe('An object of another namespace manages it too');
});

test('an object without a record of a write or an adoption deletes nothing', async () => {
  const mine = claimant('mine', { there: true, deleted: true });
  delete mine.metadata.annotations?.[annotations.acquired];
  expect(await leftBy(mine, undefined)).toContain('no record that this object created or adopted it');
});

test('a PUT that Azure never answered counts for an hour where the policy forbids to take over', async () => {
  const mine = claimant('mine', { deleted: true });
  expect(await leftBy(mine, undefined)).toBeUndefined();
  expect(await leftBy(mine, undefined, now + 3_600_000)).toContain('Azure never answered');
});

test('an object goes with the last of its owners only', async () => {
  const owner = (name: string): KubeObject => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { namespace: 'default', name, uid: name },
  });
  const refers = ({ apiVersion, kind, metadata: { name } }: KubeObject) => ({ apiVersion, kind, name, uid: name });
  const mine = claimant('mine', { there: true, deleted: true });
  const owned = {
    ...mine,
    metadata: { ...mine.metadata, ownerReferences: ['a', 'b'].map((name) => refers(owner(name))) },
  };
  const left = async (...there: KubeObject[]) => {
    const objects = { withResourceId: () => [], ownedBy: () => [], typeOf: () => ({}) } as unknown as ObjectIndex;
    const tryGet = async (_: unknown, { name }: { name: string }) =>
      there.find(({ metadata }) => metadata.name === name);
    const client = { tryGet, list: definitions() } as unknown as KubeClient;
    const from = { objects, records, client, type, now, namespaceGoes: false, signal };
    return (await planDeletion(armResourceModel, owned, never, undefined, from)).keepReason;
  };
  const cascading = owner('b');
  Object.assign(cascading.metadata, { deletionTimestamp: 'x', finalizers: ['foregroundDeletion'] });
  expect(await left(owner('a'), owner('b'))).toBeUndefined();
  expect(await left(owner('b'))).toBeUndefined();
  expect(await left(cascading)).toContain('its owner is gone');
  expect(await left()).toContain('its owner is gone');
});

test('what a deployment detaches stays in Azure when the garbage collector deletes it first', async () => {
  const left = async (armType: string, deployment: object) => {
    const mine = claimant('mine', { there: true, deleted: true, second: 2 });
    Object.assign(mine, { kind: 'ArmResource', spec: { type: armType } });
    const [apiVersion, kind] = ['azimuth.dev/v1alpha1', 'ComputeDeployment'];
    mine.metadata.ownerReferences = [{ apiVersion, kind, name: 'app', uid: 'u', controller: true }];
    const objects = { withResourceId: () => [], ownedBy: () => [], typeOf: () => undefined } as unknown as ObjectIndex;
    const creationTimestamp = '2026-01-01T00:00:01Z';
    const list = async (_: unknown, { fieldSelector = '' }: { fieldSelector?: string }) =>
      fieldSelector.includes('computedeployments')
        ? { items: [{ metadata: { name: 'computedeployments.azimuth.dev', creationTimestamp } }] }
        : definitions()();
    const client = { list, tryGet: async () => deployment } as never;
    const from = { objects, records, client, type, now, namespaceGoes: false, signal };
    return (await planDeletion(armResourceModel, mine, never, undefined, from)).keepReason;
  };
  const going = { uid: 'u', deletionTimestamp: '2026-01-02T00:00:00Z' };
  const [group, network] = ['Microsoft.Resources/resourceGroups@2021-04-01', 'Microsoft.Network/x@2024-01-01'];
  const app = (actionOnUnmanage: object | undefined, metadata: object = going) => ({
    metadata,
    spec: { actionOnUnmanage },
  });
  for (const each of [group, network])
    expect(await left(each, app({ resources: 'detach' }))).toBe(
      'actionOnUnmanage of ComputeDeployment app detaches it',
    );
  expect(await left(group, app({ resources: 'delete' }))).toContain('detaches it');
  expect(await left(network, app({ resources: 'delete' }))).toBeUndefined();
  expect(await left(network, app(undefined))).toBeUndefined();
  expect(await left(network, app({ resources: 'detach' }, { uid: 'u' }))).toBeUndefined();
  expect(await left(network, app({ resources: 'detach' }, { ...going, uid: 'other' }))).toBeUndefined();
});

test('an object whose controller went with its definition stays in Azure, also once the definition is back', async () => {
  const left = async (controller: boolean, definition: object | undefined) => {
    const mine = claimant('mine', { there: true, deleted: true, second: 2 });
    const [apiVersion, kind] = ['azimuth.dev/v1alpha1', 'ComputeDeployment'];
    mine.metadata.ownerReferences = [{ apiVersion, kind, name: 'app', uid: 'u', controller }];
    const objects = { withResourceId: () => [], ownedBy: () => [], typeOf: () => undefined } as unknown as ObjectIndex;
    const name = 'computedeployments.azimuth.dev';
    const list = async (_: unknown, { fieldSelector }: { fieldSelector: string }) =>
      fieldSelector === `metadata.name=${name}`
        ? { items: definition ? [{ metadata: { name, ...definition } }] : [] }
        : definitions()();
    const raw = async () => {
      throw new KubeStatusError({ verb: 'get', resource: 'discovery' }, 404, {});
    };
    const from = {
      objects,
      records,
      client: { list, raw, tryGet: async () => undefined } as never,
      type,
      now,
      namespaceGoes: false,
      signal,
    };
    return (await planDeletion(armResourceModel, mine, never, undefined, from)).keepReason;
  };
  const creationTimestamp = '2026-01-01T00:00:01Z';
  expect(await left(true, { creationTimestamp })).toBeUndefined();
  for (const gone of [undefined, { creationTimestamp, deletionTimestamp: creationTimestamp }])
    expect(await left(true, gone)).toContain('went with the definition computedeployments.azimuth.dev');
  expect(await left(true, { creationTimestamp: '2026-01-01T00:00:03Z' })).toContain('went with the definition');
  expect(await left(false, undefined)).toBeUndefined();
});

test('of thousands of owners that an object names few are read', async () => {
  const mine = claimant('mine', { there: true, deleted: true });
  mine.metadata.ownerReferences = Array.from({ length: 5000 }, (_, index) => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    name: `owner-${index}`,
    uid: `owner-${index}`,
  }));
  let reads = 0;
  const objects = {
    withResourceId: () => [mine],
    ownedBy: () => [],
    typeOf: () => type,
  } as unknown as ObjectIndex;
  const tryGet = async () => void reads++;
  const client = { list: definitions(), tryGet } as unknown as KubeClient;
  const from = { objects, records, client, type, now, namespaceGoes: false, signal };
  const { keepReason } = await planDeletion(armResourceModel, mine, never, undefined, from);
  expect(keepReason).toBe('it is only deleted because its owner is gone');
  expect(reads).toBeLessThanOrEqual(20);
});
