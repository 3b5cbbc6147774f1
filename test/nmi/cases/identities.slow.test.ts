/** The cases of the facts about the identity that a request gets. */
import { describe, expect, test } from '@jest/globals';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  identitiesType,
  identity,
  pod,
  podsType,
  simple,
  startNmi,
} from '../harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

describe('standard_get_identities', () => {
  type Row = [
    name: string,
    states: [status: string, name: string, namespace: string][],
    query: Record<string, string>,
    force: boolean,
    expected: string | undefined,
  ];
  const rows: Row[] = [
    ['no azure identities', [], {}, false, undefined],
    [
      'nothing requested, Created only',
      [
        ['Created', 'azid3', 'app'],
        ['Created', 'azid4', 'app'],
      ],
      {},
      false,
      undefined,
    ],
    [
      'client_id only in Created',
      [
        ['Created', 'azid1', 'app'],
        ['Assigned', 'azid2', 'app'],
      ],
      { client_id: 'client-azid1' },
      false,
      undefined,
    ],
    [
      'client_id Assigned',
      [
        ['Created', 'azid1', 'app'],
        ['Assigned', 'azid2', 'app'],
      ],
      { client_id: 'client-azid2' },
      false,
      'client-azid2',
    ],
    [
      'nothing requested, namespaced picks pod ns',
      [
        ['Assigned', 'azid1', 'default'],
        ['Assigned', 'azid2', 'default'],
        ['Assigned', 'azid3', 'app'],
      ],
      {},
      true,
      'client-azid3',
    ],
    // Upstream indexed into an empty list and answered 500.
    ['namespaced, nothing requested, only foreign-ns identities', [['Assigned', 'a', 'other']], {}, true, undefined],
    ['the state of releases before 1.5', [['', 'old', 'app']], {}, false, 'client-old'],
    ['Unassigned', [['Unassigned', 'a', 'app']], {}, false, undefined],
  ];
  test.each(rows)('%s', async (_, states, query, force, expected) => {
    await using nmi = await startNmi({ args: [...impatient, ...(force ? ['--forceNamespaced'] : [])] });
    for (const [status, name, namespace] of states) {
      await nmi.kube.put(identitiesType, identity(name, {}, namespace));
      await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name }, namespace));
      await nmi.kube.put(
        assignedType,
        assigned(pod(), identity(name, {}, namespace), status, force ? namespace : 'default'),
      );
    }
    await nmi.kube.put(podsType, pod());
    const answer = await nmi.token('127.0.0.5', query);
    expect(answer.status).toBe(expected === undefined ? 400 : 200);
    if (expected !== undefined) expect(claimsOf(answer.json.access_token)['appid']).toBe(expected);
  });

  test('an identity asked for in another case is found, as the wait promised', async () => {
    await using nmi = await startNmi({ args: impatient });
    await simple(nmi);
    expect((await nmi.token('127.0.0.5', { client_id: 'Client-ID' })).status).toBe(200);
  });
});

test.each([
  ['--set-retry-after-header=false', 400, undefined],
  ['--set-retry-after-header', 503, '20'],
])('standard_retry_timing: with %s the end of the wait is %s', async (flag, status, retryAfter) => {
  const args = [
    '--retry-attempts-for-created=1',
    '--retry-attempts-for-assigned=1',
    '--find-identity-retry-interval=1',
    flag,
  ];
  await using nmi = await startNmi({ args });
  const clientID = 'aabc0000-a83v-9h4m-000j-2c0a66b0c1f9';
  await nmi.kube.put(identitiesType, identity('id', { clientID }));
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod());
  const started = performance.now();
  const none = await nmi.token('127.0.0.5', { client_id: clientID });
  expect(performance.now() - started).toBeGreaterThan(900);
  expect([none.status, none.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(none.text).toBe(
    'clientID in request: aabc##### REDACTED #####c1f9, getting assigned identities for pod app/p in CREATED state ' +
      'failed after 1 attempts, retry duration [1]s, error: <nil>. Check MIC pod logs for identity assignment errors' +
      // An addition.
      '. Reason: it is not assigned on this node yet; see the events of the pod',
  );
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID }), 'Created'));
  const again = performance.now();
  const created = await nmi.token('127.0.0.5');
  expect(performance.now() - again).toBeGreaterThan(1900);
  expect(created.text).toMatch(/^getting assigned identities for pod app\/p in ASSIGNED state failed after 1 attempts/);
});

test('managed_get_identities: no match is refused with the id redacted', async () => {
  const args = ['--operation-mode=managed', '--forceNamespaced', '--find-identity-retry-interval=0'];
  await using nmi = await startNmi({ args });
  await nmi.kube.put(podsType, pod());
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  const answer = await nmi.token('127.0.0.5', { client_id: 'resourceid1' });
  expect([answer.status, answer.text]).toEqual([
    400,
    // With the reason, an addition.
    'no azure identity found for request clientID reso##### REDACTED #####eid1: ' +
      'no AzureIdentity of the pod has the id of the request',
  ]);
  expect((await nmi.token('127.0.0.5', { msi_res_id: identity().spec.resourceID })).status).toBe(200);
});
