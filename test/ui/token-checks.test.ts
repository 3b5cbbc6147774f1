/** Tokens that an API server has not answered for yet. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { readersAccess } from '../../runtime/ui/cluster/access.ts';
import { eventually } from '../fakes/eventually.ts';
import { type Scratch, scratch } from '../fakes/scratch.ts';
import { type RunningUi, startUi } from './support.ts';

let ui: RunningUi;
let files: Scratch;
/** Invented tokens that the API server was asked about. */
const asked = new Set<string>();
/** An API server that does not answer for invented tokens, as one under load. */
const api = createServer((request, response) => {
  const token = request.headers.authorization ?? '';
  if (token.includes('invented')) {
    asked.add(token);
    return;
  }
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
});

beforeAll(async () => {
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  files = scratch();
  const kubeconfig = files.write(
    'kubeconfig',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'x', user: {} }],
    }),
  );
  const { credential: _, ...server } = loadKubeConnection({ kubeconfig });
  ui = await startUi(readersAccess(server));
});
afterAll(async () => {
  await ui?.close();
  api.closeAllConnections();
  api.close();
  files?.remove();
});

const detail = `/api/object?${new URLSearchParams({ group: 'storage.azure.com', kind: 'StorageAccount', namespace: 'a', name: 'b' })}`;
/** The status for a token from an address that the proxy saw; the entry before it is the client's own invention. */
const statusOf = async (token: string, address: string) =>
  (await ui.get(detail, { authorization: `Bearer ${token}`, 'x-forwarded-for': `10.9.9.9, ${address}` })).status;

test('one address with invented tokens keeps no other from the check of its token', async () => {
  const answers: number[] = [];
  const flood = Array.from({ length: 120 }, async (_, index) => {
    answers.push(await statusOf(`invented-${index}`, '10.0.0.66').catch(() => 0));
  });
  await eventually('the API server is asked', () => asked.size === 100 && answers.length === 20);
  expect(answers).toEqual(Array(20).fill(503));
  expect(await statusOf('genuine', '10.0.0.1')).not.toBe(503);
  await eventually('the oldest check made room', () => answers.length === 21);
  expect(answers.at(-1)).toBe(503);
  // A further one of the same address takes the room that is left, and no room of others.
  expect(await Promise.all(['a', 'b', 'c'].map((name) => statusOf(`genuine-${name}`, `10.0.1.${name}`)))).not.toContain(
    503,
  );
  api.closeAllConnections();
  await Promise.all(flood);
});
