import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { podsType } from '../../../runtime/volumes/agent/pods.ts';
import { eventually } from '../../fakes/eventually.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { type AgentHarness, socketOf, startAgent } from './harness.ts';

const secretsType: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
let bench: VolumeBench;
let agent: AgentHarness | undefined;
const volumes = new Set<string>();

beforeAll(async () => {
  bench = await startVolumeBench();
  bench.settings({ agentSocket: socketOf(bench) });
});
afterEach(async () => {
  for (const directory of volumes) await bench.kv('unmount', directory);
  volumes.clear();
  await agent?.stop();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const putSecret = async (kube: LocalKube, app: { clientId: string; secret: string }, type = 'azure/kv') => {
  const key = { namespace: 'shop', name: 'kvcreds' };
  await kube.delete(secretsType, key).catch(() => undefined);
  const data = { clientid: base64(app.clientId), clientsecret: base64(app.secret) };
  await kube.create(secretsType, { apiVersion: 'v1', kind: 'Secret', metadata: key, type, data });
};
let count = 0;
const write = (name: string, value: string) => bench.write({ secrets: [{ name, value }] });

/** A pod with a volume that was mounted as an app of its own, whose secret is then replaced in AAD. */
async function refused({
  args = ['--renewable-secrets=shop/kvcreds'],
  secretRef = { name: 'kvcreds' } as object | null,
}) {
  const kube = new LocalKube();
  const app = bench.azure.registerApp();
  bench.azure.assignRole(app.objectId, 'Key Vault Secrets User', bench.vaultId);
  await putSecret(kube, app);
  const options = { kube, args, refresh: { intervalMs: 400 } };
  agent = await startAgent(bench, options);
  const volume = `v${count++}`;
  const flexVolume = { driver: 'azure/kv', ...(secretRef && { secretRef }) };
  const pod: KubeObject = await kube.create(podsType, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop' },
    spec: {
      nodeName: 'n1',
      volumes: [
        { name: 'other', emptyDir: {} },
        { name: volume, flexVolume },
      ],
    },
  });
  const object = `object-${count}`;
  await write(object, 'first');
  const directory = bench.volume(volume, pod.metadata.uid);
  volumes.add(directory);
  const document = bench.options({
    keyvaultobjectnames: object,
    keyvaultobjecttypes: 'secret',
    'kubernetes.io/pod.uid': pod.metadata.uid,
    'kubernetes.io/secret/clientid': base64(app.clientId),
    'kubernetes.io/secret/clientsecret': base64(app.secret),
    refresh: 'true',
  });
  expect(await bench.kv('mount', directory, document)).toMatchObject({ code: 0 });
  const renewed = bench.azure.registerApp({ clientId: app.clientId, objectId: app.objectId });
  expect(renewed.secret).not.toBe(app.secret);
  // Tokens that it has kept are of the old secret.
  await agent.stop();
  agent = await startAgent(bench, options);
  await write(object, 'second');
  return { kube, app, renewed, directory, object };
}
const notes = (reason: string) =>
  (agent?.events() ?? []).filter((event) => event['reason'] === reason).map((event) => String(event['note']));
const reported = (reason: string, text: RegExp) =>
  eventually(`there is ${reason} with ${text}`, () => notes(reason).some((note) => text.test(note)));

(canMount ? describe : describe.skip)('a service principal that Microsoft Entra ID refuses', () => {
  test('is read from its Secret again, where the agent may read that, and no event or log has its value', async () => {
    const { kube, renewed, directory, object } = await refused({});
    await reported(
      'VaultRefreshFailed',
      /AADSTS7000215.*; renew the Secret shop\/kvcreds: it has no other credential yet$/,
    );
    expect(filesOf(directory)).toEqual({ [object]: 'first' });
    await putSecret(kube, renewed);
    await eventually('it is renewed', () => filesOf(directory)[object] === 'second');
    await reported(
      'VaultCredentialRenewed',
      /^The volume uses the service principal that the Secret shop\/kvcreds has now$/,
    );
    expect(JSON.stringify([agent?.events(), agent?.log])).not.toContain(renewed.secret);
    // It is what the next agent finds.
    await agent?.stop();
    agent = await startAgent(bench, { kube, refresh: { intervalMs: 400 } });
    await write(object, 'third');
    await eventually('it goes on', () => filesOf(directory)[object] === 'third');
  });

  test.each([
    [
      'a Secret that no agent may read is not read',
      { args: [] },
      /renew the Secret shop\/kvcreds and restart the pod, or let the agents read it \(renewableSecrets\)$/,
    ],
    [
      'another one that may be read is of no use',
      { args: ['--renewable-secrets=shop/other,other/kvcreds'] },
      /or let the agents read it/,
    ],
    [
      'a volume without a Secret of its pod needs a restart',
      { secretRef: null },
      /; renew its Secret and restart the pod, which hands the new one over$/,
    ],
  ])('%s, and the event says what to do', async (_, change, advice) => {
    const { kube, renewed, directory, object } = await refused(change);
    await putSecret(kube, renewed);
    await reported('VaultRefreshFailed', advice);
    expect(notes('VaultCredentialRenewed')).toEqual([]);
    expect(filesOf(directory)).toEqual({ [object]: 'first' });
    expect(kube.requests.filter(({ verb, resource }) => verb === 'get' && /secrets/.test(resource))).toEqual([]);
  });

  test('a Secret of another type is not taken, as kubelet would not take it', async () => {
    const { kube, renewed, directory, object } = await refused({});
    await putSecret(kube, renewed, 'Opaque');
    await reported('VaultRefreshFailed', /; the Secret shop\/kvcreds is not of the type azure\/kv$/);
    await kube.delete(secretsType, { namespace: 'shop', name: 'kvcreds' });
    // The event of before counts on; the log has each.
    const gone = /; the Secret shop\/kvcreds cannot be read \(.*NotFound.*\); renew its Secret/i;
    await eventually('that is reported', () => gone.test(JSON.stringify(agent?.log)));
    expect(filesOf(directory)).toEqual({ [object]: 'first' });
  });
});
