import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { FairLimit } from '../../../runtime/base/fairness/fair-limit.ts';
import { eventually } from '../../fakes/eventually.ts';
import { pod, podsType, resource, simple, startNmi } from '../harness.ts';

/** Takes places and tells which were evicted. */
function limitOf(limits: { total: number; perNamespace: number; perAddress: number }) {
  const evicted: string[] = [];
  const limit = new FairLimit('connections', limits);
  const admit = (namespace: string, address: string) =>
    limit.admit(namespace, address, () => evicted.push(`${namespace}/${address}`));
  return { admit, evicted };
}

test('places are bounded for each address and namespace, and a place that is given back is free', () => {
  const { admit } = limitOf({ total: 10, perNamespace: 3, perAddress: 2 });
  const release = admit('a', '1');
  expect(typeof admit('a', '1')).toBe('function');
  expect(admit('a', '1')).toBe('connections_per_address');
  expect(typeof admit('a', '2')).toBe('function');
  expect(admit('a', '3')).toBe('connections_per_namespace');
  if (typeof release !== 'function') throw new Error('the first was not admitted');
  release();
  release();
  expect(typeof admit('a', '3')).toBe('function');
  expect(admit('a', '4')).toBe('connections_per_namespace');
});

test('when all places are taken, the namespace with the most gives its oldest to one with fewer', () => {
  const { admit, evicted } = limitOf({ total: 6, perNamespace: 6, perAddress: 6 });
  for (let i = 1; i <= 5; i++) admit('greedy', String(i));
  admit('modest', 'x');
  expect(typeof admit('modest', 'y')).toBe('function');
  expect(evicted).toEqual(['greedy/1']);
  expect(typeof admit('third', 'z')).toBe('function');
  expect(evicted).toEqual(['greedy/1', 'greedy/2']);
  // Those that hold the most get no more.
  expect(admit('greedy', '6')).toBe('connections');
});

test('pods that connect and send nothing are cut off, and take no connection from a neighbour meanwhile', async () => {
  const connections = { total: 40, perNamespace: 40, perAddress: 40 };
  await using nmi = await startNmi({ limits: { connections } });
  await simple(nmi);
  for (const last of [6, 7, 8, 9])
    await nmi.kube.put(podsType, pod({ namespace: 'greedy', name: `p${last}`, ip: `127.0.0.${last}` }));
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  const sockets: Socket[] = [];
  const open = async (localAddress: string) => {
    const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await once(socket, 'connect');
  };
  for (let i = 0; i < 40; i++) await open(`127.0.0.${6 + (i % 4)}`);
  for (let i = 0; i < 5; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
  expect(await nmi.metrics()).toMatch(/azimuth_nmi_refused_connections_total\{bound="connections"\} [1-9]/);
  await eventually('all of them are closed', () => sockets.every(({ destroyed, closed }) => destroyed || closed));
});

test('volumes of one namespace that wait for their tokens keep no other namespace from the Unix socket', async () => {
  await using nmi = await startNmi({ limits: { requests: { perAddress: 3 } } });
  await simple(nmi);
  await nmi.kube.put(podsType, pod({ namespace: 'greedy', name: 'g', ip: '127.0.0.6', label: 'none' }));
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  const leave = new AbortController();
  const ask = (podns: string, podname: string, signal?: AbortSignal) =>
    nmi.ask(`/host/token/?resource=${resource}`, {
      socketPath: nmi.hostSocket,
      headers: { podns, podname },
      ...(signal && { signal }),
    });
  const held = [1, 2, 3].map(() => ask('greedy', 'g', leave.signal).catch(() => undefined));
  await eventually('they wait', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 3'));
  expect((await ask('greedy', 'g')).status).toBe(429);
  expect((await ask('app', 'p')).status).toBe(200);
  leave.abort();
  await Promise.all(held);
});

/** Connections of this machine to the port whose first packet has no answer: SYN_SENT in /proc/net/tcp (man 5 proc). */
function unanswered(port: number): number {
  const to = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return fields.filter(([, , remote = '', state]) => remote.endsWith(to) && state === '02').length;
}

test('a pod that opens hundreds of connections at once makes the kernel drop none of a neighbour', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  const sockets = Array.from({ length: 600 }, () => {
    const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress: '127.0.0.6' });
    return socket.on('error', () => undefined);
  });
  // Node connects them in its next ticks. The daemon, in the same process, has accepted none of them then.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let times = 0; times < 50 && unanswered(nmi.port) > 0; times++) Atomics.wait(pause, 0, 0, 10);
  expect(unanswered(nmi.port)).toBe(0);
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('waiting requests of one namespace are bounded, however many pods it has', async () => {
  await using nmi = await startNmi({ limits: { requests: { perNamespace: 4, perAddress: 3 } } });
  await simple(nmi);
  for (const last of [6, 7])
    await nmi.kube.put(podsType, pod({ namespace: 'greedy', name: `p${last}`, ip: `127.0.0.${last}`, label: 'none' }));
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  const leave = new AbortController();
  const held = [6, 6, 7, 7].map((last) =>
    nmi.token(`127.0.0.${last}`, {}, { from: `127.0.0.${last}`, headers: { metadata: 'true' }, signal: leave.signal }),
  );
  for (const each of held) each.catch(() => undefined);
  await eventually('they wait', async () => (await nmi.metrics()).includes('azimuth_nmi_waiting_requests 4'));
  expect((await nmi.token('127.0.0.7')).status).toBe(429);
  expect((await nmi.token('127.0.0.5')).status).toBe(200);
  leave.abort();
  await Promise.allSettled(held);
});
