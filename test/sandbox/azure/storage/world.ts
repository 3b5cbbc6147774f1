import { createHmac } from 'node:crypto';
import { afterAll, beforeEach } from '@jest/globals';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { startEmbeddedAzure } from '../../../../sandbox/azure/azure.ts';
import { type Answer, TestClient } from '../client.ts';

/** An embedded Azure with the storage account `acct`. Each test starts with an empty one. */
export const clock = new ManualClock(Date.UTC(2026, 5, 1));
export const azure = await startEmbeddedAzure({ clock });
export const client = new TestClient(azure);
export const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg`;
export const account = `${group}/providers/Microsoft.Storage/storageAccounts/acct`;
const version = '2024-01-01';
let key = '';

/** Writes the account with more properties than it has by default. */
export async function putAccount(properties: object = {}): Promise<void> {
  await client.arm('PUT', account, version, {
    location: 'westus2',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    properties,
  });
  await clock.advance(2000);
  key = (await client.arm('POST', `${account}/listKeys`, version)).body.keys[0].value;
}

beforeEach(async () => {
  azure.reset();
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  await putAccount();
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

/** The signature of a text by the account's first key. */
export const sign = (text: string) => createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');

/** A request to `/acct` below the address of a service, signed with the account's key. */
export async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  text?: string,
  service: 'blob' | 'queue' = 'blob',
): Promise<Answer> {
  const url = new URL(`${azure.endpoints[service]}/acct${path}`);
  const own: Record<string, string> = {
    'x-ms-date': new Date(clock.now()).toUTCString(),
    'x-ms-version': '2026-04-06',
    ...headers,
  };
  const all: Record<string, string> = { 'content-type': 'text/plain', ...own };
  const length = text === undefined || text === '' ? '' : String(Buffer.byteLength(text));
  const value = (name: string) => all[name] ?? '';
  const first = [method, '', '', length, '', value('content-type'), '', value('if-modified-since'), value('if-match')];
  const rest = [value('if-none-match'), value('if-unmodified-since'), value('range')];
  const ms = Object.keys(all)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${all[name]}\n`);
  const query = [...url.searchParams].sort().map(([name, each]) => `\n${name}:${each}`);
  const signed = `${[...first, ...rest].join('\n')}\n${ms.join('')}/acct${url.pathname}${query.join('')}`;
  const authorization = `SharedKey acct:${sign(signed)}`;
  return await client.send(method, url.href, {
    headers: { ...all, authorization },
    ...(text === undefined ? {} : { text }),
  });
}

/** Writes a block blob. */
export const putBlob = (path: string, text: string, headers: Record<string, string> = {}) =>
  send('PUT', path, { 'x-ms-blob-type': 'BlockBlob', ...headers }, text);

/** Status and error code of an answer. */
export const codeOf = ({ status, headers }: Answer) => [status, headers['x-ms-error-code']];

/** The texts of elements with a name. */
export const texts = ({ text }: Answer, name: string) =>
  [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, each]) => each);
