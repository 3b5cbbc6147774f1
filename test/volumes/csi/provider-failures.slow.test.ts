/** The CSI provider by its own gRPC client: the identity that reads the vault, failures and stops. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AzimuthError } from '../../../runtime/base/errors.ts';
import { type ProviderServerDeps, serveProvider } from '../../../runtime/volumes/csi/server.ts';
import type { VolumeBench } from '../support.ts';
import { ProviderClient } from './client.ts';
import { listed, type ProviderWorld, secret, shown, startProviderWorld } from './provider-world.ts';

let provider: ProviderWorld;
let bench: VolumeBench;
let client: ProviderClient;

beforeAll(async () => {
  provider = await startProviderWorld();
  ({ bench, client } = provider);
});
beforeEach(() => provider.reset());
afterAll(() => provider?.close());

describe('the identity that reads the vault', () => {
  test('a machine identity, the system-assigned or the one that is named', async () => {
    const system = bench.azure.addIdentity({ systemAssigned: true });
    const user = bench.azure.addIdentity();
    const mount = (change: Record<string, string>) =>
      client.mount(provider.attributes(listed(secret('one')), { useVMManagedIdentity: 'true', ...change }));
    await expect(mount({})).rejects.toMatchObject({ code: 7 });
    bench.azure.assignRole(system.objectId, 'Key Vault Secrets User', bench.vaultId);
    bench.azure.assignRole(user.objectId, 'Key Vault Secrets User', bench.vaultId);
    expect(shown(await mount({}))).toEqual({ one: 'first' });
    expect(shown(await mount({ userAssignedIdentityID: user.clientId }))).toEqual({ one: 'first' });
  });

  test("the pod's identity, from the node daemon", async () => {
    const pod = { usePodIdentity: 'true' };
    expect(shown(await client.mount(provider.attributes(listed(secret('one')), pod)))).toEqual({ one: 'first' });
    const stranger = provider.attributes(listed(secret('one')), { ...pod, 'csi.storage.k8s.io/pod.name': 'stranger' });
    const refused = await client.refusal(stranger, { deadlineMs: 8000 });
    expect(refused.details).toMatch(/node daemon .*(404|within)/);
  });

  test("the pod's service account, by the token that kubelet hands over", async () => {
    const id = `${bench.vaultId.split('/providers/')[0]}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/workload`;
    const { properties } = (await bench.client.arm('PUT', id, '2023-01-31', { location: 'westus2' })).body;
    bench.azure.assignRole(properties.principalId, 'Key Vault Secrets User', bench.vaultId);
    const audiences = ['api://AzureADTokenExchange'];
    const token = await provider.kube.tokenFor({ namespace: 'default', name: 'default' }, { audiences });
    const account = {
      clientID: properties.clientId,
      'csi.storage.k8s.io/serviceAccount.tokens': JSON.stringify({ [audiences[0] ?? '']: { token } }),
    };
    const mount = provider.attributes(listed(secret('one')), account);
    const refused = await client.refusal(mount);
    expect(refused).toMatchObject({ code: 7, details: expect.stringMatching(/AADSTS70021/) });
    expect(refused.details + provider.logged).not.toContain(token);
    const subject = 'system:serviceaccount:default:default';
    await bench.client.arm('PUT', `${id}/federatedIdentityCredentials/default`, '2023-01-31', {
      properties: { issuer: provider.kube.issuerUrl, subject, audiences },
    });
    expect(shown(await client.mount(mount))).toEqual({ one: 'first' });
  });

  test('a pod that is not authenticated is refused before anything is asked', async () => {
    const place = join(bench.directory, 'policy.sock');
    const authenticate: ProviderServerDeps['authenticate'] = async ({ pod }) => {
      throw new AzimuthError('AZ_VOLUME_REFUSED', `no pod of this node has the uid ${pod.uid}`);
    };
    const second = await serveProvider({ ...provider.options(), socket: place, authenticate });
    const other = new ProviderClient(place);
    bench.azure.journal.clear();
    expect(await other.refusal(provider.attributes(listed(secret('one'))), provider.principal())).toEqual({
      code: 7,
      details: expect.stringMatching(/^AZ_VOLUME_REFUSED: no pod of this node has the uid [0-9a-f-]{36}$/),
    });
    expect(bench.azure.journal.entries()).toEqual([]);
    other.close();
    await second.close();
  });
});

describe('when something fails', () => {
  test.each([
    ['429', { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'Throttled', message: 'm' } } }],
    ['503', { status: 503, body: 'unavailable' }],
    ['a cut connection', { connection: 'drop' as const }],
  ])('it goes on after %s', async (_, fault) => {
    bench.azure.faults.add({ service: 'vault', times: 1, ...fault });
    expect(shown(await client.mount(provider.attributes(listed(secret('one'))), provider.principal()))).toEqual({
      one: 'first',
    });
  });

  test('an object that is not there is named, with what it was asked for as', async () => {
    expect(await client.refusal(provider.attributes(listed(secret('absent'))), provider.principal())).toEqual({
      code: 5,
      details: expect.stringMatching(
        /^AZ_KEYVAULT_REFUSED: failed to get objectType:secret, objectName:absent, objectVersion:: .*404 SecretNotFound/,
      ),
    });
    expect(provider.logged).toMatch(/"pod":"p".*objectName:absent/);
  });

  test('a request of more than 512 KiB is refused before it is read', async () => {
    const unread = await client.refusal('x'.repeat(512 * 1024));
    expect(unread).toMatchObject({ code: 8, details: expect.stringMatching(/larger than max/) });
    expect(await client.refusal('x'.repeat(511 * 1024))).toMatchObject({ code: 3 });
  });

  test('no refusal contains a secret', async () => {
    const wrong = 'a very/wrong+secret';
    const refused = await client.refusal(provider.attributes(listed(secret('one'))), {
      secrets: { clientid: bench.app.clientId, clientsecret: wrong },
    });
    expect(refused).toMatchObject({ code: 7, details: expect.stringMatching(/AADSTS7000215/) });
    for (const text of [wrong, encodeURIComponent(wrong)])
      expect(refused.details + provider.logged).not.toContain(text);
    expect(provider.logged).not.toContain(bench.app.secret);
  });

  test('the reason arrives before the deadline of the caller', async () => {
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const refused = await client.refusal(provider.attributes(listed(secret('one'))), {
      ...provider.principal(),
      deadlineMs: 8000,
    });
    expect(refused).toMatchObject({ code: 4, details: expect.stringMatching(/not there within \d s/) });
  });

  test('a stop waits for calls under way', async () => {
    const place = join(bench.directory, 'stopping.sock');
    const answers: string[] = [];
    const second = await serveProvider({
      ...provider.options(),
      socket: place,
      onAnswer: (result) => answers.push(result),
    });
    const other = new ProviderClient(place);
    const body = { error: { code: 'Throttled', message: 'm' } };
    bench.azure.faults.add({ service: 'vault', times: 1, status: 429, headers: { 'retry-after': '1' }, body });
    const pending = other.mount(provider.attributes(listed(secret('one'))), provider.principal());
    await bench.faultsHit();
    await second.close(60_000);
    expect(answers).toEqual(['mounted']);
    expect(shown(await pending)).toEqual({ one: 'first' });
    other.close();
  });

  test('a stop ends calls that take longer than its grace, with the reason', async () => {
    const place = join(bench.directory, 'stopped.sock');
    const second = await serveProvider({ ...provider.options(), socket: place });
    const other = new ProviderClient(place);
    bench.azure.faults.add({ service: 'vault', connection: 'hang', times: 0 });
    const pending = other.refusal(provider.attributes(listed(secret('one'))), provider.principal());
    await bench.faultsHit();
    await second.close(50);
    expect(await pending).toEqual({ code: 4, details: expect.stringMatching(/is being stopped; it is tried again/) });
    expect(existsSync(place)).toBe(false);
    other.close();
  });

  test('a hundred mounts at once are all answered', async () => {
    const objects = provider.attributes(listed(secret('one'), { objectName: 'web', objectType: 'cert' }));
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.mount(objects, provider.principal())));
    for (const answer of answers) expect(answer.files).toHaveLength(2);
  });
});
