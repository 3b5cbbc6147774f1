import { expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';
import { request } from '../fakes/request.ts';
import { client, raw, serve } from './http-support.ts';

test('connections are reused up to the limit; further requests wait in a queue', async () => {
  const held: (() => void)[] = [];
  const server = await serve(({ url }, response) => void held.push(() => response.end(url)));
  const dispatcher = client({ connections: 2 });
  const answers = Array.from({ length: 5 }, async (_, index) => {
    const { body } = await request(`${server.url}/${index}`, { dispatcher });
    return body.text();
  });
  for (let answered = 0; answered < 5; ) {
    const most = Math.min(2, 5 - answered);
    await eventually('as many arrive as are allowed', () => held.length === most);
    for (const end of held.splice(0)) {
      end();
      answered++;
    }
  }
  expect(await Promise.all(answers)).toEqual(['/0', '/1', '/2', '/3', '/4']);
  const received = server.received.map(({ url }) => url);
  // Which of two connections is first is no matter of the line.
  expect([received.slice(0, 2).sort(), received.slice(2, 4).sort(), received.slice(4)]).toEqual([
    ['/0', '/1'],
    ['/2', '/3'],
    ['/4'],
  ]);
  expect(server.accepted()).toBe(2);
});

test('a request that is cancelled while it is queued leaves the queue, and takes no connection', async () => {
  const held: (() => void)[] = [];
  const server = await serve((_, response) => void held.push(() => response.end()));
  const dispatcher = client({ connections: 1 });
  const first = request(server.url, { dispatcher });
  const stop = new AbortController();
  const second = request(`${server.url}/second`, { dispatcher, signal: stop.signal });
  const third = request(`${server.url}/third`, { dispatcher });
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(second).rejects.toBe(reason);
  await eventually('the first arrives', () => held.length === 1);
  held.pop()?.();
  await (await first).body.dump();
  await eventually('the third arrives', () => held.length === 1);
  held.pop()?.();
  await (await third).body.dump();
  expect(server.received.map(({ url }) => url)).toEqual(['/', '/third']);
});

test('a request to a server that never answers fails, and its connection ends', async () => {
  const server = await raw(() => undefined);
  const dispatcher = client({ headersTimeoutMs: 100 });
  await expect(request(server.url, { dispatcher })).rejects.toThrow('Headers Timeout Error');
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('headers that come byte by byte do not put the limit off', async () => {
  const server = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  await expect(request(server.url, { dispatcher: client({ headersTimeoutMs: 300 }) })).rejects.toThrow(
    /Headers Timeout/,
  );
});

test('reading a body that stops fails; a slow one does not', async () => {
  let left = 40;
  const server = await serve(({ url }, response) => {
    response.write('begun');
    if (url === '/stops') return;
    const timer = setInterval(() => {
      response.write('.');
      if (--left > 0) return;
      clearInterval(timer);
      response.end();
    }, 50);
  });
  const dispatcher = client({ bodyTimeoutMs: 1500 });
  const slow = await request(`${server.url}/slow`, { dispatcher });
  expect(await slow.body.text()).toBe(`begun${'.'.repeat(40)}`);
  const stops = await request(`${server.url}/stops`, { dispatcher });
  await expect(stops.body.text()).rejects.toThrow('Body Timeout Error');
  await eventually('its connection ends', () => server.sockets.size === 1);
});

test('a reader that takes its time slows the server down, and is not taken for silence', async () => {
  const size = 32 * 2 ** 20;
  const server = await serve((_, response) => response.end(Buffer.alloc(size)));
  const { body } = await request(server.url, { dispatcher: client({ bodyTimeoutMs: 1000 }) });
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, 2500);
  await promise;
  const [socket] = server.sockets;
  expect(socket?.writableLength).toBeGreaterThan(size / 2);
  let read = 0;
  for await (const piece of body) read += piece.length;
  expect(read).toBe(size);
});

test('with no limits an answer may be silent for long', async () => {
  const server = await serve((_, response) => {
    response.write('a');
    setTimeout(() => response.end('b'), 400);
  });
  const dispatcher = client({ headersTimeoutMs: 0, bodyTimeoutMs: 0, keepAliveMs: 50 });
  const { body } = await request(server.url, { dispatcher });
  expect(await body.text()).toBe('ab');
});

test('an abort ends the connection while the answer is awaited, and while it is read', async () => {
  const server = await serve(({ url }, response) => void (url === '/begun' && response.write('begun')));
  const dispatcher = client();
  for (const path of ['/', '/begun']) {
    const stop = new AbortController();
    const reason = new Error(`enough of ${path}`);
    const asked = request(server.url + path, { dispatcher, signal: stop.signal }).then(({ body }) => body.text());
    asked.catch(() => undefined);
    await eventually('it arrives', () => server.received.at(-1)?.url === path);
    stop.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await eventually('the connection ends', () => server.sockets.size === 0);
    await expect(request(server.url, { dispatcher, signal: stop.signal })).rejects.toBe(reason);
  }
});

test('a reader that stops in the middle of a body frees the connection', async () => {
  const server = await serve((_, response) => void response.write('piece'));
  const { body } = await request(server.url, { dispatcher: client() });
  for await (const piece of body) {
    expect(piece.toString()).toBe('piece');
    break;
  }
  await eventually('the connection ends', () => server.sockets.size === 0);
});

test('a signal that outlives many requests keeps nothing of them', async () => {
  const server = await serve((_, response) => response.end());
  const dispatcher = client();
  const { signal } = new AbortController();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  let listeners = 0;
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for (let turn = 0; turn < 5; turn++) await (await request(server.url, { dispatcher, signal })).body.dump();
  await eventually('none listens', () => listeners === 0);
});

test('close waits for what is under way, body and line included, and takes nothing more', async () => {
  const held: (() => void)[] = [];
  const server = await serve((_, response) => {
    response.write('a');
    held.push(() => response.end('b'));
  });
  const dispatcher = client({ connections: 1 });
  const both = [1, 2].map(() => request(server.url, { dispatcher }).then(({ body }) => body.text()));
  await eventually('the first arrives', () => held.length === 1);
  let closed = false;
  const closing = dispatcher.close().then(() => {
    closed = true;
  });
  await expect(request(server.url, { dispatcher })).rejects.toThrow('closed');
  held.pop()?.();
  await eventually('the second arrives', () => held.length === 1);
  expect(closed).toBe(false);
  held.pop()?.();
  expect(await Promise.all(both)).toEqual(['ab', 'ab']);
  await closing;
  await eventually('no connection is left', () => server.sockets.size === 0);
});

test('destroy ends what is under way', async () => {
  const server = await serve(() => undefined);
  const dispatcher = client();
  const asked = request(server.url, { dispatcher });
  asked.catch(() => undefined);
  await eventually('it arrives', () => server.received.length === 1);
  await dispatcher.destroy();
  await expect(asked).rejects.toThrow('destroyed');
  await eventually('no connection is left', () => server.sockets.size === 0);
});

test('a handshake that never finishes fails after the time limit for connecting', async () => {
  const server = await raw(() => undefined);
  const dispatcher = client({ connectTimeoutMs: 200, headersTimeoutMs: 0 });
  await expect(request(server.url.replace('http', 'https'), { dispatcher })).rejects.toThrow('Connect Timeout Error');
  await eventually('the connection ends', () => server.sockets.size === 0);
});
