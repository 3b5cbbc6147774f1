/** `azimuth identity` as a process: its own permissions, two replicas, hand-over, and nothing secret in what it says. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { identityPermissions } from '../../runtime/api/permissions/index.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { serviceAccounts } from '../conformance/resources.ts';
import { programEnv } from '../fakes/program-env.ts';
import { eventsType, identitiesType, secretsType, World } from './support.ts';

let world: World;
const children: Replica[] = [];
beforeAll(async () => {
  world = await World.start();
  await grant();
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.end('SIGKILL');
  await world.reset();
});
afterAll(() => world.close());

const rbac = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

async function grant(): Promise<void> {
  const metadata = { name: 'identity', namespace: 'other' };
  const { cluster, namespace } = identityPermissions();
  const subjects = [{ kind: 'ServiceAccount', name: 'identity', namespace: 'other' }];
  const ref = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'identity' });
  const make = (type: ResourceType, rest: object) =>
    world.client.create(type, {
      apiVersion: type.group === '' ? 'v1' : `${type.group}/v1`,
      kind: type.kind,
      metadata: type.namespaced ? metadata : { name: 'identity' },
      ...rest,
    } as KubeObject);
  await make(serviceAccounts, {});
  await make(rbac('ClusterRole', 'clusterroles', false), { rules: cluster });
  await make(rbac('ClusterRoleBinding', 'clusterrolebindings', false), { subjects, roleRef: ref('ClusterRole') });
  await make(rbac('Role', 'roles', true), { rules: namespace });
  await make(rbac('RoleBinding', 'rolebindings', true), { subjects, roleRef: ref('Role') });
  const kubeconfig = await world.kube.kubeconfigFor({ namespace: 'other', name: 'identity' });
  writeFileSync(join(world.directory, 'identity.kubeconfig'), kubeconfig, { mode: 0o600 });
}

class Replica {
  output = '';
  readonly #child: ChildProcess;

  /** `node` are arguments of Node.js itself. */
  constructor(args: readonly string[] = [], node: readonly string[] = []) {
    const kubeconfig = join(world.directory, 'identity.kubeconfig');
    const { clientId, secret, tenantId } = world.azure.defaultApp;
    const cloudconfig = join(world.directory, 'azure.json');
    const members = {
      tenantId,
      aadClientId: clientId,
      aadClientSecret: secret,
      subscriptionId: world.azure.subscriptionId,
    };
    writeFileSync(cloudconfig, JSON.stringify({ cloud: 'AzurePublicCloud', ...members }), { mode: 0o600 });
    const { AZURE_CLIENT_SECRET: _, ...env } = world.azure.env();
    const flags = [
      '--health-port=0',
      '--health-address=127.0.0.1',
      `--cloudconfig=${cloudconfig}`,
      `--kubeconfig=${kubeconfig}`,
    ];
    const lease = [
      '--leader-election-namespace=other',
      '--leader-election-duration=6s',
      '--poll-interval=50ms',
      '--log-level=debug',
    ];
    this.#child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        ...node,
        'runtime/cli/azimuth.ts',
        'identity',
        ...flags,
        ...lease,
        ...args,
      ],
      {
        env: { ...programEnv(), ...env, NO_PROXY: 'localhost,127.0.0.1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    children.push(this);
  }

  get leads(): boolean {
    return this.output.includes('lease acquired');
  }

  async health(path: string): Promise<{ status: number; text: string }> {
    const port = /"healthPort":(\d+)/.exec(this.output)?.[1];
    if (!port) return { status: 0, text: this.output };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What is on its heap and still referred to, of a process with `heapSnapshots`. */
  async heap(): Promise<Buffer> {
    this.signal('SIGUSR2');
    let heap = Buffer.alloc(0);
    await world.until(async () => {
      const file = readdirSync(world.directory).find((name) => name.endsWith('.heapsnapshot'));
      if (file) heap = readFileSync(join(world.directory, file));
      return { ok: heap.subarray(-3).toString().trimEnd().endsWith(']}'), seen: heap.length };
    }, 'a snapshot of the heap');
    return heap;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    return ((await exited) as [number | null])[0];
  }
}

test('it works with its permissions only, releases the lease at SIGTERM, and prints no secret', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.identity('sp', { type: 1, tenantID: 't', clientPassword: { namespace: 'app', name: 'creds' } });
  await world.pod('web', 'id1', 'node-1');
  const first = new Replica();
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect((await first.health('/readyz')).status).toBe(200);
  const metrics = (await first.health('/metrics')).text;
  expect(metrics).toContain('aadpodidentity_assigned_identity_addition_count 1');
  expect(metrics).toContain('azimuth_identity_desired 1');
  const second = new Replica();
  await world.until(async () => ({ ok: second.output.includes('standing by'), seen: second.output }), 'standing by');
  expect((await second.health('/readyz')).status).toBe(200);

  expect(await first.end('SIGTERM')).toBe(0);
  await world.pod('later', 'id1', 'node-1');
  await world.untilStates(['default/later-app-id1 Assigned', 'default/web-app-id1 Assigned']);
  expect(second.leads).toBe(true);
  // One PATCH of the machine, by the first replica.
  expect(world.patches()).toHaveLength(1);

  expect(first.output).not.toMatch(/forbidden/i);
  const secret = world.azure.defaultApp.secret ?? 'none';
  const events = JSON.stringify((await world.client.list(eventsType, { limit: 0 })).items);
  for (const text of [first.output, second.output, metrics, events]) {
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  }
  expect(first.output).toContain('"credential":"client secret of client');
}, 300_000);

test('under the multi-tenant profile identities without a scope are assigned to nobody', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.pod('web', 'id1', 'node-1');
  const replica = new Replica(['--multi-tenant']);
  expect(await world.untilReady('id1', 'IdentityNotAllowed')).toContain('--identity-scopes');
  expect([await world.states(), world.patches()]).toEqual([[], []]);
  expect(await replica.end('SIGTERM')).toBe(0);
});

const seen = (what: string, check: () => unknown) =>
  world.until(async () => ({ ok: Boolean(check()), seen: check() }), what);
const writers = () => world.patches().map(({ userAgent, status }) => `${userAgent?.split(' ')[1]} ${status}`);

test.each([
  ['killed while its write has no answer yet', 'SIGKILL', 'write'],
  ['killed while Azure goes on with what it wrote', 'SIGKILL', 'operation'],
  ['stopped past its lease while its write has no answer yet', 'SIGSTOP', 'write'],
  ['stopped past its lease while Azure goes on with what it wrote', 'SIGSTOP', 'operation'],
] as const)(
  'a leader that is %s leaves nothing lost and nothing twice, and writes no more',
  async (_, signal, moment) => {
    const vmss = await world.machine('vmss', 'pool');
    for (const node of ['n0', 'n1']) await world.node(node, `azure://${vmss}/virtualMachines/${node.slice(1)}`);
    for (const name of ['id1', 'id2', 'id3']) await world.bound(name);
    const first = new Replica(['--custom-user-agent=first']);
    await seen('the first leads', () => first.leads);
    const second = new Replica(['--custom-user-agent=second']);
    await seen('the second stands by', () => second.output.includes('standing by'));
    if (moment === 'write') world.azure.faults.add({ service: 'arm', method: 'PATCH', path: '/pool', delayMs: 1000 });
    else world.azure.settings.operationMs = 3000;
    await world.pod('a', 'id1', 'n0');
    await seen('it writes', () => world.patches().length === 1 && (moment === 'write' || writers()[0] !== 'first 0'));
    first.signal(signal);
    world.azure.settings.operationMs = 0;
    // What comes meanwhile is the next one's.
    await world.pod('b', 'id2', 'n1');
    await world.untilStates(['default/a-app-id1 Assigned', 'default/b-app-id2 Assigned']);
    expect(second.leads).toBe(true);
    expect(world.patches().every(({ effective }) => effective)).toBe(true);
    const before = world.patches().length;
    if (signal === 'SIGSTOP') {
      first.signal('SIGCONT');
      await seen('it knows', () => first.output.includes('lease lost'));
      // Its watches may have ended while it was stopped.
      await world.until(async () => {
        const { status, text } = await first.health('/readyz');
        return { ok: status === 200, seen: text };
      }, 'it is ready');
    }
    await world.deletePod('a');
    await world.pod('c', 'id3', 'n0');
    await world.untilStates(['default/b-app-id2 Assigned', 'default/c-app-id3 Assigned']);
    await world.untilAttached(vmss, ['id2', 'id3']);
    expect(writers().filter((each) => each.startsWith('first'))).toHaveLength(1);
    expect(writers().slice(before).length).toBeLessThanOrEqual(2);
  },
  300_000,
);

/** When switched on, moves the machine's clock forward while a token is read, before any timer fires. */
const leap = `
  let [by, armed] = [0, false];
  const { now } = Date, { parse } = JSON;
  Date.now = () => now() + by;
  JSON.parse = (text, ...rest) => {
    if (armed && text.includes('access_token')) by = 10_000;
    return parse(text, ...rest);
  };
  process.on('SIGUSR2', () => console.log(armed = 'armed'));
`;

test('a write whose token comes after the lease has run out is not sent, though nothing has noticed yet', async () => {
  await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  const replica = new Replica([], ['--import', `data:text/javascript,${encodeURIComponent(leap)}`]);
  await world.pod('web', 'id1', 'node-1');
  await world.untilStates(['default/web-app-id1 Assigned']);
  replica.signal('SIGUSR2');
  await seen('it is armed', () => replica.output.includes('armed'));
  // Its next token is that of a write.
  await world.pod('api', 'id2', 'node-1');
  await world.until(async () => {
    const refused = replica.output.includes('is not held: no write is allowed');
    return { ok: refused || world.patches().length > 1, seen: replica.output };
  }, 'a refusal');
  expect(world.patches()).toHaveLength(1);
  // The lease is renewed, as nobody else took it.
  await world.untilStates(['default/api-app-id2 Assigned', 'default/web-app-id1 Assigned']);
  expect(world.patches()).toHaveLength(2);
}, 300_000);

test('after the check of a Secret no content is left in its memory, log or objects', async () => {
  const { modern } = JSON.parse(readFileSync('test/azure/fixtures/client-certificates.json', 'utf8'));
  const password = Buffer.from('A-password-that-opens-nothing').toString('base64');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'app', name: 'creds' } };
  await world.client.create(secretsType, { ...secret, data: { certificate: modern, password } });
  await world.identity('sp', { type: 2, tenantID: 't', clientPassword: { namespace: 'app', name: 'creds' } });
  const heapSnapshots = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${world.directory}`];
  const replica = new Replica([], heapSnapshots);
  await world.until(async () => {
    const { status } = await world.client.get(identitiesType, { namespace: 'default', name: 'sp' });
    return { ok: status?.conditions?.[0]?.reason === 'SecretNotUsable', seen: status };
  }, 'the condition');
  const heap = await replica.heap();
  expect(heap.includes('SecretNotUsable')).toBe(true);
  const metrics = (await replica.health('/metrics')).text;
  const { items } = await world.client.list(eventsType, { limit: 0 });
  const pieces = [password, modern.slice(40, 80), modern.slice(800, 840)].flatMap((text) => [
    text,
    Buffer.from(text, 'base64').toString('latin1'),
  ]);
  for (const piece of pieces) {
    expect(heap.includes(piece)).toBe(false);
    for (const text of [replica.output, metrics, JSON.stringify(items)]) expect(text).not.toContain(piece);
  }
}, 300_000);
