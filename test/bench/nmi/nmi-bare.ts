/** What the node daemon is compared with: a bare node:http server that answers a body of the same size. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = 'x'.repeat(Number(process.argv[2]));
const headers = { 'content-type': 'application/json', 'content-length': body.length };
const server = createServer((_, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, process.argv[3], () => process.send?.({ port: (server.address() as AddressInfo).port }));
