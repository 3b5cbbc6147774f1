import { beforeEach, expect, test } from '@jest/globals';
import { account, azure, client, clock, codeOf, send, sign, texts } from './world.ts';

const queue = (method: string, path: string, text?: string) => send(method, path, {}, text, 'queue');
const message = (text: string) => `<QueueMessage><MessageText>${text}</MessageText></QueueMessage>`;
const put = (text: string, more = '') => queue('POST', `/jobs/messages${more}`, message(text));

beforeEach(async () => {
  expect((await queue('PUT', '/jobs')).status).toBe(201);
});

test('a queue of the data plane is one of Resource Manager', async () => {
  const { status } = await client.arm('GET', `${account}/queueServices/default/queues/jobs`, '2024-01-01');
  expect(status).toBe(200);
  expect((await queue('PUT', '/jobs')).status).toBe(204);
  expect(texts(await queue('GET', '/?comp=list'), 'Name')).toEqual(['jobs']);
  expect((await queue('DELETE', '/jobs')).status).toBe(204);
  expect(codeOf(await put('late'))).toEqual([404, 'QueueNotFound']);
});

test('a message is hidden once it is taken, comes again, and goes with its receipt', async () => {
  await put('a &amp; b');
  expect(texts(await queue('GET', '/jobs/messages?peekonly=true'), 'MessageText')).toEqual(['a &amp; b']);
  const taken = await queue('GET', '/jobs/messages?visibilitytimeout=10');
  expect(texts(taken, 'DequeueCount')).toEqual(['1']);
  expect(texts(await queue('GET', '/jobs/messages'), 'MessageId')).toEqual([]);
  await clock.advance(11_000);
  const again = await queue('GET', '/jobs/messages');
  expect(texts(again, 'DequeueCount')).toEqual(['2']);
  const remove = (answer: typeof taken) => {
    const [id, receipt] = ['MessageId', 'PopReceipt'].map((name) => encodeURIComponent(texts(answer, name)[0] ?? ''));
    return queue('DELETE', `/jobs/messages/${id}?popreceipt=${receipt}`);
  };
  expect(codeOf(await remove(taken))).toEqual([400, 'PopReceiptMismatch']);
  expect((await remove(again)).status).toBe(204);
  expect(codeOf(await remove(again))).toEqual([404, 'MessageNotFound']);
});

test('messages wait, expire and are cleared', async () => {
  await put('later', '?visibilitytimeout=60');
  await put('short', '?messagettl=30');
  const seen = async () => texts(await queue('GET', '/jobs/messages?peekonly=true&numofmessages=32'), 'MessageText');
  expect(await seen()).toEqual(['short']);
  await clock.advance(61_000);
  expect(await seen()).toEqual(['later']);
  expect((await queue('DELETE', '/jobs/messages')).status).toBe(204);
  expect(await seen()).toEqual([]);
});

test('the right to peek is enough for a peek, and for nothing else with its parameter', async () => {
  await put('kept');
  const [se, sv] = ['2030-01-01T00:00:00Z', '2022-11-02'];
  const sig = sign(['r', '', se, '/queue/acct/jobs', '', '', '', sv].join('\n'));
  const peek = new URLSearchParams({ sp: 'r', se, sv, sig, peekonly: 'true' });
  const peeking = (method: string, path: string) =>
    client.send(method, `${azure.endpoints.queue}/acct${path}?${peek}`, {
      text: method === 'POST' ? message('x') : '',
    });
  for (const [method, path] of [
    ['DELETE', '/jobs'],
    ['DELETE', '/jobs/messages'],
    ['POST', '/jobs/messages'],
  ] as const) {
    expect(codeOf(await peeking(method, path))).toEqual([403, 'AuthorizationPermissionMismatch']);
  }
  expect(texts(await peeking('GET', '/jobs/messages'), 'MessageText')).toEqual(['kept']);
});
