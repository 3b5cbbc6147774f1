/** Callers without a token who try to use up the memory of the endpoint, with the limits of its container. */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryVariables } from '../../constructs/private/node-options.ts';
import { crdManifest } from '../../runtime/api/crd.ts';
import { machineKinds } from '../../runtime/api/kinds.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../runtime/cli/demo/programs/program-process.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { bundle } from '../../tools/bundle.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { secretEndpointContainer } from '../constructs/secret-endpoint-container.ts';
import { builtOnce } from '../fakes/built-once.ts';
import { serverCertificate } from '../fakes/certificates.ts';
import { scratch } from '../fakes/scratch.ts';

const { ca, cert, key } = serverCertificate();
const container = secretEndpointContainer();
const closers: (() => unknown)[] = [];
let program: ProgramProcess;
let port: number;
let caller: Dispatcher;
const sockets: Socket[] = [];

beforeAll(async () => {
  const kube = await startEmbeddedKube();
  const azure = await startEmbeddedAzure();
  const files = scratch();
  closers.push(
    () => kube.close(),
    () => azure.close(),
    () => files.remove(),
  );
  const kubeconfig = files.write('kubeconfig', kube.adminKubeconfig);
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  for (const kind of machineKinds)
    await client.create(customResourceDefinitions, crdManifest(kind) as unknown as KubeObject);
  await client.close();
  port = await freePort();
  const healthPort = await freePort();
  program = new ProgramProcess(
    [
      'secrets',
      '--audience=api://azimuth-secrets',
      `--tenant=${azure.tenantId}`,
      `--port=${port}`,
      `--health-port=${healthPort}`,
      `--tls-cert-file=${files.write('tls.crt', cert)}`,
      `--tls-key-file=${files.write('tls.key', key)}`,
    ],
    { ...azure.env(), ...memoryVariables, NODE_OPTIONS: container.nodeOptions, KUBECONFIG: kubeconfig, NO_PROXY: '*' },
    join(files.path, 'log'),
    { bin: join(await builtOnce('image', bundle), 'azimuth.mjs') },
  );
  caller = createDispatcher({ ca, proxy: 'none', connections: 0 });
  closers.unshift(
    () => program.stop(),
    () => caller.close(),
  );
  await program.ready(healthPort);
}, 170_000);
afterAll(async () => {
  for (const close of closers) await close();
});

const localAddress = (i: number) => `127.0.1.${1 + (i % 4)}`;

/** Opens connections of four addresses, 32 at a time. `open` may end before its connection is refused. */
async function attack(count: number, open: (i: number) => Promise<Socket>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) sockets.push(await open(next++));
  };
  await Promise.all(Array.from({ length: 32 }, work));
}

function halfHandshake(hello: Buffer): (i: number) => Promise<Socket> {
  return (i) =>
    new Promise((resolve) => {
      const socket = connectTcp({ port, host: '127.0.0.1', localAddress: localAddress(i) });
      socket.on('error', () => resolve(socket)).once('connect', () => socket.write(hello, () => resolve(socket)));
    });
}

/** A connection that had an answer, 401. */
const answered = (i: number): Promise<Socket> =>
  new Promise((resolve) => {
    const to = { port, host: '127.0.0.1', localAddress: localAddress(i), ca, servername: 'localhost' };
    const socket = connect(to, () => socket.write('GET /v1/secrets/a/b HTTP/1.1\r\nHost: x\r\n\r\n'));
    for (const event of ['error', 'close', 'data']) socket.once(event, () => resolve(socket));
    socket.on('error', () => undefined);
  });

/** The program is alive, has kept below its limit, and answers another address. */
async function expectToServe(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const request = { origin: `https://localhost:${port}`, path: '/v1/secrets/a/b', method: 'GET' } as const;
    const { statusCode, body } = await caller.request(request);
    await body.text();
    expect(statusCode).toBe(401);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
  const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  expect(peak).toBeLessThan(container.mebibytes * 0.75);
  for (const socket of sockets.splice(0)) socket.destroy();
}

test('3,000 handshakes that stop after the largest first message leave memory free', async () => {
  const length = 131_000;
  const message = Buffer.alloc(length);
  message.set([1, 0, length >> 8, length & 255, 3, 3]);
  message[1] = length >> 16;
  const records = Array.from({ length: Math.floor(length / 16_384) }, (_, i) => [
    Buffer.from('1603014000', 'hex'),
    message.subarray(i * 16_384, (i + 1) * 16_384),
  ]);
  await attack(3000, halfHandshake(Buffer.concat(records.flat())));
  await expectToServe();
}, 120_000);

test('connections up to the limit, each with headers that do not end, leave memory free', async () => {
  await attack(1800, answered);
  const text = `GET /v1/secrets/a/b HTTP/1.1\r\nHost: x\r\nauthorization: ${'x'.repeat(30_000)}`;
  for (const socket of sockets) if (socket.writable) socket.write(text);
  await expectToServe();
}, 170_000);

test('thousands of requests at once on each of 300 connections leave memory free', async () => {
  await attack(300, answered);
  const text = 'GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2500);
  for (const socket of sockets) socket.pause().write(text);
  await expectToServe();
}, 120_000);
