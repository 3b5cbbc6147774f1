import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../../runtime/base/version.ts';
import { type AgentHarness, putPod, startAgent } from '../agent/harness.ts';
import { startVolumeBench, type VolumeBench, vaultName } from '../support.ts';
import { ProviderClient } from './client.ts';

/** The provider as part of the node agent, which authenticates pods here too. */
let bench: VolumeBench;
let agent: AgentHarness;
let client: ProviderClient;
const socket = () => join(bench.directory, 'providers', 'azure.sock');

beforeAll(async () => {
  bench = await startVolumeBench();
  await bench.write({ secrets: [{ name: 'one', value: 'first' }] });
  bench.settings({ deadlineSeconds: 12, machineIdentities: ['system'] });
  agent = await startAgent(bench, { args: [`--csi-socket=${socket()}`, '--nmi-socket=/nowhere/nmi.sock'] });
  client = new ProviderClient(socket());
});
afterAll(async () => {
  client?.close();
  await agent?.[Symbol.asyncDispose]();
  await bench?.[Symbol.asyncDispose]();
});

const attributes = (change: Record<string, string> = {}) => ({
  keyvaultName: vaultName,
  tenantId: bench.azure.tenantId,
  objects: 'array:\n- |\n  objectName: one\n  objectType: secret\n',
  'csi.storage.k8s.io/pod.name': 'web-0',
  'csi.storage.k8s.io/pod.namespace': 'shop',
  'csi.storage.k8s.io/pod.uid': 'nobody',
  ...change,
});

test('it reports the version of the program, and counts its volumes with the others', async () => {
  expect(await client.version()).toMatchObject({ runtime_version: version });
  const secrets = { clientid: bench.app.clientId, clientsecret: bench.app.secret };
  const { files } = await client.mount(attributes(), { secrets });
  expect(files.map(({ path, contents }) => [path, contents.toString()])).toEqual([['one', 'first']]);
  await client.refusal(attributes());
  const metrics = await agent.metrics();
  expect(metrics).toMatch(/azimuth_volumes_mounts_total\{result="mounted"\} 1\n/);
  expect(metrics).toMatch(/azimuth_volumes_mounts_total\{result="failed"\} 1\n/);
  expect(JSON.stringify(agent.log)).not.toContain(bench.app.secret);
});

test('who acts as a pod must be one that the API server has on this node', async () => {
  const pod = { usePodIdentity: 'true' };
  expect(await client.refusal(attributes(pod))).toMatchObject({
    code: 7,
    details: expect.stringMatching(/AZ_VOLUME_REFUSED: .*no pod of this node has the uid nobody/),
  });
  const { metadata } = await putPod(agent.kube);
  const uid = { 'csi.storage.k8s.io/pod.uid': metadata.uid ?? '' };
  expect(await client.refusal(attributes({ ...pod, ...uid, 'csi.storage.k8s.io/pod.name': 'web-1' }))).toMatchObject({
    code: 7,
    details: expect.stringMatching(/AZ_VOLUME_REFUSED: .*it is shop\/web-0/),
  });
  // It is authenticated; no node daemon serves that socket.
  expect(await client.refusal(attributes({ ...pod, ...uid }))).toMatchObject({
    code: 4,
    details: expect.stringMatching(/AZ_AUTH_UNREACHABLE: .*node daemon .* at \/nowhere\/nmi.sock/),
  });
});

test('a file that a pod can write decides nothing about where tokens go, and is not even opened', async () => {
  const pipe = join(bench.directory, 'cloud.json');
  // Opening it would wait for a writer, and the whole agent with it.
  execFileSync('mkfifo', [pipe]);
  const stack = { cloudName: 'AzureStackCloud', cloudEnvFileName: pipe, useVMManagedIdentity: 'true' };
  expect(await client.refusal(attributes(stack))).toMatchObject({
    code: 3,
    details: expect.stringMatching(/cloudEnvFileName .* is not the file of the node's own settings/),
  });
});

test('identities of the machine are those that the node lets volumes use', async () => {
  const other = { useVMManagedIdentity: 'true', userAssignedIdentityID: '6f0e9c1a-0000-4000-8000-00000000abcd' };
  expect(await client.refusal(attributes(other))).toMatchObject({
    code: 7,
    details: expect.stringMatching(/AZ_VOLUME_REFUSED: .*machineIdentities/),
  });
});

test('it ends with the agent', async () => {
  await agent.stop();
  expect(existsSync(socket())).toBe(false);
});
