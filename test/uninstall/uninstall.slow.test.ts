/** Uninstallations on the sandbox: an embedded cluster, an embedded Azure, and the operator under its Lease. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { uninstall as command } from '../../runtime/cli/commands/uninstall.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { leasesType } from '../../runtime/kube/leader-election/lease-record.ts';
import type { UninstallMode } from '../../runtime/uninstall/config.ts';
import { uninstall } from '../../runtime/uninstall/uninstall.ts';
import { customResourceDefinitions, namespaces } from '../conformance/resources.ts';
import { type Scratch, scratch } from '../fakes/scratch.ts';
import { deploymentType, networkSpec, runIn } from '../operator/deployments/deployment-world.ts';
import {
  armRequests,
  condition,
  configMaps,
  core,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../operator/support.ts';

let world: World;
let files: Scratch;
let root: string;

beforeEach(async () => {
  world = await startWorld({ deployments: true });
  files = scratch();
  root = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
});
afterEach(async () => {
  await world?.close();
  files.remove();
});

const rbac = (plural: string, kind: string, namespaced = false): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const deployments: ResourceType = { ...core('deployments', 'Deployment'), group: 'apps' };
const labels = {
  'app.kubernetes.io/name': 'azimuth',
  'app.kubernetes.io/component': 'operator',
  'app.kubernetes.io/part-of': 'azimuth',
};

/** A client with the rights that the guide names, for the groups of this world. */
async function limitedClient() {
  const guide = readFileSync('docs/guides/uninstalling.md', 'utf8');
  const role = parse(/```yaml\n(.*?)```/s.exec(guide)?.[1] ?? '') as KubeObject;
  role['rules'][1].apiGroups = [...new Set(world.kinds.map(({ group }) => group)), 'azimuth.dev'];
  await world.client.create(rbac('clusterroles', 'ClusterRole'), role);
  const account = { namespace: 'default', name: 'remover' };
  await world.client.create(core('serviceaccounts', 'ServiceAccount'), {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: account,
  });
  await world.client.create<KubeObject>(rbac('clusterrolebindings', 'ClusterRoleBinding'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'remover' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
  const kubeconfig = files.write('kubeconfig-remover', await world.kube.kubeconfigFor(account));
  return createKubeClient(loadKubeConnection({ kubeconfig }));
}

/** Runs the command with the rights of the guide; resolves to whether everything is removed, and to its lines. */
async function run(mode: UninstallMode, { yes = true, interruptAt = '', clock = systemClock } = {}) {
  limited ??= limitedClient();
  const client = await limited;
  const stop = new AbortController();
  const lines: string[] = [];
  const report = (line: string) => {
    lines.push(line);
    if (interruptAt && line.includes(interruptAt)) stop.abort(new Error('interrupted'));
  };
  const confirm = async () => yes;
  const options = { client, clock, mode, confirm, stallMs: 60_000, pollMs: 100, report, signal: stop.signal };
  const isDone = await uninstall(options);
  return { isDone, text: lines.join('\n') };
}
let limited: ReturnType<typeof limitedClient> | undefined;
afterEach(async () => {
  await (await limited)?.close();
  limited = undefined;
});

const network = { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };

/** A group with a network in Azure, and two objects of the manifests. */
async function install() {
  const operator = await world.startOperator({}, { lease: true });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await world.apply(types.network, 'net', network);
  await untilReady(world, types.network, 'net');
  const metadata = { namespace: 'default', labels };
  const helm = { 'meta.helm.sh/release-name': 'azimuth', 'meta.helm.sh/release-namespace': 'default' };
  const pod = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'azimuth' }] } };
  await world.client.create<KubeObject>(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, name: 'azimuth-operator' },
    spec: { selector: { matchLabels: labels }, template: pod },
  });
  await world.client.create<KubeObject>(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, name: 'dashboard', annotations: helm },
  });
  const name = 'azimuth-operator';
  await world.client.create<KubeObject>(rbac('clusterrolebindings', 'ClusterRoleBinding'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name }],
  });
  return operator;
}

const definitionsLeft = async () => (await world.client.list(customResourceDefinitions)).items.length;
const inAzure = async (name: string) => (await world.portal.arm('GET', `${root}/${name}`, '2021-04-01')).status === 200;
const exists = async (type: ResourceType, name: string) =>
  (await world.client.tryGet(type, { namespace: 'default', name })) !== undefined;

test('without --yes it shows what it would do, and changes nothing', async () => {
  await install();
  const before = await world.client.list(types.network);
  const keep = await run('keep-azure', { yes: false });
  expect(keep.isDone).toBe(false);
  expect(keep.text).toMatch(new RegExp(`default +VirtualNetwork/net +stays: ${root}/rg/`));
  const removed = await run('delete', { yes: false });
  expect(removed.text).toMatch(new RegExp(`default +ResourceGroup/rg +is deleted: ${root}/rg$`, 'm'));
  expect(removed.text).toMatch(/default +Deployment\/azimuth-operator/);
  expect(removed.text).toContain('helm uninstall azimuth -n default');
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await command(['--delete', '--kubeconfig', world.kubeconfigFile])).toBe(0);
  log.mockRestore();
  expect((await world.client.list(types.network)).items).toEqual(before.items);
  expect(await exists(deployments, 'azimuth-operator')).toBe(true);
});

test('the policy of a namespace keeps the resources of its objects, in the plan and in Azure', async () => {
  await install();
  const policy = { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' };
  const body = { metadata: { annotations: policy } };
  await world.client.patch(namespaces, { name: 'default' }, { type: 'merge', body });
  expect((await run('delete', { yes: false })).text).toMatch(/default +ResourceGroup\/rg +stays: /);
  expect(await run('delete')).toMatchObject({ isDone: true });
  expect(armRequests(world, 'DELETE', /./)).toEqual([]);
  expect(await inAzure('rg')).toBe(true);
});

test('--delete deletes in Azure, then programs and definitions, and leaves what Helm manages', async () => {
  await install();
  expect(await run('delete')).toMatchObject({ isDone: true, text: expect.stringContaining('helm uninstall azimuth') });
  expect(await inAzure('rg')).toBe(false);
  expect(await definitionsLeft()).toBe(0);
  expect(await exists(deployments, 'azimuth-operator')).toBe(false);
  expect(await exists(configMaps, 'dashboard')).toBe(true);
  expect(await run('delete')).toMatchObject({ isDone: true, text: expect.stringContaining('nothing to remove') });
});

test('--keep-azure deletes nothing in Azure, not even what a deployment makes', async () => {
  await install();
  await world.apply(deploymentType, 'shop', networkSpec(['westeurope']));
  await runIn(world, 'shop', 'Succeeded');
  expect(await run('keep-azure')).toMatchObject({ isDone: true });
  expect(await definitionsLeft()).toBe(0);
  expect(armRequests(world, 'DELETE', /./)).toEqual([]);
  expect(await inAzure('rg')).toBe(true);
  expect(await inAzure('rg-westeurope')).toBe(true);
});

test('without an operator it changes nothing and names the Lease, also where a dead one still holds it', async () => {
  const operator = await install();
  await operator.stop();
  const refusal = {
    code: 'AZ_LEASE_LOST',
    message: expect.stringMatching(/Lease azimuth-operator.*VirtualNetwork\/net/),
  };
  await expect(run('delete')).rejects.toMatchObject(refusal);
  await world.client.patch(
    leasesType,
    { namespace: 'default', name: 'azimuth-operator' },
    { type: 'merge', body: { spec: { holderIdentity: 'dead', leaseDurationSeconds: 1 } } },
  );
  await expect(run('keep-azure')).rejects.toMatchObject(refusal);
  expect((await world.get(types.group, 'rg')).metadata.deletionTimestamp).toBeUndefined();
  expect(await exists(deployments, 'azimuth-operator')).toBe(true);
});

test('what Azure refuses is named, no program goes before it, and the next run finishes', async () => {
  await install();
  const error = { code: 'ScopeLocked', message: 'The scope is locked.' };
  world.azure.faults.add({ method: 'DELETE', path: '/rg', times: 0, status: 409, body: { error } });
  let isRefused = false;
  let aheadMs = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + aheadMs,
    // Once the refusal is there, a minute goes by between two rounds.
    sleep: (ms, signal) => {
      if (isRefused) aheadMs += 60_000;
      return systemClock.sleep(ms, signal);
    },
  };
  const ended = expect(run('delete', { clock })).rejects.toMatchObject({
    message: expect.stringMatching(/no object has gone for 60 s.*ResourceGroup\/rg in default: ScopeLocked/),
  });
  await until('the refusal', async () => condition(await world.get(types.group, 'rg'))?.reason === 'ScopeLocked');
  isRefused = true;
  await ended;
  expect(await exists(deployments, 'azimuth-operator')).toBe(true);
  expect(await definitionsLeft()).toBeGreaterThan(0);
  // The lock is still there: only an operator that leaves Azure alone removes the finalizer.
  expect(await run('keep-azure')).toMatchObject({ isDone: true });
  expect(await inAzure('rg')).toBe(true);
});

test('an interrupted run can be run again', async () => {
  await install();
  await expect(run('delete', { interruptAt: 'objects left' })).rejects.toThrow('interrupted');
  expect(await run('delete')).toMatchObject({ isDone: true });
  expect(await inAzure('rg')).toBe(false);
});

test('an object that somebody makes again ends the command, which names it', async () => {
  await install();
  const stop = new AbortController();
  const again = (async () => {
    while (!stop.signal.aborted) {
      await world.apply(types.group, 'rg', { location: 'westeurope' }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const ended = run('keep-azure');
  await expect(ended).rejects.toMatchObject({
    message: expect.stringMatching(/ResourceGroup\/rg in default was deleted/),
  });
  stop.abort();
  await again;
  await until('the group is there', () => exists(types.group, 'rg'));
});

test('--delete refuses a definition that somebody deletes: the operator keeps the resources of its objects', async () => {
  const operator = await install();
  await operator.stop();
  await world.client.delete(customResourceDefinitions, { name: 'resourcegroups.resources.azure.com' });
  await expect(run('delete')).rejects.toMatchObject({ code: 'AZ_CONFLICT_OWNED' });
});
