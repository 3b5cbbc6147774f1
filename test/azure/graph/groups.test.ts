import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import { GraphClient } from '../../../runtime/azure/graph/graph-client.ts';
import { deleteGroup, groupsNamed, odataText, readGroup, upsertGroup } from '../../../runtime/azure/graph/groups.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';

const group = { id: 'g', uniqueName: null, displayName: 'Team' };

async function world(answer: FakeHandler, mayWrite = () => {}) {
  const server = await FakeAzure.start(answer);
  const authorizer = countingAuthorizer();
  const graph = new GraphClient({
    cloud: { ...cloudAt(server.url), graphEndpoint: server.url },
    authorizer,
    dispatcher: dispatcherFor(server.ca),
    correlationId: 'run-1',
    now: () => Date.now(),
    mayWrite,
  });
  const { requests } = server;
  return { graph, requests, authorizer, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('a text of OData has its quotes doubled, and the path is encoded', async () => {
  expect(odataText("a'b''c")).toBe("'a''b''''c'");
  await using at = await world(() => ({ body: { value: [] } }));
  await groupsNamed(at.graph, "x' or displayName eq 'y&$top=999#");
  const { searchParams } = new URL(at.requests[0]?.url ?? '', at.server.url);
  expect(searchParams.get('$filter')).toBe("displayName eq 'x'' or displayName eq ''y&$top=999#'");
  expect(searchParams.get('$top')).toBe('10');
});

test('tokens are for Graph alone: one for the reads of a run, one of its own for each change', async () => {
  await using at = await world(({ method }) => (method === 'PATCH' ? { status: 201, body: group } : { body: group }));
  await readGroup(at.graph, { id: 'g' });
  await readGroup(at.graph, { uniqueName: 'u' });
  expect(await upsertGroup(at.graph, 'u', {})).toEqual(group);
  await upsertGroup(at.graph, 'u', {});
  expect(at.authorizer.asked.map(({ audience }) => audience)).toEqual([at.server.url, at.server.url, at.server.url]);
  expect(at.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-2',
    'Bearer token-3',
  ]);
  expect(at.requests[2]?.headers).toMatchObject({ prefer: 'create-if-missing', 'client-request-id': 'run-1' });
});

test('what is absent is no error to a read and a deletion', async () => {
  const error = { code: 'Request_ResourceNotFound', message: 'gone' };
  await using at = await world(() => ({ status: 404, body: { error } }));
  expect(await readGroup(at.graph, { id: 'g' })).toBeUndefined();
  await deleteGroup(at.graph, { id: 'g' });
});

test('a refusal has the status, code and wait of Graph, and no token', async () => {
  const error = { code: 'TooManyRequests', message: 'Too many requests.' };
  const headers = { 'retry-after': '7', 'request-id': 'r-1' };
  await using at = await world(() => ({ status: 429, headers, body: { error } }));
  const thrown = await readGroup(at.graph, { id: 'g' }).catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ArmError);
  expect((thrown as ArmError).info).toMatchObject({ status: 429, code: 'TooManyRequests', retryAfterMs: 7000 });
  expect((thrown as ArmError).message).toContain('(request r-1)');
  expect(inspect(thrown, { depth: 9 })).not.toContain('token-1');
});

test('no answer is AZ_GRAPH_UNREACHABLE, and nothing is written once the operator may write no more', async () => {
  await using cut = await world(() => ({ destroy: true }));
  await expect(readGroup(cut.graph, { id: 'g' })).rejects.toMatchObject({ code: 'AZ_GRAPH_UNREACHABLE' });
  const lost = () => {
    throw new Error('the lease is lost');
  };
  await using at = await world(() => ({ body: group }), lost);
  await expect(upsertGroup(at.graph, 'u', {})).rejects.toThrow('the lease is lost');
  expect(at.requests).toEqual([]);
});
