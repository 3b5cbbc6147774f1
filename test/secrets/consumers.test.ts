import { expect, test } from '@jest/globals';
import { ArmError } from '../../runtime/azure/arm/errors.ts';
import { ManualClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { Consumers } from '../../runtime/secrets/consumers/consumers.ts';
import { MachineReader } from '../../runtime/secrets/consumers/machine-reader.ts';
import { PrincipalCache } from '../../runtime/secrets/consumers/principal-cache.ts';
import type { EndpointSecret } from '../../runtime/secrets/secrets/managed-secrets.ts';

const objectId = '33333333-3333-3333-3333-333333333333';
const machine = (subscription: string, name: string) =>
  `/subscriptions/${subscription}/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${name}`;

/** The grant of a caller that each of these consumers is; `ofPods`: pods have its identity. */
async function grantOf(consumers: EndpointSecret['spec']['consumers'], open: readonly string[], ofPods = false) {
  const assigned = new Map([[objectId, '/its/arm/id']]);
  const principals = { objectIds: new Set([objectId]), assigned, vmIds: new Set<string>(), subscription: '', asOf: 0 };
  const made = new Consumers({
    references: { armIdOf: async (_, { armId = '' }) => armId.toLowerCase() },
    principals: { of: () => principals, refresh: async () => undefined },
    podIdentities: { has: () => ofPods },
    log: silentLogger,
  });
  const object: EndpointSecret = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ManagedSecret',
    metadata: { namespace: 'shop', name: 'key', uid: 'u' },
    spec: { kind: 'SymmetricKey', ...(consumers && { consumers }) },
  };
  await made.prepare(object, new AbortController().signal);
  const grant = made.grant(object, objectId, (subscription) => open.includes(subscription));
  return grant && { by: grant.by.split('/').at(-1), proof: grant.machine !== undefined };
}

const proved = { machine: { armId: machine('s1', 'proved') }, attested: true };
const plain = { machine: { armId: machine('s2', 'plain') } };
const closed = { machine: { armId: machine('s3', 'closed') } };

test.each([
  ['one without proof goes before one with it', [proved, plain], ['s1', 's2'], { by: 'plain', proof: false }],
  ['one of an approved subscription goes first', [closed, proved], ['s1'], { by: 'proved', proof: true }],
  ['the order does not matter', [proved, closed], ['s1'], { by: 'proved', proof: true }],
  ['without any that is approved the first one is named', [closed, plain], [], { by: 'closed', proof: false }],
  ['an object id goes before all', [closed, { objectId }], [], { by: 'objectId', proof: false }],
  [
    'an identity with proof admits nobody',
    [{ identity: { armId: machine('s1', 'x') }, attested: true }],
    ['s1'],
    undefined,
  ],
  ['an object id with proof admits nobody', [{ objectId, attested: true }], [], undefined],
])('of several consumers that are the caller %s', async (_title, consumers, open, expected) => {
  expect(await grantOf(consumers, open)).toEqual(expected);
});

test.each([
  ['a machine', [plain], undefined],
  ['a machine with proof', [proved], undefined],
  ['its object id', [plain, { objectId }], { by: 'objectId', proof: false }],
])('an identity that pods have is a consumer by %s: %j', async (_title, consumers, expected) => {
  expect(await grantOf(consumers, ['s1', 's2'], true)).toEqual(expected);
});

const armId = machine('s1', 'vm').toLowerCase();
const principalId = objectId;
const known = { id: armId, identity: { principalId }, properties: { vmId: 'v' } };
const refusal = (code: string) =>
  new ArmError('GET', armId, { status: 404, code, message: '', details: [], retryClass: 'slow' } as never);

test.each([
  ['a document that is not the machine', 'stay', { body: { id: machine('s1', 'other') } }],
  ['an empty document', 'stay', { body: {} }],
  ['a 404 for the subscription', 'stay', { error: refusal('SubscriptionNotFound') }],
  ['a 404 for the machine', 'go', { error: refusal('ResourceNotFound') }],
])('after %s the principals of a consumer %s', async (_, expected, odd) => {
  let answer: { body?: object; error?: Error } = { body: known };
  const send = async () => {
    if (answer.error) throw answer.error;
    return { body: answer.body };
  };
  const clock = new ManualClock(0);
  const reader = new MachineReader({ send } as never, {} as never);
  const cache = new PrincipalCache({ reader, clock, log: silentLogger });
  await cache.refresh('shop', armId, false, true);
  expect(cache.of('shop', armId)?.objectIds).toEqual(new Set([principalId]));
  answer = odd;
  await clock.advance(300_000);
  await cache.refresh('shop', armId, false, true);
  expect(cache.of('shop', armId)?.objectIds.has(principalId) ?? false).toBe(expected === 'stay');
});
