import { expect, test } from '@jest/globals';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import type { ArmRequest } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { countingAuthorizer } from '../support.ts';
import { setup, vault } from './client-world.ts';

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
  afterwards(() => foreign[Symbol.asyncDispose]());
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

test('characters that RFC 3986 allows in no URL are sent percent-encoded, as in the poll URLs of Azure DNS', async () => {
  const { server, client, authorizer } = await setup(() => ({ body: {} }));
  const path = '/subscriptions/s/operations/a|1;z^2`3?api-version=1&t=x|y';
  await client.send({ method: 'GET', path, authorizer });
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/subscriptions/s/operations/a%7C1;z%5E2%603?api-version=1&t=x%7Cy',
  ]);
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

test('a 429 that the service of one namespace sends stops no request of another with the same credential', async () => {
  const { client, authorizer } = await setup(
    ({ url = '' }) =>
      url.includes('/theirs')
        ? { status: 429, headers: { 'retry-after': '3600' }, body: { error: { code: 'Mine' } } }
        : { body: { id: vault } },
    { clock: new ManualClock(1000) },
  );
  const put = (path: string, share: string) =>
    client.send({ method: 'PUT', path, body: {}, authorizer, share }).catch((error: unknown) => error);
  expect(await put(vault, 'good')).toMatchObject({ status: 200 });
  expect(await put(`${vault}/theirs`, 'hostile')).toMatchObject({ info: { status: 429 } });
  expect(await put(vault, 'hostile')).toMatchObject({ code: 'AZ_ARM_THROTTLED' });
  expect(await put(vault, 'good')).toMatchObject({ status: 200 });
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

/** An ARM that answers by `statusOf` a token, a list of its requests' tokens, and a credential that counts. */
async function reads(statusOf: (token: string) => number = () => 200) {
  const clock = new ManualClock(1_700_000_000_000);
  const handler: FakeHandler = ({ headers }) => {
    const status = statusOf(String(headers.authorization).replace('Bearer ', ''));
    return { status, body: status === 200 ? { id: vault } : { error: { code: 'Refused', message: 'no' } } };
  };
  const { server, client, authorizer } = await setup(handler, { clock });
  const send = (method: 'GET' | 'PUT' = 'GET', more: Partial<ArmRequest> = {}) =>
    client.send({ method, path: vault, apiVersion: '2023-07-01', authorizer, ...more });
  const used = () => server.requests.splice(0).map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
  return { clock, send, used };
}

test('reads of one credential share its latest token for five minutes, those of another have another', async () => {
  const { clock, send, used } = await reads();
  await Promise.all([send(), send()]);
  await send();
  await send('PUT');
  await send();
  expect(used()).toEqual(['token-1', 'token-1', 'token-1', 'token-2', 'token-2']);
  await clock.advance(299_999);
  await send();
  await clock.advance(1);
  await send();
  expect(used()).toEqual(['token-2', 'token-3']);
  await send('GET', { authorizer: countingAuthorizer(() => clock.now()) });
  expect(used()).toEqual(['token-1']);
});

test.each([401, 403])('a token that Azure refuses with %s is dropped at once', async (status) => {
  let refused = '';
  const { send, used } = await reads((token) => (token === refused ? status : 200));
  await send();
  refused = 'token-1';
  await send();
  await send();
  expect(used()).toEqual(['token-1', 'token-1', 'token-2', 'token-2']);
  refused = 'token-3';
  await expect(send('PUT')).rejects.toThrow();
  refused = 'token-4';
  await expect(send()).rejects.toThrow();
  refused = '';
  await send();
  expect(used()).toEqual(['token-3', 'token-4', 'token-5']);
});

test('the end of one read does not end the token request that others wait for', async () => {
  const { send, used } = await reads();
  const abort = new AbortController();
  const gone = send('GET', { signal: abort.signal });
  const other = send();
  abort.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await other;
  expect(used()).toEqual(['token-1']);
});
