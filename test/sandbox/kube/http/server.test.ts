import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createDispatcher } from '../../../../runtime/base/http/client.ts';
import type { Logger } from '../../../../runtime/base/observability/log.ts';
import { newAuthority, newClientCertificate } from '../../../../sandbox/kube/access/certificates.ts';
import { eventually } from '../../../fakes/eventually.ts';
import { request } from '../../../fakes/request.ts';
import { type Api, configMaps, startApi } from '../api.ts';

let api: Api;
const logged: string[] = [];
const write = (fields: object, message: string) => void logged.push(JSON.stringify({ fields, message }));
const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log };
beforeEach(async () => {
  logged.length = 0;
  api = await startApi({ log });
});
afterEach(() => api.close());

test('the administrator may come with a token instead of a certificate', async () => {
  expect((await api.get('/api/v1/nodes', { token: api.kube.adminToken })).code).toBe(200);
});

test('a certificate of another authority is Unauthorized, whatever it claims', async () => {
  const { cert, key } = newClientCertificate(newAuthority('kubernetes'), 'kubernetes-admin', ['system:masters']);
  const dispatcher = createDispatcher({ ca: api.kube.caPem, proxy: 'none', cert, key });
  const answer = await request(`${api.kube.url}${configMaps}`, { dispatcher });
  expect(JSON.parse(await answer.body.text())).toMatchObject({ code: 401, reason: 'Unauthorized' });
  await dispatcher.close();
});

test('closing ends watches cleanly and frees the port, with clients still connected', async () => {
  const { body } = await api.stream('GET', `${configMaps}?watch=1`);
  const ended = body.text();
  const started = performance.now();
  await api.kube.close();
  expect(performance.now() - started).toBeLessThan(5000);
  const lines = (await ended).trim().split('\n');
  expect(JSON.parse(lines[0] as string)).toMatchObject({ type: 'ADDED' });
  await expect(api.get('/version')).rejects.toThrow();
});

test('only the loopback interface is listened on', () => {
  expect(new URL(api.kube.url).hostname).toBe('127.0.0.1');
});

test('a client that talks no TLS, or goes away in the middle of a body, does no harm', async () => {
  const port = Number(new URL(api.kube.url).port);
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end('GET / HTTP/1.1\r\n\r\n'));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  const sending = httpsRequest(`${api.kube.url}${configMaps}`, { method: 'POST', ca: api.kube.caPem });
  sending.write('{');
  setTimeout(() => sending.destroy(), 50);
  await expect(once(sending, 'response')).rejects.toThrow();
  expect((await api.get('/version')).code).toBe(200);
});

test('a dozen watchers of one resource all see a change', async () => {
  const found = Array.from({ length: 12 }, () =>
    api.watch(`${configMaps}?watch=1&resourceVersion=${api.kube.store.revision}`, (events) => events.length > 0),
  );
  await api.post(configMaps, { metadata: { name: 'seen' } });
  for (const events of await Promise.all(found)) expect(events[0]?.['object'].metadata.name).toBe('seen');
});

test('no secret reaches the log or an error', async () => {
  const value = 'correct-horse-battery';
  const data = { a: Buffer.from(value).toString('base64') };
  const secrets = '/api/v1/namespaces/default/secrets';
  const texts = [
    await api.post(secrets, { metadata: { name: 'Bad_Name' }, data }),
    await api.post(secrets, { metadata: { name: 'x' }, data: { 'bad key': data.a } }),
    await api.post(secrets, { metadata: { name: 'x' }, data, type: 7 }),
    await api.post(secrets, { metadata: { name: 'x' }, data: { a: value } }),
    await api.post(secrets, { metadata: { name: 'x' }, stringData: { a: { [value]: value } } }),
    await api.get(`${secrets}/${'x'.repeat(300)}`, { token: 'wrong' }),
  ];
  for (const { code, text } of texts) {
    expect(code).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain(value);
    expect(text).not.toContain(data.a);
  }
  await eventually('nothing was logged but by the server itself', () => logged.every((line) => !line.includes(value)));
});
