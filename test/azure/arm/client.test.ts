import { afterEach, expect, test } from '@jest/globals';
import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import { RateLimiter } from '../../../runtime/azure/arm/rate-limiter.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';

const vault = '/subscriptions/s1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

async function setup(
  handler: FakeHandler,
  more: { clock?: ManualClock; allowedHosts?: string[]; mayWrite?: () => void } = {},
) {
  const server = await FakeAzure.start(handler);
  const dispatcher = dispatcherFor(server.ca);
  const metrics = createMetrics();
  const { clock } = more;
  const rateLimiter = new RateLimiter({ metrics, ...(clock ? { clock } : {}) });
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher, metrics, rateLimiter, ...more });
  const authorizer = countingAuthorizer(clock ? () => clock.now() : undefined);
  cleanup.push(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  return { server, client, authorizer, metrics };
}

test('every request that changes something gets a token of its own, reads may share one', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  const first = await client.send({ method: 'PUT', path: vault, apiVersion: '2023-07-01', body: {}, authorizer });
  for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'] as const) {
    await client.send({ method, path: vault, apiVersion: '2023-07-01', authorizer, token: first.token });
  }
  await client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer, token: first.token });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    ['token-1', 'token-2', 'token-3', 'token-4', 'token-5', 'token-1'].map((token) => `Bearer ${token}`),
  );
});

test('a request carries api-version, correlation id, a request id of its own and a user agent', async () => {
  const { server, client, authorizer } = await setup(() => ({
    body: { ok: true },
    headers: { 'x-ms-request-id': 'r1' },
  }));
  const sent = { method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer, correlationId: 'c1' } as const;
  const response = await client.send(sent);
  await client.send(sent);
  const [a, b] = server.requests;
  expect(a?.url).toBe(`${vault}?api-version=2023-07-01`);
  expect(a?.headers['x-ms-correlation-request-id']).toBe('c1');
  expect(a?.headers['x-ms-client-request-id']).not.toBe(b?.headers['x-ms-client-request-id']);
  expect(a?.headers['user-agent']).toMatch(/^azimuth\//);
  expect(response).toMatchObject({ status: 200, body: { ok: true }, requestId: 'r1', correlationId: 'c1' });
});

test('a refusal becomes an ArmError with code, message, request id and retry class', async () => {
  const { client, authorizer } = await setup(() => ({
    status: 409,
    headers: { 'x-ms-request-id': 'r9', 'retry-after': '7' },
    body: { error: { code: 'AnotherOperationInProgress', message: 'busy' } },
  }));
  const error = await client
    .send({ method: 'PUT', path: vault, authorizer, body: {} })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ArmError);
  expect(error).toMatchObject({
    code: 'AZ_ARM_REFUSED',
    retryable: true,
    retryAfterMs: 7000,
    info: { status: 409, code: 'AnotherOperationInProgress', requestId: 'r9', retryClass: 'slow' },
  });
});

test('silence is AZ_ARM_UNREACHABLE', async () => {
  const { client, authorizer } = await setup(() => ({ destroy: true }));
  await expect(client.send({ method: 'GET', path: vault, authorizer })).rejects.toMatchObject({
    code: 'AZ_ARM_UNREACHABLE',
  });
});

test('a token in its last minute is not reused', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  for (const left of [59_000, 120_000]) {
    const token = { token: `left-${left}`, expiresOn: Date.now() + left };
    await client.send({ method: 'GET', path: vault, authorizer, token });
  }
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer left-120000']);
});

test('an action without a body has the content length 0, a body is JSON, further headers are sent', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  await client.send({ method: 'POST', path: `${vault}/listKeys`, authorizer });
  await client.send({ method: 'PUT', path: vault, body: { a: 1 }, headers: { 'if-match': '"1"' }, authorizer });
  expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '0' });
  expect(server.requests[1]).toMatchObject({
    body: '{"a":1}',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
  });
});

test('names with spaces and other odd signs are encoded', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  await client.send({ method: 'GET', path: `${vault}/rules/my rule @ü`, apiVersion: 'v', authorizer });
  expect(server.requests[0]?.url).toBe(`${vault}/rules/my%20rule%20@%C3%BC?api-version=v`);
});

test("a proxy's page is not taken for success", async () => {
  const { client, authorizer } = await setup(() => ({ status: 200, body: '<!DOCTYPE html><html>Sign in</html>' }));
  await expect(client.send({ method: 'PUT', path: vault, body: {}, authorizer })).rejects.toMatchObject({
    code: 'AZ_ARM_UNREACHABLE',
  });
});

test('a poll throws when there is no token, and the operation can go on later', async () => {
  const { client, authorizer, server } = await setup(() => ({ body: { status: 'Succeeded' } }));
  const refusing = {
    description: 'refusing',
    getToken: async () => {
      throw new AzimuthError('AZ_AUTH_FAILED', 'no');
    },
  };
  const operation = { kind: 'status', method: 'DELETE', url: `${server.url}/op`, startedAt: 0, nextPollAt: 0 } as const;
  await expect(client.poll(operation, { authorizer: refusing })).rejects.toMatchObject({ code: 'AZ_AUTH_FAILED' });
  expect(await client.poll(operation, { authorizer })).toMatchObject({ outcome: 'succeeded' });
});

test('a read whose reused token is refused is repeated once with a fresh one', async () => {
  const { server, client, authorizer } = await setup(({ headers }) =>
    headers.authorization === 'Bearer revoked'
      ? { status: 401, body: { error: { code: 'ExpiredAuthenticationToken' } } }
      : { body: {} },
  );
  const token = { token: 'revoked', expiresOn: Date.now() + 3_600_000 };
  const response = await client.send({ method: 'GET', path: vault, authorizer, token });
  expect(response.token.token).toBe('token-1');
  expect(server.requests).toHaveLength(2);
});

test('no token goes to a foreign host, neither in a request nor in a poll', async () => {
  const foreign = await FakeAzure.start(() => ({ body: { status: 'Succeeded' } }));
  cleanup.push(() => foreign[Symbol.asyncDispose]());
  const { server, client, authorizer } = await setup(() => ({ status: 404, body: {} }));
  await expect(client.send({ method: 'GET', path: `${foreign.url}/x`, authorizer })).rejects.toMatchObject({
    code: 'AZ_CONFIG_INVALID',
  });
  const operation = {
    kind: 'status',
    method: 'DELETE',
    url: `${foreign.url}/operations/1`,
    resourcePath: vault,
    startedAt: 0,
    nextPollAt: 0,
  } as const;
  const first = await client.poll(operation, { authorizer });
  expect(first).toMatchObject({ done: false, operation: { kind: 'body', url: vault } });
  expect(first.done ? undefined : await client.poll(first.operation, { authorizer })).toMatchObject({
    outcome: 'succeeded',
  });
  expect(foreign.requests).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test('a read is asked again with a new token where the shared one is not taken any more, a write is not', async () => {
  const { server, client, authorizer } = await setup(() => ({ status: 401, body: { error: { code: 'Expired' } } }));
  const token = { token: 'shared', expiresOn: Date.now() + 3_600_000 };
  for (const method of ['GET', 'PUT'] as const) {
    const sent = client.send({ method, path: vault, apiVersion: '2023-07-01', authorizer, token });
    await expect(sent).rejects.toBeInstanceOf(ArmError);
  }
  expect(server.requests.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
    'GET Bearer shared',
    'GET Bearer token-1',
    'PUT Bearer token-2',
  ]);
});

test('no path that a URL would read as another one is sent', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  for (const tail of [
    '/../other',
    '/x/../../other/listKeys',
    '/./x',
    '/%2e%2e/other',
    '/.%2E/other',
    '/..',
    '/..?a=b',
  ]) {
    const sent = client.send({ method: 'POST', path: `${vault}${tail}`, apiVersion: '2023-07-01', authorizer });
    await expect(sent).rejects.toMatchObject({ code: 'AZ_CONFIG_INVALID' });
  }
  expect(server.requests).toEqual([]);
  const dotted = `${vault}/.well-known/a..b/...`;
  await client.send({ method: 'GET', path: `${dotted}?next=/../x`, apiVersion: '2023-07-01', authorizer });
  expect(server.requests.map(({ url }) => url.split('?')[0])).toEqual([dotted]);
});

test('an answer that points the poll to a foreign host is not followed there', async () => {
  const { client, authorizer, server } = await setup(() => ({
    status: 202,
    headers: { 'azure-asyncoperation': 'https://evil.test/operations/1' },
    body: {},
  }));
  const request = { method: 'PUT', path: vault, apiVersion: 'v', body: {}, authorizer } as const;
  const operation = client.operationOf(request, await client.send(request));
  expect(operation).toMatchObject({ kind: 'body', url: vault });
  expect(server.requests).toHaveLength(1);
});

test('a 202 without any way to see the end is an error for DELETE and POST', async () => {
  const { client, authorizer } = await setup(() => ({ status: 202 }));
  const request = { method: 'DELETE', path: vault, authorizer } as const;
  const response = await client.send(request);
  expect(() => client.operationOf(request, response)).toThrow(/has no URL to poll/);
});

test('an operation started by PUT is polled with one token and ends with the resource', async () => {
  let polls = 0;
  const { server, client, authorizer } = await setup(({ method, url }) => {
    if (method === 'PUT') {
      return {
        status: 201,
        headers: { 'azure-asyncoperation': `${server.url}/operations/1?api-version=v`, 'retry-after': '0' },
      };
    }
    if (url.startsWith('/operations/'))
      return { body: { status: polls++ === 0 ? 'CreatingAgentPool: 0/1' : 'Succeeded' } };
    return { body: { id: vault, properties: { provisioningState: 'Succeeded' } } };
  });
  const request = { method: 'PUT', path: vault, apiVersion: '2023-07-01', body: {}, authorizer } as const;
  const response = await client.send(request);
  const operation = client.operationOf(request, response);
  if (!operation) throw new Error('expected an operation');
  const first = await client.poll(operation, { authorizer, token: response.token });
  expect(first).toMatchObject({ done: false, operation: { state: 'CreatingAgentPool: 0/1' } });
  if (first.done) throw new Error('too early');
  const second = await client.poll(JSON.parse(JSON.stringify(first.operation)), {
    authorizer,
    ...(first.token && { token: first.token }),
  });
  expect(second).toMatchObject({ done: true, outcome: 'succeeded', body: { id: vault } });
  expect(authorizer.asked).toHaveLength(1);
});

test('a 429 for one credential holds up no other in the same subscription', async () => {
  let throttled = true;
  const { server, client, authorizer } = await setup(
    () => (throttled ? { status: 429, headers: { 'retry-after': '20' }, body: {} } : { body: { id: vault } }),
    { clock: new ManualClock(1000) },
  );
  const put = (by: typeof authorizer) =>
    client.send({ method: 'PUT', path: vault, body: {}, authorizer: by }).catch((error: unknown) => error);
  expect(await put(authorizer)).toMatchObject({ info: { status: 429 } });
  throttled = false;
  const other = Object.assign(Object.create(authorizer), { description: 'client secret of client other in tenant t' });
  expect(await put(other)).toMatchObject({ status: 200 });
  expect(server.requests).toHaveLength(2);
});

test('a 429 stops the bucket until its Retry-After, one about a busy resource does not', async () => {
  const clock = new ManualClock(1000);
  let busy = false;
  const { server, client, authorizer, metrics } = await setup(
    () => ({
      status: 429,
      headers: { 'retry-after': '20' },
      body: { error: { code: busy ? 'RetryableError' : 'TooManyRequests' } },
    }),
    { clock },
  );
  const put = () => client.send({ method: 'PUT', path: vault, body: {}, authorizer }).catch((error: unknown) => error);
  busy = true;
  await put();
  busy = false;
  expect(await put()).toMatchObject({ info: { status: 429 }, retryAfterMs: 20_000 });
  const third = put();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.requests).toHaveLength(2);
  await clock.advance(21_000);
  await third;
  expect(server.requests).toHaveLength(3);
  expect(await metrics.metrics()).toMatch(/azimuth_arm_throttled_total\{class="writes"\} 2/);
});

test('no write goes out once it may not any more, even if that came while its token was asked for; reads do', async () => {
  let lost = false;
  const mayWrite = () => {
    if (lost) throw new AzimuthError('AZ_LEASE_LOST', 'The lease is not held');
  };
  const { server, client, authorizer } = await setup(() => ({ body: {} }), { mayWrite });
  const slow = {
    description: 'slow',
    getToken: (request: Parameters<typeof authorizer.getToken>[0]) => {
      lost = true;
      return authorizer.getToken(request);
    },
  };
  for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'] as const) {
    lost = false;
    const sent = client.send({ method, path: vault, apiVersion: '2023-07-01', body: {}, authorizer: slow });
    await expect(sent).rejects.toMatchObject({ code: 'AZ_LEASE_LOST' });
  }
  expect(server.requests).toEqual([]);
  await client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer: slow });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['an HTML page', { body: '<html><title>Sign in</title></html>' }, 'AZ_ARM_UNREACHABLE', /it sent an HTML page/],
  ['nothing', { body: '' }, 'AZ_ARM_ANSWER', /answered with 200 and an empty body, which is not the resource/],
  ['null', { body: 'null' }, 'AZ_ARM_ANSWER', /the JSON value null/],
  ['a text', { body: '"x"' }, 'AZ_ARM_UNREACHABLE', /the JSON value x/],
  ['a list', { body: '[1]' }, 'AZ_ARM_UNREACHABLE', /a JSON array/],
  [
    'broken gzip',
    { body: '\u001f\u008b\u0008', headers: { 'content-encoding': 'gzip' } },
    'AZ_ARM_UNREACHABLE',
    /no JSON/,
  ],
  ['JSON that is cut off', { body: '{"id": "/subscr' }, 'AZ_ARM_UNREACHABLE', /no JSON/],
  [
    'JSON of 5,000 levels',
    { body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` },
    'AZ_ARM_UNREACHABLE',
    /nested too deep/,
  ],
  ['no content', { status: 204 }, 'AZ_ARM_ANSWER', /answered with 204 and an empty body/],
] as const)('a GET that is answered with %s is no resource', async (_, answer, code, message) => {
  const { client, authorizer } = await setup(() => answer);
  const sent = client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer });
  await expect(sent).rejects.toMatchObject({ code, message: expect.stringMatching(message), retryable: true });
});

test.each(['"gone"', '[]', 'gone', '<html></html>'])(
  'a DELETE that is answered with %s is not believed',
  async (body) => {
    const { client, authorizer } = await setup(() => ({ body }));
    const sent = client.send({ method: 'DELETE', path: vault, apiVersion: '2023-07-01', authorizer });
    await expect(sent).rejects.toMatchObject({ code: 'AZ_ARM_UNREACHABLE' });
  },
);

test('a body without end is given up, and the operator goes on', async () => {
  const { client, authorizer } = await setup(() => ({ body: 'x'.repeat(9 * 1024 * 1024) }));
  const sent = client.send({ method: 'GET', path: vault, apiVersion: '2023-07-01', authorizer });
  await expect(sent).rejects.toMatchObject({
    code: 'AZ_ARM_UNREACHABLE',
    message: expect.stringContaining('the answer is longer than 8 MiB'),
  });
});

test('a poll, and the read of the resource after it, wait in the share of their namespace', async () => {
  const server = await FakeAzure.start(({ url }) => ({
    body: url.startsWith(vault) ? { id: vault } : { status: 'Succeeded' },
  }));
  const shares: (string | undefined)[] = [];
  const rateLimiter = new (class extends RateLimiter {
    override acquire(...[key, options]: Parameters<RateLimiter['acquire']>): Promise<void> {
      shares.push(options?.share);
      return super.acquire(key, options);
    }
  })();
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher: dispatcherFor(server.ca), rateLimiter });
  cleanup.push(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  const operation = {
    kind: 'status',
    method: 'PUT',
    url: `${server.url}/op`,
    finalPath: vault,
    startedAt: 0,
    nextPollAt: 0,
  } as const;
  const result = await client.poll(operation, { authorizer: countingAuthorizer(), share: 'shop' });
  expect(result).toMatchObject({ outcome: 'succeeded', body: { id: vault } });
  expect(shares).toEqual(['shop', 'shop']);
});
