import { expect, test } from '@jest/globals';
import { httpCall } from '../../runtime/azure/http-call.ts';
import { BodyTooLarge } from '../../runtime/base/http/body.ts';
import { eventually } from '../fakes/eventually.ts';
import { request } from '../fakes/request.ts';
import { client, serve } from './http-support.ts';

const piece = Buffer.alloc(65_536, 'a');

/** A server whose answers never end: it sends as fast as it is read. */
const endless = () =>
  serve((_, response) => {
    const send = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send);
    send();
  });

test('an answer without end is given up at the limit, and its connection is closed', async () => {
  const server = await endless();
  const { body } = await request(server.url, { dispatcher: client() });
  await expect(body.text({ maxBytes: 1_000_000 })).rejects.toThrow(BodyTooLarge);
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('every answer of Azure has a limit, and the message names it', async () => {
  const server = await endless();
  const call = { method: 'GET', url: server.url, headers: {} } as const;
  await expect(httpCall(client(), call)).rejects.toThrow('the answer is longer than 8 MiB, the limit of this client');
  await expect(httpCall(client(), { ...call, maxBytes: 1000 })).rejects.toThrow('longer than 1000 bytes');
});

test('an answer that trickles for ever is given up after its time', async () => {
  const server = await serve((_, response) => {
    const timer = setInterval(() => response.write('a'), 10);
    response.on('close', () => clearInterval(timer));
  });
  const { body } = await request(server.url, { dispatcher: client() });
  await expect(body.text({ withinMs: 100 })).rejects.toThrow('the answer did not end within 100 ms');
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('an unread body ends the connection where it is long', async () => {
  const server = await endless();
  const { body } = await request(server.url, { dispatcher: client() });
  await body.dump();
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('a document that is nested thousands of levels deep counts as no JSON', async () => {
  const server = await serve(({ url }, response) => {
    const levels = Number(url.slice(1));
    response.end('['.repeat(levels) + ']'.repeat(levels));
  });
  const call = async (levels: number) =>
    (await httpCall(client(), { method: 'GET', url: `${server.url}/${levels}`, headers: {} })).body;
  expect(await call(50_000)).toBeUndefined();
  expect(await call(101)).toBeUndefined();
  expect(await call(100)).toBeDefined();
});
