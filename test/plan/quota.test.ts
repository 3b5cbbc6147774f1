import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { managedSecretsFeature } from '../../runtime/api/machines/features.ts';
import type { ArmReader } from '../../runtime/azure/arm/arm-reader.ts';
import { apiVersionOf, type KubeClient, type ResourceType } from '../../runtime/kube/client/types.ts';
import { clusterPlan } from '../../runtime/plan/make-plan.ts';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { hasChanges, renderPlan } from '../../runtime/plan/render.ts';
import { changeOf, placed } from '../compute/plan/support.ts';
import { readerOf } from '../import/support.ts';
import { secrets, startWorld, types, untilReady, type World } from '../operator/support.ts';

const setType = resourceOf(kindOf('compute.azure.com', 'VirtualMachineScaleSet'));
const registrationType = resourceOf(kindOf('azimuth.dev', 'FeatureRegistration'));
const approvalType = resourceOf(kindOf('azimuth.dev', 'FeatureApproval'));
let world: World;
let reader: ArmReader;
let subscription: string;
const manifest = (type: ResourceType, name: string, spec: object, metadata: object = {}) => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  metadata: { name, ...metadata },
  spec,
});
const set = (name: string, capacity: number, more: object = {}, metadata: object = {}) =>
  manifest(
    setType,
    name,
    {
      location: 'westeurope',
      owner: { name: 'rg' },
      sku: { name: 'Standard_D2s_v3', capacity },
      orchestrationMode: 'Uniform',
      upgradePolicy: { mode: 'Manual' },
      virtualMachineProfile: { osProfile: { computerNamePrefix: 'web', adminUsername: 'ops' } },
      ...more,
    },
    metadata,
  );
const withSecrets = { operatorSpec: { managedSecrets: [{ managedSecret: 'web', delivery: 'OsProfile' }] } };
const options = { namespace: 'default', now: 0, fieldManager: 'test' };
const plan = (documents: readonly object[], client: KubeClient = world.client) =>
  clusterPlan(client, placed(documents), { ...options, azure: { reader, subscriptionId: subscription } });
const reads = () =>
  world.azure.journal.entries({ service: 'arm' }).filter(({ path }) => /\/usages$/i.test(path.split('?')[0] ?? ''));
const quotaOf = ({ problems }: { problems: readonly { message: string }[] }) =>
  problems.map(({ message }) => message).filter((message) => message.includes('this plan needs'));

beforeAll(async () => {
  world = await startWorld({ kinds: 'compute.azure.com/VirtualMachineScaleSet' });
  reader = readerOf(world.azure);
  subscription = world.azure.subscriptionId;
  const operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
  const { spec } = set('present', 2);
  await world.apply(setType, 'present', spec);
  await untilReady(world, setType, 'present');
  await operator.stop();
}, 120_000);
afterAll(() => world?.close());
beforeEach(() => {
  world.azure.journal.clear();
  world.azure.faults.clear();
  world.azure.settings.coreQuota = 1000;
  world.azure.settings.familyQuota = { standardDSv3Family: 1000 };
});

test('the machines of a plan are compared with the quota together, in one read for each region', async () => {
  world.azure.settings.coreQuota = 4 + 10;
  const both = [set('first', 3), set('second', 3)];
  expect(await plan([both[0] as object])).toMatchObject({ problems: [], notes: [] });
  world.azure.journal.clear();
  const found = await plan(both);
  expect(reads()).toHaveLength(1);
  expect(quotaOf(found)).toEqual([
    expect.stringMatching(
      /^westeurope .* has 4 of 14 cores in use, and this plan needs 12 more, for .*first \(6\), .*second \(6\)/,
    ),
  ]);
  expect(renderPlan(found, 'text', { colours: false })).toMatch(/Problem: documents\[0\] .*this plan needs 12 more/);
  expect(JSON.parse(renderPlan(found, 'json', { colours: false })).problems).toHaveLength(1);
});

test('a set that grows needs what it grows by, one that shrinks or stays needs nothing and reads nothing', async () => {
  world.azure.settings.familyQuota = { standardDSv3Family: 7 };
  expect(quotaOf(await plan([set('present', 4)]))).toEqual([
    expect.stringMatching(/4 of 7 standarddsv3family .* needs 4 more/),
  ]);
  world.azure.journal.clear();
  expect(await plan([set('present', 1)])).toMatchObject({ problems: [] });
  expect(await plan([set('present', 2)])).toMatchObject({ problems: [] });
  expect(reads()).toEqual([]);
});

test('spot cores have a quota of their own, and a machine that is skipped needs none', async () => {
  world.azure.settings.familyQuota = { standardDSv3Family: 4 };
  const spot = {
    virtualMachineProfile: { osProfile: { computerNamePrefix: 'web', adminUsername: 'o' }, priority: 'Spot' },
  };
  expect(quotaOf(await plan([set('spot', 2, spot)]))).toEqual([]);
  const skipped = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } };
  expect(quotaOf(await plan([set('skipped', 50, {}, skipped)]))).toEqual([]);
  world.azure.settings.coreQuota = 7;
  expect(quotaOf(await plan([set('spot', 4, spot)]))).toEqual([expect.stringContaining('0 of 7 lowprioritycores')]);
});

test('what is not checked is said: usages that cannot be read, sizes, a plan without Azure', async () => {
  const body = { error: { code: 'AuthorizationFailed', message: 'no' } };
  world.azure.faults.add({ service: 'arm', method: 'GET', path: '/usages', times: 0, status: 403, body });
  const found = await plan([set('first', 1), set('odd', 1, { sku: { name: 'Standard_A7', capacity: 1 } })]);
  expect(found.problems).toEqual([]);
  expect(found.notes).toEqual([
    expect.stringMatching(/quota of westeurope .* is not checked: you may not read it .*403 AuthorizationFailed/),
    expect.stringMatching(/quota for VirtualMachineScaleSet.compute.azure.com\/odd is not checked/),
  ]);
  const cluster = await clusterPlan(world.client, placed([set('first', 1), set('present', 2)]), options);
  const notes = [expect.stringMatching(/^the quota for [^,]*first is not checked: --live/)];
  expect(cluster.notes).toEqual(notes);
  expect(offlinePlan(placed([set('first', 1, withSecrets)]), options).notes).toEqual([
    expect.stringMatching(/gates of managed secrets are not checked for .*first: no cluster/),
    ...notes,
  ]);
});

test('a location of a manifest reads no path of its own, and many locations are read up to a limit', async () => {
  const evil = set('evil', 1, { location: '../../../providers/x?y=' });
  const far = Array.from({ length: 130 }, (_, index) => set(`far${index}`, 1, { location: `region${index}` }));
  const found = await plan([evil, ...far]);
  expect(reads().length).toBeLessThanOrEqual(100);
  expect(reads().every(({ path }) => /\/locations\/region\d+\/usages/.test(path))).toBe(true);
  expect(found.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/evil is not checked/),
      expect.stringMatching(/the quota of 30 regions is not checked/),
    ]),
  );
}, 60_000);

test('a resource that may not be read is unknown, never created, and its quota is not checked', async () => {
  const body = { error: { code: 'AuthorizationFailed', message: 'no' } };
  world.azure.faults.add({
    service: 'arm',
    method: 'GET',
    path: 'virtualMachineScaleSets',
    times: 0,
    status: 403,
    body,
  });
  const found = await plan([set('hidden', 3), set('present', 2)]);
  for (const name of ['hidden', 'present']) {
    expect(changeOf(found, name)).toMatchObject({
      action: 'Unknown',
      notes: ['unknown: you may not read it in Azure with your credential (403 AuthorizationFailed)'],
    });
  }
  expect(renderPlan(found, 'text', { colours: false })).toContain(
    'Plan: 0 to create, 0 to change, 0 to delete, 2 unknown',
  );
  expect(hasChanges(found)).toBe(true);
  expect(reads()).toEqual([]);
});

test('an object with the credential of a Secret says that it is seen with another one', async () => {
  const named = { annotations: { 'serviceoperator.azure.com/credential-from': 'team' } };
  const seen = 'seen with your credential: the operator uses that of the Secret team';
  const found = await plan([set('mine', 1, {}, named), set('other', 1)]);
  expect(changeOf(found, 'mine').notes).toEqual([seen]);
  expect(changeOf(found, 'other').notes).toEqual([]);
  const group = manifest(types.group, 'new', { location: 'westeurope' }, named);
  expect((await plan([group])).notes).toEqual([
    expect.stringMatching(/^Azure is not compared for .*new: .* in no Secret/),
  ]);
  const client: KubeClient = world.client;
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'aso-credential', namespace: 'default' },
    data: { AZURE_CLIENT_SECRET: Buffer.from('hunter2').toString('base64') },
  });
  const shared = await plan([set('other', 1), set('mine', 1, {}, named)]);
  await client.delete(secrets, { namespace: 'default', name: 'aso-credential' });
  expect(changeOf(shared, 'other').notes).toEqual([seen.replace('team', 'aso-credential')]);
  expect(changeOf(shared, 'mine').notes).toEqual([seen]);
  expect(JSON.stringify(shared)).not.toContain('hunter2');
});

test('a closed gate is a problem of machines with managed secrets, until the files or the cluster open it', async () => {
  const gated = set('gated', 1, withSecrets);
  const gatesOf = ({ problems }: { problems: readonly { path: string; message: string }[] }) =>
    problems.filter(({ message }) => message.includes('gate of managed secrets'));
  expect(gatesOf(await plan([set('plain', 1)]))).toEqual([]);
  expect(gatesOf(await plan([gated]))).toEqual([
    {
      path: 'documents[0] VirtualMachineScaleSet.compute.azure.com/gated spec.operatorSpec.managedSecrets',
      message: expect.stringMatching(new RegExp(`subscription ${subscription} has no FeatureRegistration`)),
    },
  ]);
  const registration = manifest(registrationType, 'west', { feature: managedSecretsFeature, subscription });
  const approval = manifest(approvalType, 'yes', { for: { name: 'west' } });
  expect(gatesOf(await plan([gated, registration]))).toMatchObject([
    { message: expect.stringContaining('no FeatureApproval') },
  ]);
  expect(gatesOf(await plan([gated, registration, approval]))).toEqual([]);
  const spec = { ...approval.spec, until: '1969-01-01T00:00:00Z' };
  expect(gatesOf(await plan([gated, registration, { ...approval, spec }]))).toHaveLength(1);
  // Wrong ones open nothing, and break nothing.
  const broken = [{ ...registration, spec: null }, { kind: 'FeatureApproval' }, { ...approval, spec: { for: 7 } }];
  expect(gatesOf(await plan([gated, ...broken]))).toHaveLength(1);
});
