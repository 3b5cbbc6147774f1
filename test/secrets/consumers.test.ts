import { expect, test } from '@jest/globals';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { Consumers } from '../../runtime/secrets/consumers/consumers.ts';
import type { EndpointSecret } from '../../runtime/secrets/secrets/managed-secrets.ts';

const objectId = '33333333-3333-3333-3333-333333333333';
const machine = (subscription: string, name: string) =>
  `/subscriptions/${subscription}/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/${name}`;

/** The grant of a caller that each of these consumers is. */
async function grantOf(consumers: EndpointSecret['spec']['consumers'], open: readonly string[]) {
  const principals = { objectIds: new Set([objectId]), vmIds: new Set<string>(), subscription: '' };
  const made = new Consumers({
    references: { armIdOf: async (_, { armId = '' }) => armId.toLowerCase() },
    principals: { of: () => principals, refresh: async () => undefined },
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
