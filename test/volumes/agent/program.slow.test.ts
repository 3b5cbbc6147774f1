import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { KeyVaultVolumes } from '../../../constructs/key-vault/key-vault-volumes.ts';
import { restartRules, volumesPermissions } from '../../../runtime/api/permissions/index.ts';
import { freePort } from '../../../runtime/cli/demo/programs/free-port.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { ApiRecorder, granted } from '../../fakes/api-recorder.ts';
import { eventually } from '../../fakes/eventually.ts';
import { canMount, filesOf, startVolumeBench, type VolumeBench } from '../support.ts';
import { socketOf } from './harness.ts';

/** `azimuth volumes` as it is deployed: its process, its service account, its one capability. */
const namespace = 'azimuth-system-nodes';
let bench: VolumeBench;
let kube: EmbeddedKube;
let recorder: ApiRecorder;
let admin: KubeClient;
let program: ChildProcess | undefined;
let output = '';
let healthPort = 0;

const typeOf = ({ apiVersion, kind }: KubeObject): ResourceType => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, plural: `${kind.toLowerCase()}s`, kind, namespaced: !/^(Cluster|Namespace)/.test(kind) };
};
const make = (object: object) => admin.create(typeOf(object as KubeObject), object as KubeObject);

beforeAll(async () => {
  bench = await startVolumeBench();
  kube = await startEmbeddedKube();
  recorder = await ApiRecorder.start(kube.url, kube.caPem);
  const adminConfig = join(bench.directory, 'admin');
  writeFileSync(adminConfig, kube.adminKubeconfig);
  admin = createKubeClient(loadKubeConnection({ kubeconfig: adminConfig }));
  for (const name of [namespace, 'shop']) await make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const chart = Testing.chart();
  new KeyVaultVolumes(chart, 'Volumes', { namespace, image: 'i', version: 'v', restartNamespaces: ['shop'] });
  for (const object of Testing.synth(chart) as KubeObject[]) if (object.kind !== 'DaemonSet') await make(object);

  const token = await kube.tokenFor({ namespace, name: 'azimuth-volumes' });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: recorder.url } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  };
  writeFileSync(join(bench.directory, 'kubeconfig'), JSON.stringify(config), { mode: 0o600 });
  // Stands in for the executable, which is the same file to who installs it.
  writeFileSync(join(bench.directory, 'kv'), 'the driver', { mode: 0o755 });
  const digest = createHash('sha256').update('the driver').digest('hex');
  writeFileSync(join(bench.directory, 'kv.sha256'), `${digest}  kv\n`);
  mkdirSync(join(bench.directory, 'plugins'));
});
afterAll(async () => {
  program?.kill('SIGKILL');
  await admin?.close();
  await recorder?.close();
  await kube?.close();
  await bench?.[Symbol.asyncDispose]();
});

interface Ready {
  readonly status: number;
  readonly body: string;
}
const isReady = ({ status }: Ready) => status === 200;

/** Starts it with CHOWN alone, as in the manifests, where the machine can take capabilities away. */
async function start(isThere: (ready: Ready) => boolean, ...more: string[]): Promise<ChildProcess> {
  healthPort = await freePort();
  const azimuth = [process.execPath, '--no-warnings', 'runtime/cli/azimuth.ts', 'volumes', '--node=n1'];
  const flags = [
    `--kubeconfig=${join(bench.directory, 'kubeconfig')}`,
    `--socket=${socketOf(bench)}`,
    `--target-dir=${join(bench.directory, 'plugins')}`,
    `--source=${join(bench.directory, 'kv')}`,
    `--settings=${bench.settingsFile}`,
    `--health-port=${healthPort}`,
    '--health-address=127.0.0.1',
    '--metrics-port=off',
    '--interval=1',
    '--refresh-interval=10',
    '--restart-namespaces=shop',
    ...more,
  ];
  const limits = ['setpriv', '--bounding-set=-all,+chown'];
  const limited = spawnSync(limits[0] as string, [...limits.slice(1), 'true']).status === 0;
  const [file = '', ...args] = [...(limited ? limits : []), ...azimuth, ...flags];
  const child = spawn(file, args, { env: { PATH: process.env['PATH'] ?? '' }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  }
  await eventually('it is ready', async () => {
    if (child.exitCode !== null) throw new Error(output);
    const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => undefined);
    return answer !== undefined && isThere({ status: answer.status, body: await answer.text() });
  });
  return child;
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  return ((await exit) as [number | null])[0];
}

const driver = () => join(bench.directory, 'plugins', 'azure~kv', 'kv');

(canMount ? describe : describe.skip)('the program', () => {
  test('installs the driver with a setting that leads to itself, and puts it right when somebody changes it', async () => {
    program = await start(isReady);
    expect(readFileSync(driver(), 'utf8')).toBe('the driver');
    const settings = JSON.parse(readFileSync(join(bench.directory, 'plugins', 'azure~kv', '.kv.json'), 'utf8'));
    expect(settings).toMatchObject({ agentSocket: socketOf(bench), stateDirectory: bench.stateDirectory });
    writeFileSync(driver(), 'something else');
    await eventually('it is put right', () => readFileSync(driver(), 'utf8') === 'the driver');
    const repairs = async () => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    await eventually('it is counted', async () => /azimuth_volumes_driver_repairs_total 1/.test(await repairs()));
  });

  test('serves, refreshes and restarts with no more than its role and its one capability', async () => {
    const apps = 'apps/v1';
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const owned = (kind: string, { metadata }: KubeObject) => ({
      ownerReferences: [{ apiVersion: apps, kind, name: metadata.name, uid: metadata.uid, controller: true }],
    });
    const metadata = { namespace: 'shop', name: 'web' };
    const deployment = await make({ apiVersion: apps, kind: 'Deployment', metadata, spec });
    const set = { ...metadata, name: 'web-1', ...owned('Deployment', deployment) };
    const replicas = await make({ apiVersion: apps, kind: 'ReplicaSet', metadata: set, spec });
    const annotations = { 'volumes.azimuth.dev/restart-on-change': 'true' };
    const pod = await make({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: 'web-1-a', annotations, ...owned('ReplicaSet', replicas) },
      spec: { ...template.spec, nodeName: 'n1' },
    });

    await bench.write({ secrets: [{ name: 'one', value: 'first' }] });
    bench.settings({ agentSocket: socketOf(bench) });
    const directory = bench.volume('vault', pod.metadata.uid);
    const options = bench.options({
      keyvaultobjectnames: 'one',
      keyvaultobjecttypes: 'secret',
      'kubernetes.io/pod.uid': pod.metadata.uid,
      fsgroup: '2345',
      refresh: '10',
    });
    expect(await bench.kv('mount', directory, options)).toMatchObject({ code: 0, document: { status: 'Success' } });
    await bench.write({ secrets: [{ name: 'one', value: 'second' }] });
    await eventually('it is refreshed', () => filesOf(directory)['one'] === 'second');
    const { uid, gid, mode } = statSync(join(directory, 'one'));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 0, gid: 2345, mode: 0o440 });
    const annotated = async () => {
      const { spec: now } = await admin.get(typeOf(deployment), metadata);
      return now.template.metadata.annotations?.['restarted-for.volumes.azimuth.dev/vault'] !== undefined;
    };
    await eventually('the workload is restarted', annotated);
    const reasonsOfEvents = async () =>
      (await admin.list(eventsType, { namespace: 'shop' })).items.map(({ reason }) => reason);
    await eventually('both are reasonsOfEvents', async () => (await reasonsOfEvents()).length >= 2);
    expect((await reasonsOfEvents()).sort()).toEqual(['VaultObjectsChanged', 'VaultRestart']);
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });

    const account = `system:serviceaccount:${namespace}:azimuth-volumes`;
    expect(recorder.denied).toEqual([]);
    const permissions = volumesPermissions();
    const used = new Set(recorder.usedBy(account));
    const all = granted({ ...permissions, namespace: restartRules });
    // Of the kinds of workloads one is enough, and an event is patched when it happens again.
    const alike = ['patch statefulsets.apps', 'patch daemonsets.apps', 'patch events.events.k8s.io'];
    expect(all.filter((each) => !used.has(each) && !alike.includes(each))).toEqual([]);
    expect([...used].filter((each) => !all.includes(each))).toEqual([]);
    expect(output).not.toContain(bench.app.secret);
  });

  test('serves pods although it cannot install the driver, and says at /readyz why', async () => {
    expect(await ended(program as ChildProcess)).toBe(0);
    program = await start(
      ({ body }) => /\[-\]driver failed: There is no digest .*AZIMUTH_NODE_IMAGE/.test(body),
      '--source=/nowhere/kv',
    );
    await bench.write({ secrets: [{ name: 'served', value: 'still' }] });
    const directory = bench.volume('served');
    const options = bench.options({ keyvaultobjectnames: 'served', keyvaultobjecttypes: 'secret' });
    expect(await bench.kv('mount', directory, options)).toMatchObject({ code: 0, document: { status: 'Success' } });
    expect(await bench.kv('unmount', directory)).toMatchObject({ code: 0, document: { status: 'Success' } });
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    expect(metrics).toMatch(/azimuth_volumes_mounts_total\{result="mounted"\} 1/);
  });

  test('ends at SIGTERM, and leaves the driver; --remove removes the driver and keeps running', async () => {
    expect(await ended(program as ChildProcess)).toBe(0);
    expect(existsSync(driver())).toBe(true);
    program = await start(isReady, '--remove');
    expect(existsSync(driver())).toBe(false);
    expect(program.exitCode).toBeNull();
    expect(await ended(program)).toBe(0);
  });
});
