import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, ObjectKey } from '../../../runtime/kube/client/types.ts';
import type { Pod } from '../../../runtime/nmi/objects.ts';
import { ServiceAccountTokens } from '../../../runtime/nmi/tokens/service-account-tokens.ts';
import { pod as harnessPod, podsType, simple, startNmi } from '../harness.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const minute = 60_000;

interface Seen {
  readonly account: string;
  readonly body: unknown;
}

/** An API server that counts: `token-1`, `token-2`; good for `minutes` from now. */
function tokens({ minutes = 60, status = {} as object } = {}) {
  const seen: Seen[] = [];
  const client = {
    createSubresource: async (_: unknown, key: ObjectKey, subresource: string, body: unknown) => {
      seen.push({ account: `${key.namespace}/${key.name}/${subresource}`, body });
      const expirationTimestamp = new Date(clock.now() + minutes * minute).toISOString();
      return { status: { token: `token-${seen.length}`, expirationTimestamp, ...status } };
    },
  } as unknown as KubeClient;
  return { seen, of: (pod: Pod) => new ServiceAccountTokens(client, clock).of(pod), client };
}

const pod = (uid: string, serviceAccountName?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'app', name: 'web', uid },
  spec: { ...(serviceAccountName && { serviceAccountName }) },
});

test("a token is requested for the pod's own account, for Entra alone, for an hour, and ends with the pod", async () => {
  const { seen, of } = tokens();
  expect(await of(pod('1', 'orders'))).toBe('token-1');
  expect(seen).toEqual([
    {
      account: 'app/orders/token',
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: ['api://AzureADTokenExchange'],
          expirationSeconds: 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: '1' },
        },
      },
    },
  ]);
  await of(pod('2'));
  expect(seen[1]?.account).toBe('app/default/token');
});

test('it is used again for half an hour, by the pod that it is bound to only', async () => {
  const { client } = tokens();
  const accounts = new ServiceAccountTokens(client, clock);
  expect(await accounts.of(pod('1'))).toBe('token-1');
  await clock.advance(29 * minute);
  expect(await accounts.of(pod('1'))).toBe('token-1');
  expect(await accounts.of(pod('2'))).toBe('token-2');
  expect(await accounts.of(pod('1', 'orders'))).toBe('token-3');
  await clock.advance(2 * minute);
  expect(await accounts.of(pod('1'))).toBe('token-4');
});

test('one that the API server makes for less is not used in its last five minutes', async () => {
  const { client } = tokens({ minutes: 10 });
  const accounts = new ServiceAccountTokens(client, clock);
  expect(await accounts.of(pod('1'))).toBe('token-1');
  await clock.advance(4 * minute);
  expect(await accounts.of(pod('1'))).toBe('token-1');
  await clock.advance(2 * minute);
  expect(await accounts.of(pod('1'))).toBe('token-2');
});

test.each([
  ['no token', { token: undefined }],
  ['an empty token', { token: '' }],
  ['no end', { expirationTimestamp: undefined }],
  ['an end that is no time', { expirationTimestamp: 'soon' }],
])('an answer with %s is refused', async (_, status) => {
  await expect(tokens({ status }).of(pod('1'))).rejects.toMatchObject({ code: 'AZ_KUBE_ANSWER' });
});

test.each([
  [403, 'the node daemon may not request tokens of the service account app/orders; name it in federatedAccounts'],
  [404, 'the service account app/orders of the pod, or the pod, does not exist any more'],
])(
  'an answer %d of the API server is a refusal with the reason and the setting, not a fault that passes',
  async (status, text) => {
    let failure: Error = new Error('unset');
    await using nmi = await startNmi({
      client: (kube) => {
        kube.createSubresource = async () => {
          throw failure;
        };
        return kube;
      },
    });
    failure = new KubeStatusError({ verb: 'create', resource: 'serviceaccounts/token' }, status, {
      code: status,
      message: 'no',
      reason: 'x',
    } as never);
    await simple(nmi, { type: 3, tenantID: 'tenant' });
    await nmi.kube.put(podsType, harnessPod({ serviceAccount: 'orders' }));
    const answer = await nmi.token('127.0.0.5');
    expect([answer.status, answer.headers['retry-after']]).toEqual([403, undefined]);
    expect(answer.body).toContain(text);
  },
);
