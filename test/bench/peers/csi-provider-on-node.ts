/**
 * Runs on the node of `runOnNode`: both providers with one vault, which has a name of Azure's public cloud, and one
 * metadata endpoint. Prints the rows as JSON.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { KeyVaultVolumes } from '../../../constructs/key-vault/key-vault-volumes.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { bundle } from '../../../tools/bundle.ts';
import { namespaces } from '../../conformance/resources.ts';
import { FakeAzure } from '../../fakes/azure-server.ts';
import { eventually } from '../../fakes/eventually.ts';
import { fakeToken } from '../../nmi/harness.ts';
import { ProviderClient } from '../../volumes/csi/client.ts';
import { listed, secret } from '../../volumes/csi/provider-world.ts';
import { usageOf } from '../process-usage.ts';
import type { Usage } from '../usage.ts';
import { inTurn, type Row } from './pairs.ts';

const turns = 5;
const slice = 200;
const warmUp = 300;
const mostMegabytes = 65;
const vault = 'kvbench';
const host = `${vault}.vault.azure.net`;
const imdsAddress = '169.254.169.254';

interface Side {
  readonly client: ProviderClient;
  usage(): Usage;
}

await using stack = new AsyncDisposableStack();
const directory = mkdtempSync(join(tmpdir(), 'azimuth-peers-'));
stack.defer(() => rmSync(directory, { recursive: true }));
const authority = await startStubs();
const attributes = {
  keyvaultName: vault,
  tenantId: '00000000-0000-0000-0000-000000000001',
  useVMManagedIdentity: 'true',
  userAssignedIdentityID: '00000000-0000-0000-0000-000000000002',
  objects: listed(secret('one'), secret('two'), secret('three')),
  secretProviderClass: 'vault',
  'csi.storage.k8s.io/pod.name': 'p',
  'csi.storage.k8s.io/pod.namespace': 'app',
  'csi.storage.k8s.io/pod.uid': '6f0e9c1a-0000-4000-8000-00000000abcd',
  'csi.storage.k8s.io/serviceAccount.name': 'default',
  'csi.storage.k8s.io/ephemeral': 'true',
};
const [ours, theirs] = [await startOurs(), await startTheirs()];
for (const side of [ours, theirs]) await mounts(side, warmUp);
const cpu = async (side: Side) => {
  const before = side.usage().cpuMicros;
  await mounts(side, slice);
  return (side.usage().cpuMicros - before) / slice / 1000;
};
const megabytes = (bytes: number) => bytes / 2 ** 20;
const memory = (what: string, of: (usage: Usage) => number, goal: Row['goal']): Row => ({
  goal,
  what: `CSI provider: ${what}`,
  unit: 'MB',
  pairs: [{ ours: megabytes(of(ours.usage())), theirs: megabytes(of(theirs.usage())) }],
});
const rows: Row[] = [
  { what: 'CSI provider: CPU of a mount of three secrets', unit: 'ms', pairs: await inTurn(ours, theirs, turns, cpu) },
  {
    what: 'CSI provider: the same, p50',
    unit: 'ms',
    pairs: await inTurn(ours, theirs, turns, (side) => mounts(side, slice)),
  },
  memory('anonymous memory', ({ own }) => own, { text: `at most ${mostMegabytes} MB`, most: mostMegabytes }),
  // The pages of the Node binary alone are 50 MB.
  memory('RSS, with the pages of its program', ({ rss }) => rss, { text: 'shown', most: Number.MAX_VALUE }),
];
console.log(JSON.stringify(rows));

/** One after another; the median in milliseconds. */
async function mounts({ client }: Side, count: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    const { files } = await client.mount(attributes);
    times.push(performance.now() - started);
    if (files.length !== 3) throw new Error(`the mount has ${files.length} files`);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)] ?? 0;
}

/** The vault and the metadata endpoint; the file of their authority. */
async function startStubs(): Promise<string> {
  spawnSync('ip', ['address', 'add', `${imdsAddress}/32`, 'dev', 'lo'], { stdio: 'inherit' });
  const hosts = join(directory, 'hosts');
  writeFileSync(hosts, `127.0.0.1 localhost ${host}\n`);
  spawnSync('mount', ['--bind', hosts, '/etc/hosts'], { stdio: 'inherit' });
  const challenge =
    'Bearer authorization="https://login.microsoftonline.com/00000000-0000-0000-0000-000000000001", resource="https://vault.azure.net"';
  const azure = await FakeAzure.start(
    ({ url, headers }) => {
      azure.requests.length = 0;
      if (headers.authorization === undefined) return { status: 401, headers: { 'www-authenticate': challenge } };
      const [, , name] = new URL(url, `https://${host}`).pathname.split('/');
      const id = `https://${host}/secrets/${name}/0123456789abcdef0123456789abcdef`;
      return { body: { value: `the value of ${name}`, id, attributes: { enabled: true, created: 1, updated: 1 } } };
    },
    { hosts: [host], port: 443 },
  );
  stack.use(azure);
  const imds = createServer((request, response) => {
    const client_id = new URL(request.url ?? '/', 'http://imds').searchParams.get('client_id');
    const access_token = fakeToken({ appid: client_id, oid: client_id, padding: 'x'.repeat(1000) });
    const expires_on = String(Math.floor(Date.now() / 1000) + 86_399);
    const body = { access_token, client_id, expires_in: '86399', expires_on, token_type: 'Bearer' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => imds.listen(80, imdsAddress, resolve));
  stack.defer(() => {
    imds.close();
    imds.closeAllConnections();
  });
  const file = join(directory, 'authority.pem');
  writeFileSync(file, azure.ca);
  return file;
}

async function startOurs(): Promise<Side> {
  const image = join(directory, 'image');
  await bundle(image);
  const kube = await startEmbeddedKube();
  stack.defer(() => kube.close());
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  stack.defer(() => client.close());
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'app' } });
  const settings = join(directory, 'settings.json');
  const environment = { NODE_EXTRA_CA_CERTS: authority };
  writeFileSync(settings, JSON.stringify({ machineIdentities: 'any', environment, logFile: '' }));
  const volumes = new KeyVaultVolumes(Testing.chart(), 'v', { namespace: 'n', image: 'i', version: 'v', csi: {} });
  const env = volumes._toKube().template.spec?.containers[0]?.env ?? [];
  const socket = join(directory, 'ours', 'azure.sock');
  const args = [
    'volumes',
    '--node=n1',
    '--install=false',
    '--metrics-port=off',
    '--health-address=127.0.0.1',
    `--health-port=${await freePort()}`,
    `--kubeconfig=${kubeconfig}`,
    `--socket=${join(directory, 'agent', 'agent.sock')}`,
    `--settings=${settings}`,
    `--csi-socket=${socket}`,
  ];
  const variables = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  const child = start(process.execPath, [join(image, 'azimuth.mjs'), ...args], {
    NODE_ENV: 'production',
    ...variables,
  });
  return side(child, socket);
}

async function startTheirs(): Promise<Side> {
  const socket = join(directory, 'theirs.sock');
  const args = [
    `--endpoint=unix://${socket}`,
    `--healthz-port=${await freePort()}`,
    `--prometheus-port=${await freePort()}`,
  ];
  return side(start(process.argv[2] ?? '', args, { SSL_CERT_FILE: authority }), socket);
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output = (output + part).slice(-2000);
    });
  }
  child.once('exit', (code) => code !== null && console.error(`${program} ended with ${code}: ${output}`));
  stack.defer(() => void child.kill('SIGKILL'));
  return child;
}

async function side(child: ChildProcess, socket: string): Promise<Side> {
  await eventually('it listens', () => existsSync(socket), 60_000);
  const client = new ProviderClient(socket);
  stack.defer(() => client.close());
  return { client, usage: () => usageOf(child.pid ?? 0) };
}
