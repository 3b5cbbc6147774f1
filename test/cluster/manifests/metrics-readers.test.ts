/** Metrics of a node program on a real API server, under the service account and the roles of the synthesized manifests. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { ProgramProcess } from '../../../runtime/cli/demo/programs/program-process.ts';
import { readMetrics } from '../../fakes/metrics-reader.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';
import { kubeconfigOf, tokenOf } from '../service-account.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-metrics-'));
const manifests = join(directory, 'dist');
const logFile = join(directory, 'volumes.log');
let agent: ProgramProcess;
let [health, port] = [0, 0];

beforeAll(async () => {
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  const env = {
    ...process.env,
    AZIMUTH_PROGRAMS: 'key-vault-csi',
    AZIMUTH_METRICS_READERS: 'prometheus/server',
    CDK8S_OUTDIR: manifests,
    KUBERNETES_VERSION: `${major}.${minor}`,
  };
  const synth = spawnSync('node', ['main.ts'], { env, encoding: 'utf8' });
  if (synth.status !== 0) throw new Error(synth.stderr);
  await kubectl(['apply', '-f', manifests]);
  const accounts = ['prometheus/server', 'shop/tenant'].map((entry) => entry.split('/') as [string, string]);
  const objects = accounts.flatMap(([namespace, name]) => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } },
  ]);
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

  [health, port] = [await freePort(), await freePort()];
  const KUBECONFIG = await kubeconfigOf('azimuth-volumes', directory, undefined, 'azimuth-system-nodes');
  const args = ['volumes', '--node=n1', '--install=false', `--socket=${join(directory, 'agent', 'agent.sock')}`];
  const ports = [`--health-port=${health}`, `--metrics-port=${port}`, '--health-address=127.0.0.1'];
  agent = new ProgramProcess([...args, ...ports], { KUBECONFIG, NO_PROXY: 'localhost,127.0.0.1' }, logFile);
  await agent.ready(health);
});
afterAll(async () => {
  await agent?.stop();
  await tryKubectl([
    'delete',
    '--wait=false',
    '--ignore-not-found',
    '-f',
    manifests,
    '-l',
    'app.kubernetes.io/name=azimuth',
  ]);
  rmSync(directory, { recursive: true });
});

const statusOf = async (token?: string) => (await readMetrics(port, { token })).status;

test('only readers whom RBAC allows the URL get metrics of a node program', async () => {
  const reader = await tokenOf('prometheus', 'server');
  const answer = await readMetrics(port, { token: reader });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('azimuth_volumes_kept')]);
  expect(await statusOf(await tokenOf('shop', 'tenant'))).toBe(403);
  // A token for Microsoft Entra ID is none for the API server.
  expect(await statusOf(await tokenOf('prometheus', 'server', ['api://AzureADTokenExchange']))).toBe(401);
  expect(await statusOf(`${reader.slice(0, -8)}AAAAAAAA`)).toBe(401);
  expect(await statusOf()).toBe(401);
});

test('a client with the TLS of Go, as Prometheus has, reads them without verifying the certificate', async () => {
  const token = await tokenOf('prometheus', 'server');
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'node', cluster }],
    users: [{ name: 'prometheus', user: { token } }],
    contexts: [{ name: 'metrics', context: { cluster: 'node', user: 'prometheus' } }],
    'current-context': 'metrics',
  };
  const file = join(directory, 'metrics.kubeconfig');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  expect(await kubectl([`--kubeconfig=${file}`, 'get', '--raw', '/metrics'])).toContain('azimuth_build_info{');
});

test('probes need no token, and find no metrics on their port', async () => {
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${health}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics'].map(get))).toEqual([200, 200, 404]);
});

test('the account of the program has the rights for both reviews, and its log has no token', async () => {
  const log = readFileSync(logFile, 'utf8');
  expect(log).toContain('"metricsPort"');
  expect(log).toContain('system:serviceaccount:shop:tenant');
  expect(log).not.toMatch(/forbidden|tokens cannot be reviewed|eyJ/);
});
