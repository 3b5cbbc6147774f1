/** What `azimuth plan` reads, on a real API server: its defaults, its refusals and its conflicts, and that it writes nothing. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { clusterPlan } from '../../../runtime/plan/make-plan.ts';
import { actions, group as anyGroup, network as anyNetwork, changeOf, placed } from '../../compute/plan/support.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { eventually } from '../../fakes/eventually.ts';
import { core } from '../../view/world.ts';

const namespace = 'azimuth-plan-test';
const kinds = [kindOf('resources.azure.com', 'ResourceGroup'), kindOf('network.azure.com', 'VirtualNetwork')] as const;
const [groups, networks] = kinds.map(resourceOf) as [ResourceType, ResourceType];
const group: typeof anyGroup = (...args) => ({ ...anyGroup(...args), apiVersion: apiVersionOf(groups) });
const network: typeof anyNetwork = (...args) => ({ ...anyNetwork(...args), apiVersion: apiVersionOf(networks) });
let client: KubeClient;

const apply = (type: ResourceType, object: object, fieldManager = 'kubectl') =>
  client.apply(type, object as KubeObject, { fieldManager, force: true });
const inNamespace = ({ metadata, ...rest }: ReturnType<typeof group>) => ({
  ...rest,
  metadata: { ...metadata, namespace },
});
const plan = (...documents: readonly object[]) =>
  clusterPlan(client, placed(documents), { namespace, now: 0, fieldManager: 'kubectl' });

beforeAll(async () => {
  client = createKubeClient(loadKubeConnection({}));
  // API servers before 1.25 know no CEL rules.
  const { minor } = await client.raw<{ minor: string }>('/version');
  const cel = Number.parseInt(minor, 10) >= 25;
  for (const kind of kinds) await apply(customResourceDefinitions, crdManifest(kind, { versions: 'newest', cel }));
  await apply(core('namespaces', 'Namespace', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  for (const type of [groups, networks]) {
    const served = () =>
      client.list(type, { namespace }).then(
        () => true,
        () => false,
      );
    await eventually(`${type.kind} is served`, served, 300_000);
  }
});
afterAll(async () => {
  // The objects go with their definitions, which the next file may create.
  const definitions = [groups, networks].map(({ plural, group: own }) => ({ name: `${plural}.${own}` }));
  for (const key of definitions) await client?.delete(customResourceDefinitions, key);
  for (const key of definitions) {
    const isGone = async () => (await client.tryGet(customResourceDefinitions, key)) === undefined;
    await eventually(`${key.name} is gone`, isGone, 300_000);
  }
  await client?.close();
});

test('it shows what an apply would do, and writes nothing', async () => {
  await apply(groups, inNamespace(group('same', { tags: { a: '1' } })));
  await apply(groups, inNamespace(group('changed', { tags: { a: '1', b: '2' } })));
  await apply(groups, { ...inNamespace(group('changed')), spec: { tags: { c: '3' } } }, 'somebody');
  const versions = async () =>
    (await client.list(groups, { namespace })).items.map(({ metadata }) => metadata.resourceVersion);
  const before = await versions();
  const found = await plan(
    group('same', { tags: { a: '1' } }),
    group('changed', { tags: { a: '2', c: '4' } }),
    network('net', 'same'),
    network('lost', 'missing'),
  );
  expect(actions(found)).toEqual(['None same', 'Modify changed', 'Create lost', 'Create net']);
  expect(changeOf(found, 'changed').paths).toEqual([
    { path: 'spec.tags.a', before: '1', after: '2' },
    { path: 'spec.tags.c', before: '3', after: '4' },
    { path: 'spec.tags.b', before: '2' },
  ]);
  expect(found.problems).toMatchObject([
    { message: expect.stringContaining('ResourceGroup.resources.azure.com/missing') },
  ]);
  expect(found.notes).toMatchObject([expect.stringContaining('--force-conflicts')]);
  expect(await versions()).toEqual(before);
});

test('a kind that the API server does not serve is a problem', async () => {
  const resource = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { name: 'web' },
    spec: { type: 'Microsoft.Web/sites@2022-03-01', scope: '/subscriptions/s/resourceGroups/rg' },
  };
  expect((await plan(resource)).problems).toMatchObject([
    { message: 'the cluster does not serve ArmResource of azimuth.dev/v1alpha1: apply its CRD first' },
  ]);
});
