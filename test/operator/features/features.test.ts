import { expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { ApproverNames } from '../../../runtime/operator/approvals/approver-names.ts';
import { ApprovalReconciler } from '../../../runtime/operator/features/approval-reconciler.ts';
import { FeatureGates } from '../../../runtime/operator/features/feature-gates.ts';
import {
  type FeatureApproval,
  FeatureReconciler,
  type FeatureReconcilerDeps,
  type FeatureRegistration,
} from '../../../runtime/operator/features/feature-reconciler.ts';
import { eventually, until } from '../../fakes/eventually.ts';
import { condition } from '../support.ts';
import { approvals, type FeatureWorld, registrations, startFeatureWorld, subscription } from './feature-world.ts';

const own = 'azimuth.dev/ManagedSecrets';
const azures = 'Microsoft.Compute/EncryptionAtHost';
const unverifiedAlice = 'alice (unverified: no admission policy holds the name)';

async function reason(world: FeatureWorld, name: string, wanted: string) {
  return await until(`${name} is ${wanted}`, async () => {
    const ready = condition(await world.client.get(registrations, { name }));
    return ready?.reason === wanted && ready;
  });
}

test('without an approval nothing is sent to Azure, and the gate stays closed', async () => {
  await using world = await startFeatureWorld({ feature: azures });
  expect(world.gates.of(subscription)).toMatchObject({ open: false, reason: 'FeatureNotRegistered' });
  await world.register('host', azures);
  expect((await reason(world, 'host', 'ApprovalMissing'))?.message).toMatch(/FeatureApproval with spec.for.name host/);
  expect(world.arm.paths).toEqual([]);
  expect(world.gates.of(subscription)).toMatchObject({ open: false, reason: 'ApprovalMissing' });
});

test('an approved feature is registered, then its provider once more, and the gate opens when the locations are there', async () => {
  await using world = await startFeatureWorld({ feature: azures });
  world.arm.registersAs = 'Registered';
  world.arm.locations = ['West Europe'];
  await world.register('host', azures, { locations: ['westeurope'] });
  await world.approve('yes', 'host', { note: 'asked by the shop', approvedBy: 'alice' });
  await reason(world, 'host', 'Registered');
  expect(world.arm.writes).toEqual([
    `/providers/Microsoft.Features/providers/Microsoft.Compute/features/EncryptionAtHost/register`,
    '/providers/Microsoft.Compute/register',
  ]);
  expect(world.gates.of(subscription.toUpperCase())).toEqual({ open: true });
  expect(world.changes).toEqual([subscription]);
  const { status } = await world.client.get(registrations, { name: 'host' });
  expect(status).toMatchObject({ state: 'Registered', providerState: 'Registering', approvedBy: 'yes' });
  expect(status).toMatchObject({ approver: unverifiedAlice });
  await until('the approval shows the name as unverified', async () => {
    return (await world.client.get(approvals, { name: 'yes' }))['status']?.approver === unverifiedAlice;
  });
});

test("Azure's own approval is waited for and named, and not mixed with the owner's", async () => {
  await using world = await startFeatureWorld({ feature: azures });
  world.arm.registersAs = 'Pending';
  await world.register('host', azures);
  await world.approve('yes', 'host');
  const found = await reason(world, 'host', 'AzureApprovalPending');
  expect(found?.message).toMatch(/service team has to approve/);
  expect(world.arm.writes).toHaveLength(1);
  expect(world.gates.of(subscription).open).toBe(false);
});

test('a feature of Azimuth opens with the approval, and closes when it is withdrawn', async () => {
  await using world = await startFeatureWorld({ holders: 3 });
  await world.register('secrets', own);
  await world.approve('yes', 'secrets');
  await reason(world, 'secrets', 'Registered');
  expect(world.gates.of(subscription)).toEqual({ open: true });
  await world.client.delete(approvals, { name: 'yes' });
  const found = await reason(world, 'secrets', 'ApprovalMissing');
  expect(found?.message).toContain('3 machines keep the secrets that they have');
  expect(world.gates.of(subscription)).toMatchObject({ open: false, reason: 'ApprovalMissing' });
  expect(world.changes).toEqual([subscription, subscription]);
  expect(world.arm.paths).toEqual([]);
});

test('while there is no approval the machines are counted again each minute, for the feature of managed secrets alone', async () => {
  const registration = (feature: string) =>
    ({ metadata: { name: 'r', creationTimestamp: 't' }, spec: { subscription, feature } }) as FeatureRegistration;
  const again = (object: FeatureRegistration) => {
    const cache = { get: () => object, list: () => [object], type: registrations };
    const parts = {
      runtime: { clock: systemClock, client: { patch: async () => object } },
      registrations: cache,
      approvals: { list: () => [] },
      gates: new FeatureGates(own, () => undefined),
      holders: () => 1,
    };
    const { reconcile } = new FeatureReconciler(parts as unknown as FeatureReconcilerDeps);
    return reconcile({ name: 'r', key: 'r' }, new AbortController().signal);
  };
  expect(await again(registration(own))).toEqual({ requeueAfterMs: 60_000 });
  expect(await again(registration(azures))).toEqual({ requeueAfterMs: 3_600_000 });
});

/** Reconciles a registration and its approval. `answer` is what the API server says about the admission policy. */
async function reconciled(answer: () => unknown) {
  const metadata = { name: 'r', creationTimestamp: '2026-11-29T10:00:01Z' };
  const registration = { metadata, spec: { subscription, feature: own } } as FeatureRegistration;
  const approval = { metadata, spec: { for: { name: 'r' }, approvedBy: 'alice' } } as FeatureApproval;
  const written: unknown[] = [];
  const client = {
    patch: async (type: { plural: string }, _key: object, patch: object) => void written.push([type.plural, patch]),
  };
  const cacheOf = (object: object, type: object) => ({ get: () => object, list: () => [object], type });
  const gates = new FeatureGates(own, () => undefined);
  const deps = {
    runtime: { clock: systemClock, client },
    registrations: cacheOf(registration, registrations),
    approvals: cacheOf(approval, approvals),
    approvers: new ApproverNames({ tryGet: async () => answer() } as never),
    gates,
    holders: () => 0,
  } as unknown as FeatureReconcilerDeps;
  const results = await Promise.allSettled(
    [new FeatureReconciler(deps), new ApprovalReconciler(deps)].map((each) =>
      each.reconcile({ name: 'r', key: 'r' }, new AbortController().signal),
    ),
  );
  return { written, results, gate: gates.of(subscription) };
}

const refusal = (status: number) => () => {
  throw new KubeStatusError({ verb: 'get', resource: 'validatingadmissionpolicies' }, status, {});
};

test.each([
  ['older than the approval', () => ({ metadata: { creationTimestamp: '2026-11-29T10:00:00Z' } }), 'alice'],
  ['newer than the approval', () => ({ metadata: { creationTimestamp: '2026-11-29T10:00:02Z' } }), unverifiedAlice],
  ['not there', () => undefined, unverifiedAlice],
  ['not shown to the operator', refusal(403), unverifiedAlice],
  ['of a kind that the API server does not have', refusal(404), unverifiedAlice],
])(
  'registration and approval show what an admission policy that is %s verifies, and are read again in an hour',
  async (...row) => {
    const [, answer, approver] = row;
    const { written, results } = await reconciled(answer);
    const shown = (plural: string) => [
      plural,
      expect.objectContaining({
        operations: expect.arrayContaining([expect.objectContaining({ value: expect.objectContaining({ approver }) })]),
      }),
    ];
    expect([...written].sort()).toEqual([shown('featureapprovals'), shown('featureregistrations')]);
    expect(results).toEqual(Array(2).fill({ status: 'fulfilled', value: { requeueAfterMs: 3_600_000 } }));
  },
);

test.each([429, 500, 503])(
  'a %d for the admission policy keeps the statuses, is retried, and closes no gate',
  async (status) => {
    const { written, results, gate } = await reconciled(refusal(status));
    expect(written).toEqual([]);
    expect(results).toMatchObject(Array(2).fill({ status: 'rejected', reason: { status } }));
    expect(gate).toEqual({ open: true });
  },
);

test('an approval that has ended counts no more', async () => {
  await using world = await startFeatureWorld();
  await world.approve('past', 'secrets', { until: '2001-01-01T00:00:00Z' });
  await world.register('secrets', own);
  await reason(world, 'secrets', 'ApprovalMissing');
  await world.approve('soon', 'secrets', { until: new Date(Date.now() + 2000).toISOString() });
  await reason(world, 'secrets', 'Registered');
  await reason(world, 'secrets', 'ApprovalMissing');
});

test('of two registrations of one feature the older counts, and the other says so', async () => {
  await using world = await startFeatureWorld();
  await world.register('a-first', own);
  await world.approve('yes', 'a-first');
  await reason(world, 'a-first', 'Registered');
  await world.register('b-second', own);
  expect((await reason(world, 'b-second', 'Duplicate'))?.message).toContain('a-first is older');
  expect(world.gates.of(subscription)).toEqual({ open: true });
  await world.client.delete(registrations, { name: 'a-first' });
  await reason(world, 'b-second', 'ApprovalMissing');
  expect(world.gates.of(subscription).open).toBe(false);
});

test('a feature that Azure does not know is reported with how to fix it', async () => {
  await using world = await startFeatureWorld();
  world.arm.refusal = { status: 404, code: 'FeatureNotFound', message: "The feature 'Nope' could not be found." };
  await world.register('nope', 'Microsoft.Compute/Nope');
  await world.approve('yes', 'nope');
  const found = await reason(world, 'nope', 'FeatureNotFound');
  expect(found).toMatchObject({ severity: 'Error' });
  expect(found?.message).toMatch(/correct spec.feature/);
});

test('an approval says whether it is in force, ended, or for a registration that is not there', async () => {
  await using world = await startFeatureWorld();
  const untilApproval = async (name: string, expected: string) => {
    let last: unknown;
    await eventually(`${name} is ${expected}`, async () => {
      const found = await world.client.get(approvals, { name });
      last = found['status'];
      const { status, reason: why, observedGeneration } = condition(found) ?? {};
      return `${status} ${why}` === expected && observedGeneration === found.metadata.generation;
    }).catch((error: Error) => {
      throw new Error(`${error.message}; last ${JSON.stringify(last)}`);
    });
    return await world.client.get(approvals, { name });
  };
  await world.approve('early', 'secrets');
  await untilApproval('early', 'False RegistrationNotFound');
  await world.register('secrets', own);
  const found = await untilApproval('early', 'True InForce');
  expect(found['status']).toMatchObject({ observedGeneration: found.metadata.generation });
  await world.approve('brief', 'secrets', { until: new Date(Date.now() + 1500).toISOString() });
  const ended = await untilApproval('brief', 'False ApprovalEnded');
  expect(ended['status'].conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', status: 'True' }));
  await world.client.delete(registrations, { name: 'secrets' });
  await untilApproval('early', 'False RegistrationNotFound');
});
