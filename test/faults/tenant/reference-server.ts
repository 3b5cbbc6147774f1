/**
 * A process that has nothing to do with either tenant: each request takes it a few milliseconds of a processor. What it
 * answers later during the attacks is what the machine lacks, and no program's doing.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const block = Buffer.alloc(65_536, 'reference');

const server = createServer((_, response) => {
  let digest = block;
  for (let round = 0; round < 64; round++) digest = createHash('sha256').update(block).update(digest).digest();
  response.end(digest.toString('hex'));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
