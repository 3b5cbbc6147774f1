/** What somebody who may edit objects, but not their status, can reach by writing what the operator keeps in annotations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { annotations, finalizer } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { namespaces } from '../../conformance/resources.ts';
import {
  armRequests,
  condition,
  events,
  gone,
  type RunningOperator,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

const victims = 'victims';
let world: World;
let root: string;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startWorld();
  root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  await world.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: victims } });
  operator = await world.startOperator();
});
afterAll(() => world?.close());

const annotate = (type: ResourceType, name: string, own: Record<string, string | null>) =>
  world.client.patch(type, { namespace: 'default', name }, { type: 'merge', body: { metadata: { annotations: own } } });
const remove = (type: ResourceType, name: string, namespace = 'default') =>
  world.client.delete(type, { namespace, name }, { propagationPolicy: 'Background' });
const inAzure = async (id: string, version = '2021-04-01') =>
  (await world.portal.arm('GET', id, version)).status === 200;
const written = (path: RegExp) => ['PUT', 'PATCH', 'DELETE'].flatMap((method) => armRequests(world, method, path));

async function group(name: string, metadata: object = {}): Promise<KubeObject> {
  await world.apply(types.group, name, { location: 'westeurope' }, metadata);
  return settledIn(types.group, name, (metadata as { namespace?: string }).namespace);
}

function settledIn(type: ResourceType, name: string, namespace = 'default', status = 'True'): Promise<KubeObject> {
  return until(`${name} is ${status}`, async () => {
    const found = await world.client.tryGet(type, { namespace, name });
    return condition(found)?.status === status && found;
  });
}

test('an edited ARM id leads to no other resource: it is put back, and neither object is disturbed', async () => {
  await group('theirs', { namespace: victims });
  const mine = await group('mine');
  const id = mine['status'].id as string;
  const before = written(/theirs/).length;
  await annotate(types.group, 'mine', { [annotations.resourceId]: `${root}/theirs` });
  await until('the operator has restored the annotation', async () => {
    const found = await world.get(types.group, 'mine');
    return found.metadata.annotations?.[annotations.resourceId] === id && condition(found)?.status === 'True';
  });
  await world.client.patch(
    types.group,
    { namespace: victims, name: 'theirs' },
    { type: 'merge', body: { spec: { tags: { still: 'theirs' } } } },
  );
  await until('the change is made', async () => {
    const { body } = await world.portal.arm('GET', `${root}/theirs`, '2021-04-01');
    return (body['tags'] as Record<string, string>)?.['still'] === 'theirs';
  });
  expect(written(/theirs/)).toHaveLength(before + 1);
  // A later process has nothing but the forged annotation to go by.
  await operator.stop();
  await annotate(types.group, 'mine', { [annotations.resourceId]: `${root}/theirs` });
  await remove(types.group, 'mine');
  operator = await world.startOperator();
  await gone(world, types.group, 'mine');
  expect(await inAzure(`${root}/theirs`)).toBe(true);
  expect(await inAzure(id)).toBe(true);
  await remove(types.group, 'theirs', victims);
  await until('the other is gone from Azure', async () => !(await inAzure(`${root}/theirs`)));
});

test('a spec that moves what exists in Azure is refused and says so, as where no rule of the definition did, and can be put back', async () => {
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  await group('here');
  await group('there');
  await world.apply(types.account, 'mover', { ...account, azureName: 'azmover', owner: { name: 'here' } });
  const made = await settledIn(types.account, 'mover');
  const sent = written(/azmover/).length;
  // Out of sight of the rule, which asks whether the status has an id, as API servers before 1.25 ask nothing.
  const { id, ...rest } = made['status'];
  const moved = { owner: { name: 'there' }, azureName: 'azmoved' };
  for (const spec of [{ owner: moved.owner }, { azureName: moved.azureName }]) {
    await operator.stop();
    await world.client.patch(
      types.account,
      { namespace: 'default', name: 'mover' },
      { type: 'json', operations: [{ op: 'replace', path: '/status', value: rest }] },
      { subresource: 'status' },
    );
    await world.client.patch(types.account, { namespace: 'default', name: 'mover' }, { type: 'merge', body: { spec } });
    operator = await world.startOperator();
    const refused = await untilReady(world, types.account, 'mover', 'ReconciliationFailedPermanently');
    expect(condition(refused)?.message).toMatch(
      /^The spec asks for .* an object keeps its ARM id: set spec.azureName and spec.owner back/,
    );
    expect(refused.metadata.annotations?.[annotations.resourceId]).toBe(id);
    await world.apply(types.account, 'mover', { ...account, azureName: 'azmover', owner: { name: 'here' } });
    await settledIn(types.account, 'mover');
  }
  expect(written(/azmove/)).toHaveLength(sent);
});

test('an object that lost its record gets it back from the process that wrote it; a later one leaves the resource and says so', async () => {
  const { metadata } = await group('bare');
  const own = Object.keys(metadata.annotations ?? {}).filter((name) =>
    Object.values<string>(annotations).includes(name),
  );
  const lost = Object.fromEntries(own.map((name) => [name, null]));
  expect(own).toContain(annotations.resourceId);
  await annotate(types.group, 'bare', lost);
  await until('it is noted again', async () => {
    const found = await world.get(types.group, 'bare');
    return found.metadata.annotations?.[annotations.resourceId] === metadata.annotations?.[annotations.resourceId];
  });
  await operator.stop();
  await annotate(types.group, 'bare', lost);
  await remove(types.group, 'bare');
  operator = await world.startOperator();
  await gone(world, types.group, 'bare');
  expect(await inAzure(`${root}/bare`)).toBe(true);
  await until('an event says it', async () => {
    const { items } = await world.client.list(events);
    return items.some(({ reason, note }) => reason === 'NotPossibleInAzure' && String(note).includes('no record that'));
  });
});

test('an ARM id of another type than the object’s is never used, whatever else the annotations say', async () => {
  const { subscriptionId, defaultApp } = world.azure;
  const guid = '99999999-2222-3333-4444-555555555555';
  const assignment = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleAssignments/${guid}`;
  const role = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635`;
  const journal = { version: 1, goal: 'x', blocks: { submit: { state: 'Running' } } };
  const applied = { body: 'x', inputs: '', knownDifference: '' };
  await group('base');
  for (const own of [
    { [annotations.journal]: JSON.stringify(journal) },
    { [annotations.applied]: JSON.stringify(applied) },
  ]) {
    await world.apply(
      types.armResource,
      'climber',
      {
        type: 'Contoso.Web/sites@2022-04-01',
        owner: { name: 'base' },
        body: { location: 'westeurope', properties: { roleDefinitionId: role, principalId: defaultApp.objectId } },
      },
      { annotations: { [annotations.resourceId]: assignment, ...own }, finalizers: [finalizer] },
    );
    const made = await untilReady(world, types.armResource, 'climber');
    expect(made['status'].id).toContain('/Contoso.Web/sites/climber');
    await remove(types.armResource, 'climber');
    await gone(world, types.armResource, 'climber');
  }
  expect(written(new RegExp(guid))).toEqual([]);
});

test('an owner whose ARM id was edited is no scope to grant access in', async () => {
  const owner = await group('ladder');
  await operator.stop();
  const forged = `/subscriptions/${world.azure.subscriptionId}`;
  await annotate(types.group, 'ladder', { [annotations.resourceId]: forged });
  await world.client.patch(
    types.group,
    { namespace: 'default', name: 'ladder' },
    { type: 'merge', body: { status: { id: forged } } },
    { subresource: 'status' },
  );
  await world.apply(types.roleAssignment, 'climb', {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'ladder' },
    principalId: world.azure.defaultApp.objectId,
    roleDefinitionReference: { wellKnownName: 'Owner' },
  });
  operator = await world.startOperator();
  const made = await settledIn(types.roleAssignment, 'climb');
  expect((made['status'].id as string).toLowerCase()).toContain('/resourcegroups/ladder/');
  expect((await settledIn(types.group, 'ladder'))['status'].id).toBe(owner['status'].id);
  for (const { path } of written(/roleAssignments/)) expect(path.toLowerCase()).toContain('/resourcegroups/ladder/');
});

test('who says to have sent something does not keep the older claimant from deleting, nor delete what that one is making', async () => {
  world.azure.settings.operationMs = 600_000;
  const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  await group('shared');
  await world.apply(types.account, 'older', { ...account, azureName: 'azshared1', owner: { name: 'shared' } });
  await until('Azure makes it', async () =>
    (await world.get(types.account, 'older')).metadata.annotations?.[annotations.journal]?.includes('Polling'),
  );
  const id = `${root}/shared/providers/Microsoft.Storage/storageAccounts/azshared1`;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await world.apply(
    types.account,
    'younger',
    { ...account, azureName: 'azshared1', owner: { name: 'shared' } },
    {
      annotations: {
        [annotations.resourceId]: id,
        [annotations.applied]: JSON.stringify({ body: 'x', inputs: '', knownDifference: '' }),
      },
      finalizers: [finalizer],
    },
  );
  await untilReady(world, types.account, 'younger', 'ReconciliationBlocked');
  await remove(types.account, 'younger');
  await gone(world, types.account, 'younger');
  expect(armRequests(world, 'DELETE', /azshared1/)).toEqual([]);
  world.azure.settings.operationMs = 50;
});
