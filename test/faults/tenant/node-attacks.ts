import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../runtime/cli/demo/programs/run.ts';
import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { until } from '../../operator/support.ts';
import { type Attack, types, unless } from './attack.ts';
import { clientIdOf, pairOf, podOf } from './hostile-pods.ts';
import { vaultIdOf } from './tenant-azure.ts';
import { good, grantInCluster } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';
import { askForToken } from './token-request.ts';

const limitMs = 60_000;
/** A driver takes an agent for absent after ten seconds without a byte. */
const fallbackMs = 30_000;

/** Answers of the daemon in managed mode: status, and client id of the token. */
const managed = new Map<string, { readonly status: number; readonly clientId: string }>();
let mounted: { readonly answer: string; readonly ms: number } | undefined;

/** Attacks on a node whose programs run otherwise: B1 without an identity controller, and C5 with an agent that hangs. */
export const nodeAttacks: readonly Attack[] = [
  {
    point: 'B1',
    name: 'in managed mode AzureIdentities have the ids of another tenant, and the client id of kubelet',
    writes: ({ identities: { hostile: own, good: others, kubelet } }) => [
      ...pairOf('managed-own', own.id, own.clientId),
      ...pairOf('managed-thief', others.id, others.clientId),
      ...pairOf('managed-mixed', own.id, kubelet.clientId),
      ...pairOf('managed-kubelet', kubelet.id, kubelet.clientId),
    ],
    // The manifests grant it in managed mode.
    before: ({ admin, programs }) => {
      const [, , namespace = '', name = ''] = programs.nmi.account.split(':');
      const { group, plural } = types.identity;
      const rule = { apiGroups: [group], resources: [plural], verbs: ['list', 'watch'] };
      return grantInCluster(admin, 'managed', { namespace, name }, [rule]);
    },
    async acts(world) {
      const daemon = await world.startDaemon(['--operation-mode=managed', '--forceNamespaced=true']);
      const ask = async (name: string) => {
        const { status, body } = await askForToken(daemon.metadata, await podOf(world, name));
        return { status, clientId: status === 200 ? clientIdOf(body) : '' };
      };
      await until('its own identity serves a pod', async () => (await ask('managed-own')).status === 200, limitMs);
      for (const name of ['own', 'thief', 'mixed', 'kubelet']) managed.set(name, await ask(`managed-${name}`));
      await daemon.nmi.process.stop();
    },
    seen: async () => managed.size === 4,
    async broken({ identities }) {
      const foreign = [...managed].filter(([name, { status }]) => name !== 'own' && status === 200);
      if (foreign.length > 0)
        return `tokens for ${foreign.map(([name, { clientId }]) => `${name}: ${clientId}`).join()}`;
      const own = managed.get('own')?.clientId;
      return unless(own === identities.hostile.clientId.toLowerCase(), `its own identity: token of ${own || 'none'}`);
    },
  },
  {
    point: 'C5',
    name: 'the agent hangs, and a volume with a service principal is mounted',
    async acts(world) {
      const agent = await world.startAgent('/absent/nmi.sock', {});
      process.kill(agent.program.process.pid ?? 0, 'SIGSTOP');
      try {
        const started = performance.now();
        const answer = await mountWithoutAgent(world, agent.socket);
        mounted = { answer, ms: performance.now() - started };
      } finally {
        process.kill(agent.program.process.pid ?? 0, 'SIGCONT');
        await agent.program.process.stop();
      }
    },
    seen: async () => mounted !== undefined,
    async broken() {
      const { answer = '', ms = 0 } = mounted ?? {};
      if (!answer.includes('Success')) return `the driver answered ${answer}`;
      return unless(ms < fallbackMs, `the volume took ${(ms / 1000).toFixed(1)} s`);
    },
  },
];

/** kubelet's call of the driver for a volume of the good tenant with a service principal; gives its answer. */
async function mountWithoutAgent(world: TenantWorld, agentSocket: string): Promise<string> {
  const { azure, vault } = world;
  const root = await world.newDirectory();
  const volume = join(root, 'pods', crypto.randomUUID(), 'volumes', 'azure~kv', 'vault');
  await mkdir(volume, { recursive: true });
  const driver = join(root, 'kv');
  await run(['node', 'tools/build-kv.ts', driver], { cwd: process.cwd() });
  const roles = [{ role: 'Key Vault Secrets User', scope: vaultIdOf(azure.subscriptionId, good) }];
  const app = await adminRequest<RegisteredApp>(azure, 'POST', '/apps', { displayName: 'volumes', roles });
  const { AZURE_CLIENT_ID: _, AZURE_CLIENT_SECRET: __, ...environment } = azure.env();
  const settings = join(root, 'kv.json');
  const own = { agentSocket, stateDirectory: join(root, 'state'), logFile: '', deadlineSeconds: 60 };
  await writeFile(settings, JSON.stringify({ environment, ...own }), { mode: 0o600 });
  const base64 = (text = '') => Buffer.from(text).toString('base64');
  const document = JSON.stringify({
    tenantid: azure.tenantId,
    keyvaultname: vault,
    keyvaultobjectnames: 'password',
    keyvaultobjecttypes: 'secret',
    'kubernetes.io/readwrite': 'rw',
    'kubernetes.io/secret/clientid': base64(app.clientId),
    'kubernetes.io/secret/clientsecret': base64(app.secret ?? undefined),
  });
  const call = (...args: string[]) =>
    run([driver, ...args, volume, ...(args[0] === 'mount' ? [document] : [])], {
      cwd: root,
      env: { AZIMUTH_KV_SETTINGS: settings },
    });
  const answer = await call('mount');
  await call('unmount');
  return answer;
}
