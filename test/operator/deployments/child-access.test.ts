import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { ChildAccess } from '../../../runtime/operator/deployments/child-access.ts';
import { gone, types, until, type World } from '../support.ts';
import {
  deploymentType,
  namesOf,
  networkSpec,
  readyOf,
  runIn,
  runType,
  startDeploymentWorld,
} from './deployment-world.ts';

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true } as const;
const roles = { ...rbac, plural: 'roles', kind: 'Role' };
const bindings = { ...rbac, plural: 'rolebindings', kind: 'RoleBinding' };
const key = { namespace: 'default', name: 'deployer' };

let world: World;
beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
  const metadata = key;
  const rules = ['resources.azure.com', 'network.azure.com'].map((group) => ({
    apiGroups: [group],
    resources: ['*'],
    verbs: ['create', 'patch', 'delete'],
  }));
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  await world.client.create(roles, { apiVersion, kind: 'Role', metadata, rules } as KubeObject);
});
afterAll(() => world.close());

const grant = () =>
  world.client.create(bindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: key,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: key.name },
    subjects: [{ kind: 'ServiceAccount', ...key }],
  } as KubeObject);
const take = () => world.client.delete(bindings, key);
const spec = (retry: string, change: object = {}) =>
  networkSpec(['westeurope'], { serviceAccountName: key.name, retry, ...change });

test('a deployment makes no object that its service account may not make, and says which right is missing', async () => {
  await world.apply(deploymentType, 'refused', spec('one'));
  const run = await runIn(world, 'refused', 'Failed');
  expect(run['status'].message).toContain('ResourceGroup.resources.azure.com/rg-westeurope');
  expect(await namesOf(world, types.group)).toEqual([]);
  expect((await readyOf(world, 'refused'))?.message).toMatch(
    /service account deployer of the deployment may not create resourcegroups\.resources\.azure\.com in the namespace default/,
  );
});

test('with the right it makes, changes and deletes them; without it, it stops and waits', async () => {
  await grant();
  await world.apply(deploymentType, 'refused', spec('two'));
  await runIn(world, 'refused', 'Succeeded', 2);
  expect(await namesOf(world, types.network)).toEqual(['net-westeurope']);

  await take();
  const changed = spec('two', { parameters: { team: 'other' } });
  await until('the API server has forgotten the right', async () => {
    await world.apply(deploymentType, 'refused', { ...changed, retry: String(Date.now()) });
    const ready = await readyOf(world, 'refused');
    return ready?.message?.includes('may not patch');
  });
  expect((await world.get(types.group, 'rg-westeurope'))['spec'].tags).toEqual({ team: 'shop' });

  await world.client.delete(deploymentType, { namespace: 'default', name: 'refused' });
  await until('the deletion says which right it waits for', async () =>
    (await readyOf(world, 'refused'))?.message?.includes('may not delete'),
  );
  expect(await namesOf(world, types.network)).toEqual(['net-westeurope']);
  await grant();
  await gone(world, deploymentType, 'refused');
  expect(await namesOf(world, types.group)).toEqual([]);
});

test('a run that a person asks for by goalOf has the rights of the same account', async () => {
  await world.apply(deploymentType, 'back', spec('one'));
  await runIn(world, 'back', 'Succeeded');
  await take();
  await until('the operator has forgotten the right', async () => {
    await world.apply(deploymentType, 'back', spec('one', { parameters: { team: `team-${Date.now()}` } }));
    return (await readyOf(world, 'back'))?.message?.includes('may not patch');
  });
  const { tags } = (await world.get(types.group, 'rg-westeurope'))['spec'];
  await world.apply(runType, 'former', { deployment: 'back', goalOf: 'back-1' });
  const failed = await until('the run fails', async () => {
    const run = await world.get(runType, 'former');
    return run['status']?.state === 'Failed' && run;
  });
  expect(failed['status'].message).toContain('may not patch');
  expect((await world.get(types.group, 'rg-westeurope'))['spec'].tags).toEqual(tags);
  await grant();
  await world.client.delete(deploymentType, { namespace: 'default', name: 'back' });
  await gone(world, deploymentType, 'back');
});

test('the account is that of the spec, or default under the multi-tenant profile', () => {
  const of = (multiTenant: boolean, serviceAccountName?: string) =>
    new ChildAccess({} as KubeClient, new ManualClock(), multiTenant).accountOf({
      spec: { serviceAccountName },
    } as unknown as KubeObject);
  expect([of(false), of(true), of(false, 'a'), of(true, 'a')]).toEqual([undefined, 'default', 'a', 'a']);
});

test('a review without a decision is asked for again, and a right counts for ten seconds', async () => {
  const clock = new ManualClock(1000);
  let [allowed, asked]: [unknown, number] = [true, 0];
  const client = {
    create: async (_: unknown, { kind }: KubeObject) => ({ kind, status: { allowed }, asked: ++asked }),
  } as unknown as KubeClient;
  const access = new ChildAccess(client, clock, true);
  const deployment = { metadata: { namespace: 'app', name: 'd' }, spec: {} } as unknown as KubeObject;
  const check = () =>
    access.check(deployment, { verb: 'create', type: types.group, name: 'a' }, new AbortController().signal);
  await check();
  allowed = 'true';
  await check();
  expect(asked).toBe(1);
  await clock.advance(10_001);
  await expect(check()).rejects.toMatchObject({ code: 'AZ_KUBE_ANSWER', retryable: true });
  allowed = false;
  await expect(check()).rejects.toMatchObject({ code: 'AZ_ACCESS_DENIED', retryable: true });
  const map = { verb: 'get', type: { group: '', plural: 'configmaps' }, name: 'a' } as const;
  const read = access.check(deployment, map, new AbortController().signal);
  await expect(read).rejects.toThrow('may not get configmaps in the namespace app (a)');
  expect(asked).toBe(4);
});
