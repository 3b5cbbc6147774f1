import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tagsOf, vaultSecretName } from '../../runtime/compute/managed-secrets/vault-tags.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { secretsConfig } from '../../runtime/secrets/config.ts';
import { approvalWatch } from '../../runtime/secrets/secrets/feature-gates.ts';
import { issueCertificate } from '../fakes/certificates.ts';
import { eventually } from '../fakes/eventually.ts';
import { EndpointWorld, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let replica: Replica;
let object: KubeObject;

beforeAll(async () => {
  world = await EndpointWorld.start();
  object = await world.secret('azimuth-system', 'endpoint', { kind: 'Certificate' });
  replica = await world.replica(['--tls-managed-secret=azimuth-system/endpoint']);
});
afterAll(async () => world[Symbol.asyncDispose]());

/** Lets the endpoint read its vaults. */
async function pass(): Promise<void> {
  await world.clock.advance(15_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Writes a version as the operator does; returns the serial number of the certificate. */
async function renew(number: number): Promise<string> {
  const owner = { namespace: 'azimuth-system', name: 'endpoint', uid: object.metadata.uid ?? '' };
  const { cert, key } = issueCertificate({ commonName: 'localhost', ca: true });
  const tags = tagsOf(owner, { number, hash: `0123456789abcde${number}`, created: world.clock.now() });
  await world.vault('kvhome').importCertificate(vaultSecretName(owner), { value: `${key}${cert}`, tags });
  return new X509Certificate(cert).serialNumber;
}

/** The serial number of the certificate that a new connection gets. */
async function served(): Promise<string | undefined> {
  const port = await replica.endpoint.listening;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      resolve(serialNumber);
    });
    socket.on('error', () => resolve(undefined));
  });
}

test('the endpoint waits for the first version of its ManagedSecret, and says for what it waits', async () => {
  await eventually('it says so', async () => {
    await pass();
    return /\[-\]certificate failed: the ManagedSecret azimuth-system\/endpoint .* no secret/.test(
      await replica.ready(),
    );
  });
});

test('it serves with the certificate of the vault, and takes a renewal without a restart', async () => {
  const first = await renew(1);
  await eventually('it is ready', async () => {
    await pass();
    return (await replica.ready()).endsWith('\nok\n');
  });
  expect(await served()).toBe(first);
  const second = await renew(2);
  await eventually('it has the renewal', async () => {
    await pass();
    return (await served()) === second;
  });
});

test('nobody gets that ManagedSecret, which has no consumers', async () => {
  const machine = await world.identity('machine');
  const port = await replica.endpoint.listening;
  const token = await world.token(machine);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const lines = ['GET /v1/secrets/azimuth-system/endpoint HTTP/1.1', 'host: x', 'connection: close'];
      socket.write(`${[...lines, `authorization: Bearer ${token}`].join('\r\n')}\r\n\r\n`);
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*"not_a_consumer"/);
});

test('a renewal waits while managed secrets are not approved, and the certificate in use stays', async () => {
  const before = await served();
  await world.kube.delete(approvalWatch.type, { name: 'approved-0' });
  const third = await renew(3);
  for (let round = 0; round < 10; round++) await pass();
  expect(await served()).toBe(before);
  await world.consent('again', { for: { name: 'approved-0' } });
  await eventually('it has the renewal', async () => {
    await pass();
    return (await served()) === third;
  });
});

test.each(['endpoint', 'a/b/c', '/x', 'A/b'])('--tls-managed-secret=%s is refused', (value) => {
  const given = ['--tenant=11111111-1111-1111-1111-111111111111', '--audience=x', `--tls-managed-secret=${value}`];
  expect(() => secretsConfig(given, {})).toThrow('a ManagedSecret as namespace/name');
});
