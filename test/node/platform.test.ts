/** The programs as the constructs deploy them: pods of a real kubelet, under their service accounts and security contexts. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App } from 'cdk8s';
import { Platform } from '../../constructs/platform.ts';
import { imageContent } from '../../tools/clusters/dockerfile.ts';
import { importPodImage } from '../../tools/clusters/pod-image.ts';
import { kubectl, tryKubectl } from '../cluster/kubectl.ts';
import { eventually } from '../fakes/eventually.ts';
import { startVolumeBench, type VolumeBench, vaultName } from '../volumes/support.ts';
import { apply } from './node-bench.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
type Any = any;

const run = process.env['KUBE_RUN'] ?? '';
const pluginDirectory = join(run, 'flexvolume');
const namespace = 'platform';
const programs = [
  ['azimuth-system', 'deployment/azimuth-operator'],
  ['azimuth-system', 'deployment/azimuth-identity'],
  ['azimuth-system-nodes', 'daemonset/azimuth-nmi'],
  ['azimuth-system-nodes', 'daemonset/azimuth-volumes'],
] as const;
const limitMs = 120_000;
const inMegabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
const value = randomBytes(30).toString('hex');

let bench: VolumeBench;
let objects: Any[] = [];
let machine: string;
/** Bytes of the images. */
const sizes = { programs: 0, node: 0 };

beforeAll(async () => {
  // A node keeps its provider id, and so the subscription in it, for as long as it is registered.
  bench = await startVolumeBench({ subscriptionIds: ['5b0f3c1e-7d0a-4c56-9c1f-2f1f5f0d9a11'] });
  const { azure, client } = bench;
  const into = { work: bench.directory, kubeRun: run };
  sizes.programs = await importPodImage('localhost/azimuth:test', 'programs', into);
  sizes.node = await importPodImage('localhost/azimuth-node:test', 'node', into);

  machine = `/subscriptions/${azure.subscriptionId}/resourceGroups/volumes/providers/Microsoft.Compute/virtualMachines/n`;
  await client.arm('PUT', machine, '2019-12-01', { location: 'westus2', identity: { type: 'None' }, properties: {} });
  azure.imds.identities = { machine };
  const node = (await kubectl(['get', 'nodes', '-o', 'name'])).trim();
  await kubectl(['patch', node, '--patch', JSON.stringify({ spec: { providerID: `azure://${machine}` } })]);

  objects = await synthesized();
  await apply({
    apiVersion: 'v1',
    kind: 'List',
    items: objects.filter(({ kind }) => /^(Namespace|Custom)/.test(kind)),
  });
  await kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=60s',
    'crd',
    '-l',
    'app.kubernetes.io/name=azimuth',
  ]);
  for (const name of ['operator', 'identity']) {
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'azimuth-system', name: `azimuth-${name}-settings` },
      stringData: azure.env(),
    });
  }
  await apply({ apiVersion: 'v1', kind: 'List', items: objects });
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
}, 400_000);

afterAll(async () => {
  const gone = ['--ignore-not-found', '--timeout=120s'];
  await tryKubectl(['delete', 'namespace', namespace, ...gone]);
  await tryKubectl(['-n', 'azimuth-system-nodes', 'delete', 'daemonset', '--all', ...gone]);
  await tryKubectl(['delete', 'namespace', 'azimuth-system-nodes', 'azimuth-system', ...gone]);
  spawnSync('node', ['runtime/cli/azimuth.ts', 'nmi', '--cleanup']);
  spawnSync('node', ['runtime/cli/azimuth.ts', 'flexvolume', 'remove', '--target-dir', pluginDirectory]);
  await bench?.[Symbol.asyncDispose]();
}, 400_000);

/**
 * What the constructs make, and two things that this node asks for: the embedded Azure listens on the machine's own loopback,
 * so that all programs share the machine's network, one pod each; and they must trust its certificates. Pod Security, which
 * API servers enforce since 1.23, allows neither below `privileged`.
 */
async function synthesized(): Promise<Any[]> {
  const { azure } = bench;
  const cloud = Object.fromEntries(Object.entries(azure.env()).filter(([name]) => !/TENANT|CLIENT|SUBSC/.test(name)));
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const app = new App();
  new Platform(app, 'azimuth', {
    version: '0.0.0',
    image: 'localhost/azimuth:test',
    nodeImage: 'localhost/azimuth-node:test',
    kinds: 'resources.azure.com/*;managedidentity.azure.com/*',
    kubernetesVersion: `${major}.${minor}`,
    podIdentity: { node: { env: cloud, args: [`--imds-endpoint=${azure.endpoints.imds}`] } },
    keyVaultVolumes: {
      pluginDirectory,
      kubeletDirectory: join(run, 'kubelet'),
      settings: { environment: cloud, logFile: bench.logFile, stateDirectory: bench.stateDirectory },
      env: { ...cloud, ...imageContent('node').env },
    },
  });
  return app.charts
    .flatMap((chart) => chart.toJson())
    .map((object: Any) => {
      const pod = object.spec?.template?.spec;
      if (object.kind === 'Namespace') object.metadata.labels['pod-security.kubernetes.io/enforce'] = 'privileged';
      if (!pod) return object;
      if (object.kind === 'Deployment') Object.assign(object.spec, { replicas: 1, strategy: { type: 'Recreate' } });
      pod.hostNetwork = true;
      pod.volumes.push({ name: 'azure-ca', hostPath: { path: azure.caFile, type: 'File' } });
      pod.containers[0].volumeMounts.push({ name: 'azure-ca', mountPath: azure.caFile, readOnly: true });
      return object;
    });
}

test('the image of the programs is smaller by the tools of the node and the driver', () => {
  process.stderr.write(`images: programs ${inMegabytes(sizes.programs)}, node ${inMegabytes(sizes.node)}\n`);
  expect(sizes.programs).toBeGreaterThan(0);
  expect(sizes.node - sizes.programs).toBeGreaterThan(10_000_000);
});

test('every program becomes ready and stays so', async () => {
  for (const [where, what] of programs) {
    await kubectl(['-n', where, 'rollout', 'status', what, '--timeout=120s']).catch(async (error: Error) => {
      const description = await kubectl(['-n', where, 'describe', 'pods']);
      const logs = await tryKubectl(['-n', where, 'logs', what, '--tail=30']);
      throw new Error(`${error.message}\n${description}\n${logs.stdout}`);
    });
  }
  expect(await restarts()).toEqual([0, 0, 0, 0]);
});

test('the operator makes what is applied, and takes it away', async () => {
  await apply({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { namespace, name: 'made-in-a-pod' },
    spec: { location: 'westeurope' },
  });
  const group = ['-n', namespace, '--timeout=120s', 'resourcegroup/made-in-a-pod'];
  await kubectl(['wait', '--for=condition=Ready', ...group]);
  const id = `/subscriptions/${bench.azure.subscriptionId}/resourceGroups/made-in-a-pod`;
  expect((await bench.client.arm('GET', id, '2021-04-01')).status).toBe(200);
  await kubectl(['delete', ...group]);
  expect((await bench.client.arm('GET', id, '2021-04-01')).status).toBe(404);
});

test('a pod has no token of the machine, and one of its own identity as soon as a binding gives it one', async () => {
  await pod('stranger', {});
  expect((await token('stranger')).text).toMatch(/^HTTP\/1.1 400 /);
  await pod('caller', { labels: { aadpodidbinding: 'reader' } });
  await bindReader();
  const answer = await servedToken('caller');
  const [, payload = ''] = JSON.parse(answer.text).access_token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  expect(claims.aud).toBe('https://management.azure.com/');
  const { body } = await bench.client.arm('GET', machine, '2019-12-01');
  expect(Object.keys(body.identity.userAssignedIdentities)).toEqual([expect.stringMatching(/\/reader$/i)]);
});

test('a pod of that identity reads a vault through the driver that the agent has put on the node', async () => {
  await bench.write({ secrets: [{ name: 'password', value }] });
  await pod('reader', {
    labels: { aadpodidbinding: 'reader' },
    options: { usepodidentity: 'true', keyvaultobjectnames: 'password', keyvaultobjecttypes: 'secret' },
  });
  expect(await inPod('reader', 'cat /vault/password')).toBe(value);
  await kubectl(['-n', namespace, 'delete', 'pod', 'reader', '--timeout=120s']);
});

test('restarted programs take over and serve pods', async () => {
  for (const [where, what] of programs) await kubectl(['-n', where, 'rollout', 'restart', what]);
  for (const [where, what] of programs) await kubectl(['-n', where, 'rollout', 'status', what, '--timeout=120s']);
  await servedToken('caller');
  expect(await restarts()).toEqual([0, 0, 0, 0]);
  expect(existsSync(join(pluginDirectory, 'azure~kv', 'kv'))).toBe(true);
});

test('nothing that the programs said has a secret in it', async () => {
  const said = await Promise.all(programs.map(([where, what]) => kubectl(['-n', where, 'logs', what])));
  said.push(readFileSync(bench.logFile, 'utf8'));
  expect(said.every((log) => log.length > 0)).toBe(true);
  const { secret = '' } = bench.azure.defaultApp;
  for (const log of said) {
    expect(log).not.toContain(value);
    expect(log).not.toContain(secret);
    expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
    expect(log).not.toMatch(/forbidden/i);
  }
});

async function restarts(): Promise<number[]> {
  const counts = programs.map(async ([where, what]) => {
    const name = what.replace(/.*azimuth-/, '');
    const pods = await kubectl(['-n', where, 'get', 'pods', '-l', `app.kubernetes.io/component=${name}`, '-o', 'json']);
    const running = JSON.parse(pods).items.filter(({ metadata }: Any) => !metadata.deletionTimestamp);
    expect(running).toHaveLength(1);
    return running[0].status.containerStatuses[0].restartCount;
  });
  return Promise.all(counts);
}

async function bindReader(): Promise<void> {
  const { azure, client } = bench;
  const resourceID = `/subscriptions/${azure.subscriptionId}/resourceGroups/volumes/providers/Microsoft.ManagedIdentity/userAssignedIdentities/reader`;
  const { body } = await client.arm('PUT', resourceID, '2023-01-31', { location: 'westus2' });
  azure.assignRole(body.properties.principalId, 'Key Vault Administrator', bench.vaultId);
  const own = { apiVersion: 'aadpodidentity.k8s.io/v1', metadata: { namespace, name: 'reader' } };
  const spec = { type: 0, resourceID, clientID: body.properties.clientId };
  await apply({ ...own, kind: 'AzureIdentity', spec });
  await apply({ ...own, kind: 'AzureIdentityBinding', spec: { azureIdentity: 'reader', selector: 'reader' } });
}

async function pod(name: string, { labels = {}, options }: { labels?: object; options?: object }): Promise<void> {
  const flexVolume = {
    driver: 'azure/kv',
    options: { tenantid: bench.azure.tenantId, keyvaultname: vaultName, ...options },
  };
  const main = { name: 'main', image: 'localhost/busybox:1', imagePullPolicy: 'Never' };
  await eventually(
    'the namespace has its service account',
    async () => (await tryKubectl(['-n', namespace, 'get', 'serviceaccount', 'default'])).status === 0,
    limitMs,
  );
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          ...main,
          command: ['/bin/sh', '-c', 'sleep 3600'],
          ...(options && { volumeMounts: [{ name: 'vault', mountPath: '/vault', readOnly: true }] }),
        },
      ],
      ...(options && { volumes: [{ name: 'vault', flexVolume }] }),
    },
  });
  const ready = ['-n', namespace, 'wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s'];
  await kubectl(ready).catch(async () => {
    throw new Error(`${name} does not run: ${await kubectl(['-n', namespace, 'describe', 'pod', name])}`);
  });
}

const inPod = (name: string, command: string) =>
  kubectl(['-n', namespace, 'exec', name, '--', '/bin/sh', '-c', command]);

async function servedToken(name: string): Promise<{ text: string }> {
  let answer = { status: 1, text: '' };
  const served = async () => {
    answer = await token(name);
    return answer.status === 0;
  };
  await eventually('a token', served, limitMs).catch((error: Error) => {
    throw new Error(`${error.message}: ${answer.text}`);
  });
  return answer;
}

/** From inside of the pod; status 0 if it was given one, and then the text is the body of the answer. */
async function token(name: string): Promise<{ status: number; text: string }> {
  const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/';
  const request = `GET ${path} HTTP/1.1\\r\\nHost: 169.254.169.254\\r\\nMetadata: true\\r\\nConnection: close\\r\\n\\r\\n`;
  // nc hangs up once its input ends, so that lasts until there is an answer.
  const wait = 'for i in $(seq 300); do [ -s "$f" ] && break; sleep 0.2; done';
  const send = `f=$(mktemp); (printf '${request}'; ${wait}) | nc 169.254.169.254 80 >"$f"; cat "$f"`;
  const { stdout, stderr } = await tryKubectl(['-n', namespace, 'exec', name, '--', '/bin/sh', '-c', send]);
  const [head = '', text = ''] = stdout.split('\r\n\r\n');
  return head.startsWith('HTTP/1.1 200 ') ? { status: 0, text } : { status: 1, text: stdout + stderr };
}
