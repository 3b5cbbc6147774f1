import { createVerify, X509Certificate } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import forge from 'node-forge';
import { get, instances, machine, machineId, scaleSet, setId, version, write } from '../arm/compute/machines.ts';
import { azure, client, clock, provider } from '../arm/world.ts';

const initial = { ...azure.imds };
const own = 'api://00000000-0000-4000-8000-00000000000a';
const arm = 'https://management.azure.com/';

afterEach(() => {
  Object.assign(azure.imds, initial);
});

const ask = async (path: string) =>
  client.send('GET', `${azure.endpoints.imds}/metadata/${path}`, { headers: { metadata: 'true' } });

async function claims(resource: string, clientId?: string) {
  const query = `api-version=2018-02-01&resource=${encodeURIComponent(resource)}${clientId ? `&client_id=${clientId}` : ''}`;
  return decodeJwt((await ask(`identity/oauth2/token?${query}`)).body.access_token);
}

async function identity(): Promise<{ id: string; clientId: string }> {
  const id = provider('Microsoft.ManagedIdentity/userAssignedIdentities/web');
  const { body } = await client.arm('PUT', id, '2023-01-31', { location: 'westus2' });
  return { id: body.id, clientId: body.properties.clientId };
}

test('only a token for a service of Microsoft says which resource an identity belongs to', async () => {
  const { id, clientId } = await identity();
  const body = {
    ...machine(),
    identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [id]: {} } },
  };
  await write('PUT', machineId(), body);
  const { principalId } = (await get(machineId())).identity;
  azure.imds.identities = { machine: machineId() };
  const system = await claims(arm);
  expect(system).toMatchObject({ oid: principalId, xms_mirid: machineId() });
  expect(system['xms_az_rid']).toBeUndefined();
  expect(await claims(arm, clientId)).toMatchObject({ xms_mirid: id, xms_az_rid: machineId() });
  expect(await claims('https://vault.azure.net', clientId)).toMatchObject({ xms_mirid: id });
  for (const named of [undefined, clientId]) {
    const foreign = await claims(own, named);
    expect(foreign['aud']).toBe(own);
    expect([foreign['xms_mirid'], foreign['xms_az_rid']]).toEqual([undefined, undefined]);
  }
  expect((await claims(own))['oid']).toBe(principalId);
});

test('instances of a Uniform set have the identity of their set', async () => {
  await write('PUT', setId(), { ...scaleSet(2), identity: { type: 'SystemAssigned' } });
  azure.imds.identities = { machine: `${setId()}/virtualMachines/1` };
  expect(await claims(arm)).toMatchObject({ oid: (await get(setId())).identity.principalId, xms_mirid: setId() });
});

test('a role may be given to the identity of a machine', async () => {
  await write('PUT', machineId(), { ...machine(), identity: { type: 'SystemAssigned' } });
  const { principalId } = (await get(machineId())).identity;
  const id = provider('Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffef1');
  const role = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`;
  const answer = await client.arm('PUT', id, '2022-04-01', { properties: { principalId, roleDefinitionId: role } });
  expect(answer.status).toBe(201);
});

/** Takes an attested document apart, and verifies its signature. */
function opened(signature: string) {
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(forge.util.decode64(signature)));
  // biome-ignore lint/suspicious/noExplicitAny: forge's own capture has no type
  const { rawCapture: raw, certificates } = message as any;
  const attributes = forge.asn1.create(
    forge.asn1.Class.UNIVERSAL,
    forge.asn1.Type.SET,
    true,
    raw.authenticatedAttributes,
  );
  const certificate = new X509Certificate(forge.pki.certificateToPem(certificates[0]));
  const verify = createVerify('sha256').update(Buffer.from(forge.asn1.toDer(attributes).getBytes(), 'binary'));
  const content = raw.content.value[0].value as string | { value: string }[];
  const text = typeof content === 'string' ? content : content.map(({ value }) => value).join('');
  const digest = forge.md.sha256.create().update(text).digest().getBytes();
  return {
    certificate,
    signed: verify.verify(certificate.publicKey, Buffer.from(raw.signature, 'binary')),
    complete: forge.asn1.toDer(attributes).getBytes().includes(digest),
    content: JSON.parse(text),
  };
}

test('an attested document is signed under the CA of the sandbox, and has the nonce, the dates and the instance', async () => {
  await write('PUT', setId(), scaleSet(2));
  expect(await instances()).toHaveLength(2);
  const seen: string[] = [];
  for (const number of [0, 1]) {
    const machineOf = `${setId()}/virtualMachines/${number}`;
    azure.imds.identities = { machine: machineOf };
    const { status, body } = await ask('attested/document?api-version=2021-02-01&nonce=1234567890');
    expect([status, body.encoding]).toEqual([200, 'pkcs7']);
    const { certificate, signed, complete, content } = opened(body.signature);
    expect([signed, complete, certificate.checkHost('metadata.azure.com')]).toEqual([true, true, 'metadata.azure.com']);
    expect(certificate.checkIssued(new X509Certificate(azure.caPem))).toBe(true);
    const { vmId } = (await client.arm('GET', machineOf, version)).body.properties;
    expect(content).toMatchObject({ nonce: '1234567890', vmId, subscriptionId: azure.subscriptionId });
    const seconds = (text: string) => Date.parse(`${text.slice(0, 6)}20${text.slice(6)}`) / 1000;
    const { createdOn, expiresOn } = content.timeStamp;
    expect([seconds(createdOn), seconds(expiresOn) - seconds(createdOn)]).toEqual([
      Math.floor(clock.now() / 1000),
      21_600,
    ]);
    seen.push(content.vmId);
  }
  expect(new Set(seen).size).toBe(2);
});

test('an attested document needs a version, has the time as nonce without one, and can have another signer', async () => {
  expect((await ask('attested/document')).status).toBe(400);
  expect((await ask('attested/document?api-version=2021-02-01&nonce=12345678901')).status).toBe(400);
  azure.imds.attestedName = 'metadata.example.com';
  const { body } = await ask('attested/document?api-version=2021-02-01');
  const { certificate, content } = opened(body.signature);
  expect(certificate.checkHost('metadata.azure.com')).toBeUndefined();
  expect(content.nonce).toBe(content.timeStamp.createdOn);
});
