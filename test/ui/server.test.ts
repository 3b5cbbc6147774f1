import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { account, group, notReady, object } from '../view/support.ts';
import { accounts, bindings, type Cluster, core, groups, identities, startViewWorld } from '../view/world.ts';
import { type RunningUi, startLocalUi } from './support.ts';

let world: Cluster;
let ui: RunningUi & { readonly token: string };
const hostile = `</script><img src=x onerror="alert(1)">\u202e\u001b[2J\n\ndata: {"type":"end"}\n\n`;

beforeAll(async () => {
  world = await startViewWorld();
  await world.put(groups, group('demo'));
  const tags = { note: 'in-the-spec' };
  await world.put(accounts, account('photos', 'demo', notReady('Broken', 'Error', hostile), { tags }));
  await world.put(identities, object('', 'AzureIdentity', 'id', { spec: { type: 0 } }));
  await world.put(bindings, object('', 'AzureIdentityBinding', 'bound', { spec: { azureIdentity: 'id' } }));
  const secret = { ...object('', 'Secret', 'creds'), stringData: { password: 'hunter2' } };
  await world.put(core('secrets', 'Secret'), secret);
  ui = await startLocalUi(world.kubeconfig);
});
afterAll(async () => {
  await ui?.close();
  await world?.close();
});

const withToken = () => ({ authorization: `Bearer ${ui.token}` });
const objectPath = (kind: string, name: string, apiGroup = 'storage.azure.com') =>
  `/api/object?${new URLSearchParams({ group: apiGroup, kind, namespace: 'demo', name })}`;

test('the page runs no script but its own files, and no answer may be kept, framed or read by another site', async () => {
  for (const path of ['/', '/page.js', '/layout.js', '/style.css', '/none', '/api/stream']) {
    const { headers } = await ui.get(path);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; worker-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http:|data:/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const { status, text } = await ui.get('/');
  expect(status).toBe(200);
  expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/);
});

test('no code of the page makes markup from a text', () => {
  const sources = globSync('runtime/ui/page/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  expect(sources.length).toBeGreaterThan(10);
  const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|setHTML|srcdoc/;
  expect(sources.filter((text) => markup.test(text))).toEqual([]);
});

test.each([
  ['another host name, as after DNS rebinding', { host: 'evil.example' }],
  ['another port', { host: '127.0.0.1:1' }],
  ['a request that another site starts', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
])('the server refuses %s, with the token too', async (_, headers) => {
  for (const path of ['/', '/api/stream', objectPath('StorageAccount', 'photos')]) {
    expect((await ui.get(path, { ...withToken(), ...headers })).status).toBe(421);
  }
});

test('without the token of its start nobody reads anything, and no answer has the token', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${ui.token}` }]) {
    for (const path of ['/api/stream', objectPath('StorageAccount', 'photos')]) {
      const answer = await ui.get(path, headers as Record<string, string>);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toMatch(/photos|sandbox/);
    }
  }
  for (const path of ['/', '/page.js', '/none']) expect((await ui.get(path)).text).not.toContain(ui.token);
});

test('a connection that sends many requests at once ends without an answer', async () => {
  const { hostname, port } = new URL(ui.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const answers = text(socket).catch(() => '');
  const closed = once(socket, 'close');
  socket.on('error', () => undefined).write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(600));
  await closed;
  expect(await answers).toBe('');
});

test('it reads only: every other method is refused', async () => {
  const answer = await fetch(`${ui.url}/api/object`, { method: 'POST', headers: withToken() });
  expect(answer.status).toBe(405);
});

test('the stream has all objects, then each change, and texts of tenants cannot end an event', async () => {
  const stream = ui.stream(ui.token);
  await stream.complete();
  expect(stream.names()).toEqual([
    'demo/AzureIdentity/id',
    'demo/AzureIdentityBinding/bound',
    'demo/ResourceGroup/demo',
    'demo/StorageAccount/photos',
  ]);
  expect(stream.messages.map(({ type }) => type)).not.toContain('end');
  const row = stream.rows.get('storage.azure.com/StorageAccount/demo/photos');
  expect(row?.message).toContain('</script><img src=x onerror="alert(1)">\\u202e\\u001b[2J\\n\\ndata:');

  await world.put(groups, group('later'));
  const added = 'resources.azure.com/ResourceGroup/demo/later';
  await eventually('the new object arrives', () => stream.rows.get(added)?.state === 'Ready');
  await world.setStatus(groups, 'demo', 'later', notReady('Conflict', 'Error'));
  await eventually('its state changes', () => stream.rows.get(added)?.state === 'Failed');
  await world.client.delete(groups, { namespace: 'demo', name: 'later' });
  await eventually('it goes', () => !stream.rows.has(added));
  stream.close();
});

test('a stream of one namespace has its objects only', async () => {
  await world.put(groups, { ...group('elsewhere'), metadata: { name: 'elsewhere', namespace: 'other' } });
  const stream = ui.stream(ui.token, '?namespace=other');
  await stream.complete();
  expect(stream.names()).toEqual(['other/ResourceGroup/elsewhere']);
  stream.close();
  expect((await ui.get('/api/stream?namespace=../x', withToken())).status).toBe(400);
});

test('a detail has conditions and events of the object, and neither its spec nor anything of a Secret', async () => {
  const found = await world.client.get(accounts, { namespace: 'demo', name: 'photos' });
  const involvedObject = { kind: 'StorageAccount', namespace: 'demo', name: 'photos', uid: found.metadata.uid };
  const event = { involvedObject, reason: 'BeginCreateOrUpdate', type: 'Normal', message: hostile };
  await world.put(core('events', 'Event'), {
    ...object('', 'Event', 'photos.1'),
    ...event,
    lastTimestamp: '2026-01-02T00:00:00Z',
  });
  const answer = await ui.get(objectPath('StorageAccount', 'photos'), withToken());
  expect(answer.status).toBe(200);
  const detail = JSON.parse(answer.text);
  expect(detail).toMatchObject({
    row: { name: 'photos', state: 'Failed' },
    conditions: [{ type: 'Ready', status: 'False', severity: 'Error', reason: 'Broken' }],
    events: [{ reason: 'BeginCreateOrUpdate', time: '2026-01-02T00:00:00Z', count: 1 }],
  });
  expect(detail.events[0].message).toContain('\\u202e');
  expect(answer.text).not.toMatch(/in-the-spec|Standard_LRS|hunter2/);
});

test.each([
  ['Secret', 'creds', ''],
  ['ConfigMap', 'kube-root-ca.crt', ''],
  ['Pod', 'web', ''],
  ['StorageAccount', 'none', 'storage.azure.com'],
  ['StorageAccount', '../../secrets/creds', 'storage.azure.com'],
  ['StorageAccount', '', 'storage.azure.com'],
])('there is no detail of %s %s', async (kind, name, apiGroup) => {
  const { status, text } = await ui.get(objectPath(kind, name, apiGroup), withToken());
  expect(text).not.toContain('hunter2');
  expect(status).toBeGreaterThanOrEqual(400);
});
