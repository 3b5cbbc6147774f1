/**
 * The metadata endpoint of the machine, on addresses and a port of the namespace it runs in. Each answer says that it
 * came from here and names the identity; nobody but the node is meant to reach it.
 */
import { createServer } from 'node:http';

const [port = '80', ...addresses] = process.argv.slice(2);
for (const address of addresses) {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://imds').searchParams;
    const client = query.get('client_id') ?? 'MACHINE';
    const claims = Buffer.from(JSON.stringify({ appid: client })).toString('base64url');
    const body = {
      access_token: `e30.${claims}.x`,
      client_id: client,
      expires_in: '3600',
      expires_on: String(Math.floor(Date.now() / 1000) + 3600),
      not_before: '0',
      resource: query.get('resource'),
      token_type: 'Bearer',
      answeredBy: 'machine',
      peer: request.socket.remoteAddress,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  // Only rules may end a connection that is kept, however long the daemon takes to start.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(Number(port), address, resolve));
}
process.stdout.write('ready\n');
