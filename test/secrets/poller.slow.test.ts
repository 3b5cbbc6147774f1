/** The poller of the guide as a process, against a running endpoint and the metadata endpoint of the sandbox. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverCertificate } from '../fakes/certificates.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { audience, EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

const script = join(import.meta.dirname, '../../docs/guides/machines-that-poll/azimuth-secret.sh');
const run = promisify(execFile);
let world: EndpointWorld;
let replica: Replica;
let machine: Identity;

beforeAll(async () => {
  world = await EndpointWorld.start();
  machine = await world.identity('machine');
  replica = await world.replica();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function poll(file: string, change: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    AZIMUTH_URL: `https://127.0.0.1:${await replica.endpoint.listening}/v1/secrets/shop/key`,
    AZIMUTH_AUDIENCE: audience,
    AZIMUTH_FILE: file,
    AZIMUTH_CA: world.directory.write('ca.pem', serverCertificate().ca),
    AZIMUTH_CLIENT_ID: machine.clientId,
    AZIMUTH_IMDS: world.azure.endpoints.imds,
    AZIMUTH_WAIT: '0',
    AZIMUTH_ONCE: '1',
    ...change,
  };
  return await run('sh', [script], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test('the poller writes the value for its user alone, leaves it while it is current, and gets a renewal', async () => {
  const file = join(world.directory.path, 'value');
  const object = await world.secret('shop', 'key', { consumers: [{ objectId: machine.objectId }] });
  const first = 'first "value" with \\ and $HOME\nand a second line';
  await world.write(object, 1, first);
  await eventually('the endpoint has it', async () => {
    await pass(world.clock, 1000, 1000);
    return world.azure !== undefined && replica.endpoint.held.ages().length === 1;
  });
  const hook = { AZIMUTH_HOOK: `echo changed >> ${world.directory.path}/hook` };
  expect(await poll(file, hook)).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { mtimeMs } = statSync(file);

  expect(await poll(file, hook)).toMatchObject({ code: 0, stdout: '' });
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(readFileSync(`${world.directory.path}/hook`, 'utf8')).toBe('changed\n');

  await world.write(object, 2, 'second');
  await eventually('the file has the renewal', async () => {
    await pass(world.clock, 30_000, 10_000);
    await poll(file, hook);
    return readFileSync(file, 'utf8') === 'second';
  });
  expect(existsSync(`${file}.new`)).toBe(false);
});

test('without a right, and with a certificate of another authority, the file stays as it is', async () => {
  const file = join(world.directory.path, 'refused');
  const stranger = await world.identity('stranger');
  const refused = await poll(file, { AZIMUTH_CLIENT_ID: stranger.clientId });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('answered 403 not_a_consumer');
  const other = world.directory.write('other.pem', readFileSync(world.azure.caFile, 'utf8'));
  expect((await poll(file, { AZIMUTH_CA: other })).code).toBe(1);
  expect(existsSync(file)).toBe(false);
});
