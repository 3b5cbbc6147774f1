import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { simple, startNmi } from '../harness.ts';

const path = '/metadata/identity/oauth2/token?resource=https://vault.azure.net';
const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nMetadata: true\r\n\r\n`;
const refused = /azimuth_nmi_refused_connections_total\{bound="unanswered_requests"\} 1\n/;

test.each([2, 3, 600])('a pod that sends %i requests at once is cut off, and gets no answer', async (count) => {
  await using nmi = await startNmi();
  await simple(nmi);
  const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress: '127.0.0.5' });
  const answers = text(socket).catch(() => '');
  socket.on('error', () => undefined).write(request.repeat(count));
  await once(socket, 'close');
  expect((await answers).match(/HTTP\/1.1/g) ?? []).toEqual([]);
  const metrics = await nmi.metrics();
  expect(metrics).toMatch(refused);
  // Of two, the first is taken up before the second is seen.
  if (count > 2) expect(metrics).not.toMatch(/^azimuth_nmi_requests_total\{/m);
});

test('a connection serves one request after the other', async () => {
  await using nmi = await startNmi();
  await simple(nmi);
  const socket = connect({ host: '127.0.0.1', port: nmi.port, localAddress: '127.0.0.5' });
  for (let sent = 0; sent < 5; sent++) {
    socket.write(request);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
  }
  socket.destroy();
});
