import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import { anyIdentity, holding, startNmi, withGreedyPod } from '../harness.ts';

const get = (resource: string) =>
  `GET /metadata/identity/oauth2/token?resource=${resource} HTTP/1.1\r\nHost: a\r\nMetadata: true\r\n\r\n`;

test('a connection of a pod that asks for too many tokens is read again after a second, and others meanwhile', async () => {
  const service = holding('resource=late', anyIdentity);
  await using nmi = await startNmi({ imds: service.serve });
  using _held = service;
  await withGreedyPod(nmi);

  const sockets: Socket[] = [];
  const open = () => {
    const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress: '127.0.0.6' });
    sockets.push(socket.on('error', () => undefined));
    return socket;
  };
  const ask = async (socket: Socket, resource: string) => {
    socket.write(get(resource));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString();
  };
  for (let index = 0; index < 12; index++) open().write(get(`late-${index}`));
  await eventually('twelve are under way', () => nmi.imds.requests.filter(service.held).length === 12);

  const refused = open();
  const [before, cached] = [performance.now(), 'https://vault.azure.net'];
  expect(await ask(refused, 'late-more')).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n/is);
  const second = ask(refused, cached).then((answer) => ({ answer, ms: performance.now() - before }));
  // The pod has its other connections, and its neighbour is not concerned.
  expect(await Promise.race([ask(open(), cached), second])).toMatch(/^HTTP\/1.1 200 /);
  expect(await Promise.race([nmi.token('127.0.0.5'), second])).toMatchObject({ status: 200 });
  const { answer, ms } = await second;
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(ms).toBeGreaterThan(990);
  for (const socket of sockets) socket.destroy();
});
