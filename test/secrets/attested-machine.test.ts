import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { documentHeader } from '../../runtime/secrets/http/secret-server.ts';
import { eventually } from '../fakes/eventually.ts';
import { pass } from '../fakes/kube-objects.ts';
import { EndpointWorld, type Identity, type Replica } from './endpoint-world.ts';

let world: EndpointWorld;
let replica: Replica;
let identity: Identity;
const path = '/v1/secrets/shop/proved';

beforeAll(async () => {
  world = await EndpointWorld.start();
  identity = await world.identity('shared');
  replica = await world.replica([`--attestation-root=${world.azure.caFile}`]);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function machine(name: string): Promise<string> {
  const armId = `${world.group}/providers/Microsoft.Compute/virtualMachines/${name}`;
  const userAssignedIdentities = { [identity.armId]: {} };
  const body = { location: 'westus2', identity: { type: 'UserAssigned', userAssignedIdentities }, properties: {} };
  await world.rest.arm('PUT', armId, '2024-07-01', body);
  return armId;
}

/** What the metadata endpoint of this machine signs. */
async function documentOf(armId: string, nonce: string): Promise<string> {
  world.azure.imds.identities = { machine: armId };
  const imds = createDispatcher({ proxy: 'none' });
  const { body } = await imds.request({
    origin: world.azure.endpoints.imds,
    path: `/metadata/attested/document?api-version=2021-02-01&nonce=${nonce}`,
    headers: { metadata: 'true' },
  });
  const { signature } = JSON.parse(await body.text()) as { signature: string };
  await imds.close();
  return signature;
}

test('of two machines with one identity only the consumer gets the secret, by an attested document with our nonce', async () => {
  const [first, second] = [await machine('vm1'), await machine('vm2')];
  const consumers = [{ machine: { armId: first }, attested: true }];
  await world.write(await world.secret('shop', 'proved', { consumers }), 1, 'mine');
  const headers = { authorization: `Bearer ${await world.token(identity)}` };
  const ask = async (armId?: string) => {
    const { nonce } = (await replica.get('/v1/nonce', headers, 'POST')).body as { nonce: string };
    const document: Record<string, string> =
      armId === undefined ? {} : { [documentHeader]: await documentOf(armId, nonce) };
    return await replica.get(path, { ...headers, ...document });
  };
  await eventually('the machine is known', async () => {
    await pass(world.clock, 20_000, 20_000);
    return (await ask()).body.error.code === 'attestation_missing';
  });
  expect((await ask(second)).body.error.code).toBe('attestation_machine');
  expect((await ask(first)).body).toMatchObject({ value: 'mine' });
  const replayed = await documentOf(first, '0123456789');
  const answer = await replica.get(path, { ...headers, [documentHeader]: replayed });
  expect(answer.body.error.code).toBe('attestation_nonce');
  expect(replica.lines.some((line) => line.includes('"vmId"') && line.includes('secret served'))).toBe(true);
});

test('of two replicas the second accepts a nonce of the first, and each accepts a document once', async () => {
  const other = await world.replica([`--attestation-root=${world.azure.caFile}`]);
  const first = await machine('vm1');
  const headers = { authorization: `Bearer ${await world.token(identity)}` };
  const { nonce } = (await replica.get('/v1/nonce', headers, 'POST')).body as { nonce: string };
  const proof = { ...headers, [documentHeader]: await documentOf(first, nonce) };
  await eventually('the second replica knows the machine', async () => {
    await pass(world.clock, 20_000, 20_000);
    return (await other.get(path, headers)).body.error.code === 'attestation_missing';
  });
  const codes = [];
  for (const each of [other, other, replica, replica]) codes.push((await each.get(path, proof)).status);
  expect(codes).toEqual([200, 403, 200, 403]);
  await other.stop();
});
