/**
 * A server for the bench, in a process of its own: the node daemon with one pod for each of ten loopback addresses, or a
 * bare node:http server with an answer of the same size. Prints its port; on each line of input prints CPU time and memory.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  identitiesType,
  identity,
  pod,
  podsType,
  startNmi,
} from '../nmi/harness.ts';

const body = JSON.stringify({
  access_token: 'x'.repeat(260),
  refresh_token: '',
  expires_in: '86399',
  expires_on: '1700086399',
  not_before: '1700000000',
  resource: 'https://vault.azure.net',
  token_type: 'Bearer',
});

let port: number;
if (process.argv[2] === 'bare') {
  const server = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
} else {
  // Log lines are written, one system call each, as in production; only not to where they would disturb.
  const nmi = await startNmi({ logTo: pino.destination({ dest: '/dev/null', sync: true }) });
  for (let i = 0; i < 10; i++) {
    const [name, ip] = [`pod${i}`, `127.0.1.${i + 1}`];
    const made = pod({ name, ip, label: name });
    await nmi.kube.put(identitiesType, identity(name));
    await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
    await nmi.kube.put(assignedType, assigned(made, identity(name)));
    await nmi.kube.put(podsType, made);
  }
  port = nmi.port;
}
process.once('SIGINT', () => process.exit(0));
console.log(JSON.stringify({ port }));
createInterface({ input: process.stdin }).on('line', () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { user, system } = process.cpuUsage();
  console.log(
    JSON.stringify({ cpuMicros: user + system, rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed }),
  );
});
