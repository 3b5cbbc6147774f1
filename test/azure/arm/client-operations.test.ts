import { expect, test } from '@jest/globals';
import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { type BucketKey, RateLimiter } from '../../../runtime/azure/arm/rate-limiter.ts';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { FakeAzure } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';
import { setup, vault } from './client-world.ts';

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
  afterwards(
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

test('regions that nobody knows share one budget, and the clouds of one subscription do not', async () => {
  const keys: BucketKey[] = [];
  const rateLimiter = new (class extends RateLimiter {
    override acquire(...[key, options]: Parameters<RateLimiter['acquire']>): Promise<void> {
      keys.push(key);
      return super.acquire(key, options);
    }
  })();
  const server = await FakeAzure.start(() => ({ body: { id: vault } }));
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher: dispatcherFor(server.ca), rateLimiter });
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  const authorizer = countingAuthorizer();
  const cloud = { ...cloudAt(server.url), resourceManagerEndpoint: `${server.url}/other` };
  for (const region of ['West Europe', 'made-up-1', `x${'y'.repeat(1_000_000)}`, undefined]) {
    await client.send({ method: 'PUT', path: vault, authorizer, body: {}, ...(region !== undefined && { region }) });
  }
  await client.send({ method: 'PUT', path: vault, authorizer: { ...authorizer, cloud }, body: {} });
  expect(keys.map(({ region }) => region)).toEqual(['westeurope', '', '', '', '']);
  expect(new Set(keys.map((key) => key.cloud))).toEqual(new Set([server.url, `${server.url}/other`]));
});
