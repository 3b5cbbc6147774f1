/** A session that is recorded between a client and an embedded Azure, which stands for the real one. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { runRecording } from '../../../runtime/cli/sandbox/recording-run.ts';
import { replayFiles } from '../../../runtime/cli/sandbox/replay-files.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { readSession, type Session } from '../../../sandbox/sessions/session.ts';
import { eventually } from '../../fakes/eventually.ts';
import { request } from '../../fakes/request.ts';
import { scratch } from '../../fakes/scratch.ts';
import { TestClient } from '../azure/client.ts';

const place = scratch();
const file = join(place.path, 'session.json');
/** What must not be in the file, by what it is. */
const secrets: Record<string, string> = {
  password: 'Tr0ub4dor&3-horse',
  'value of a setting': 'correct-horse-battery',
  'value of a secret': 'staple',
  'text of a tag': 'owned-by-jane',
};
let azure: EmbeddedAzure;
let session: Session;
let text: string;
const polled: number[] = [];

beforeAll(async () => {
  azure = await startEmbeddedAzure({ arm: { operationMs: 1, pageSize: 1 } });
  const stop = new AbortController();
  let out = '';
  const recording = runRecording({
    ...{ file, upstream: azure.endpoints.arm, port: 0, directory: place.path, command: [], upstreamCa: azure.caPem },
    signal: stop.signal,
    print: (line) => {
      out += line;
    },
  });
  await eventually('the proxy is up', () => out.includes('https://localhost:'));
  const proxy = /https:\/\/localhost:\d+/.exec(out)?.[0] ?? '';
  await work(proxy);
  stop.abort();
  expect(await recording).toBe(0);
  text = readFileSync(file, 'utf8');
  session = readSession(file);
});

afterAll(async () => {
  await azure.close();
  place.remove();
});

async function work(proxy: string): Promise<void> {
  const portal = new TestClient(azure);
  const token = await portal.token();
  Object.assign(secrets, {
    token,
    subscription: azure.subscriptionId,
    tenant: azure.tenantId,
    'object id': azure.defaultApp.objectId,
  });
  const dispatcher = createDispatcher({ ca: readFileSync(join(place.path, 'record-ca.pem'), 'utf8') });
  const send = async (method: string, url: string, body?: object) => {
    const answer = await request(url, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop`;
  const at = (type: string, version: string) => `${proxy}${group}/providers/${type}?api-version=${version}`;
  const put = async (url: string, body: object) => {
    const { status, headers, text: said } = await send('PUT', url, { location: 'westeurope', ...body });
    expect([status, said]).toEqual([expect.any(Number), expect.not.stringContaining('"error"')]);
    const poll = headers['azure-asyncoperation'] ?? headers['location'];
    if (typeof poll !== 'string') return;
    expect(poll).toContain(proxy);
    polled.push((await send('GET', poll)).status);
  };
  await put(`${proxy}${group}?api-version=2021-04-01`, { tags: { note: secrets['text of a tag'] } });
  const account = 'Microsoft.Storage/storageAccounts/azimuthrecorded';
  await put(at(account, '2023-01-01'), { sku: { name: 'Standard_LRS' }, kind: 'StorageV2', properties: {} });
  await put(at(`${account.replace('recorded', 'second')}`, '2023-01-01'), {
    ...{ sku: { name: 'Standard_LRS' }, kind: 'StorageV2', properties: {} },
  });
  const keys = JSON.parse((await send('POST', at(`${account}/listKeys`, '2023-01-01'))).text).keys;
  keys.forEach(({ value }: { value: string }, index: number) => {
    secrets[`key ${index}`] = value;
  });
  await put(at('Microsoft.Sql/servers/azimuthsql', '2021-11-01'), {
    properties: { administratorLogin: 'jane', administratorLoginPassword: secrets['password'] },
  });
  await put(at('Microsoft.Web/sites/shop', '2022-03-01'), {
    // The answer repeats a key in a member with an ordinary name.
    properties: { httpsOnly: true, siteConfig: { linuxFxVersion: `x ${keys[0].value}` } },
  });
  await put(at('Microsoft.Web/sites/shop/config/appsettings', '2022-03-01'), {
    properties: { LOCATION: secrets['value of a setting'], name: secrets['value of a secret'] },
  });
  await send('POST', at('Microsoft.Web/sites/shop/config/appsettings/list', '2022-03-01'));
  await send('GET', at('Microsoft.Storage/storageAccounts/azimuthrecorded', '2023-01-01'));
  const first = JSON.parse((await send('GET', at('Microsoft.Storage/storageAccounts', '2023-01-01'))).text);
  expect(first.nextLink).toContain(proxy);
  expect((await send('GET', first.nextLink)).status).toBe(200);
  await send('GET', at('Microsoft.Storage/storageAccounts/none', '2023-01-01'));
  await portal.close();
  await dispatcher.close();
}

test('polls and further pages come to the proxy, and are not in the file', () => {
  expect(polled.length).toBeGreaterThan(1);
  expect(new Set(polled.map((status) => Math.floor(status / 100)))).toEqual(new Set([2]));
  expect(session.requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
    ...[
      'PUT 201',
      'PUT 202',
      'PUT 202',
      'POST 200',
      expect.stringMatching(/PUT 20\d/),
      expect.stringMatching(/PUT 20\d/),
    ],
    ...['PUT 200', 'POST 200', 'GET 200', 'GET 200', 'GET 404'],
  ]);
});

test('the file has no secret, no id and no token, and only its owner may read it', () => {
  for (const [what, secret] of Object.entries(secrets)) {
    expect([what, text.includes(secret)]).toEqual([what, false]);
    expect([what, text.includes(encodeURIComponent(secret))]).toEqual([what, false]);
  }
  expect(text).not.toMatch(/bearer|authorization"/i);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('what is no secret stays, so that a replay on an empty sandbox has the same statuses', async () => {
  expect(session.requests[1]).toMatchObject({
    path: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/azimuthrecorded',
    query: 'api-version=2023-01-01',
    body: { location: 'westeurope', sku: { name: 'Standard_LRS' }, kind: 'StorageV2' },
  });
  let out = '';
  await replayFiles([file], (line) => {
    out += line;
  });
  expect(out).toMatch(/^session: 11 requests, 11 compared, 11 with Azure's status\n/);
});

test('an upstream that cannot be reached gets 502, and nothing into the file', async () => {
  const stop = new AbortController();
  const none = join(place.path, 'none.json');
  let out = '';
  const recording = runRecording({
    ...{ file: none, upstream: 'https://localhost:1', port: 0, directory: place.path, command: [] },
    signal: stop.signal,
    print: (line) => {
      out += line;
    },
  });
  await eventually('the proxy is up', () => out.includes('https://localhost:'));
  const dispatcher = createDispatcher({ ca: readFileSync(join(place.path, 'record-ca.pem'), 'utf8') });
  const answer = await request(`${/https:\/\/localhost:\d+/.exec(out)?.[0]}/subscriptions`, { dispatcher });
  expect([answer.statusCode, await answer.body.text()]).toEqual([502, expect.stringContaining('gave no answer')]);
  await dispatcher.close();
  stop.abort();
  await recording;
  expect(readSession(none).requests).toEqual([]);
});

test('a command gets the address of the proxy and its exit code passes on; what it trusted it trusts still', async () => {
  const before = join(place.path, 'before.pem');
  writeFileSync(before, azure.caPem);
  process.env['NODE_EXTRA_CA_CERTS'] = before;
  const script = `
    const { AZURE_RESOURCE_MANAGER_ENDPOINT: proxy } = process.env;
    const both = [proxy, '${azure.endpoints.arm}'].map((url) => fetch(url + '/subscriptions?api-version=2020-01-01'));
    const [first, second] = await Promise.all(both);
    process.exit(first.status === 401 && second.status === 401 && first.url !== second.url ? 7 : 1);`;
  const signal = new AbortController().signal;
  const command = [process.execPath, '--input-type=module', '-e', script];
  try {
    const run = { upstream: azure.endpoints.arm, port: 0, directory: place.path, signal, print: () => {} };
    const file = join(place.path, 'c.json');
    expect(await runRecording({ ...run, file, command, upstreamCa: azure.caPem })).toBe(7);
    expect(readSession(file).requests.map(({ status }) => status)).toEqual([401]);
    // Of two authorities with one name, OpenSSL tries the first alone.
    const subjects = [readFileSync(join(place.path, 'record-ca.pem')), azure.caPem].map(
      (pem) => new X509Certificate(pem).subject,
    );
    expect(subjects[0]).not.toBe(subjects[1]);
  } finally {
    delete process.env['NODE_EXTRA_CA_CERTS'];
  }
});
