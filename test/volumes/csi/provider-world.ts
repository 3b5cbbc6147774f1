import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../runtime/base/clock.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { VaultPool } from '../../../runtime/volumes/agent/pool/vault-pool.ts';
import { type ProviderServerDeps, serveProvider } from '../../../runtime/volumes/csi/server.ts';
import { defaultSettings } from '../../../runtime/volumes/options/settings.ts';
import { nodeDaemonAt } from '../../../runtime/volumes/vault/node-daemon-client.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { type Harness, podsType, simple, startNmi } from '../../nmi/harness.ts';
import { startVolumeBench, type VolumeBench, vaultName } from '../support.ts';
import { type MountResponse, ProviderClient } from './client.ts';

/** Runs OpenSSL in a directory; returns its output. Throws with its message. */
export function opensslIn(directory: string, args: string, input?: Buffer): string {
  const { stdout, status, stderr } = spawnSync('openssl', args.split(' '), {
    cwd: directory,
    ...(input && { input }),
  });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

/** The `objects` attribute of a SecretProviderClass. */
export const listed = (...objects: Record<string, string>[]) =>
  `array:\n${objects
    .map(
      (object) =>
        `- |\n${Object.entries(object)
          .map(([key, value]) => `  ${key}: ${value}\n`)
          .join('')}`,
    )
    .join('')}`;
/** An item of `objects` for a secret. */
export const secret = (name: string, more: Record<string, string> = {}) => ({
  objectName: name,
  objectType: 'secret',
  ...more,
});
/** The files of an answer by path, as Latin-1. */
export const shown = ({ files }: MountResponse) =>
  Object.fromEntries(files.map(({ path, contents }) => [path, contents.toString('latin1')]));

/** What a provider reads: a vault with objects of each type, a cluster that issues tokens, and a node daemon. */
interface ProviderInputs {
  readonly bench: VolumeBench;
  readonly kube: EmbeddedKube;
  readonly daemon: Harness;
  readonly vaults: VaultPool;
  /** The version of each object by name; of the secret `many` by value too. */
  readonly versions: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function startInputs(): Promise<ProviderInputs> {
  const bench = await startVolumeBench();
  const kube = await startEmbeddedKube();
  bench.azure.trustIssuerCa(kube.caPem);
  opensslIn(bench.directory, 'req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 30 -subj /CN=self');
  opensslIn(bench.directory, 'pkcs12 -export -legacy -inkey k.pem -in c.pem -passout pass: -out c.pfx');
  const pfx = readFileSync(join(bench.directory, 'c.pfx')).toString('base64');
  const versions = await bench.write({
    secrets: [
      { name: 'one', value: 'first' },
      { name: 'base64', value: Buffer.from([0, 255, 10]).toString('base64') },
      { name: 'big', value: 'x'.repeat(24_000) },
    ],
    keys: [{ name: 'ec', kty: 'EC', crv: 'P-256' }],
    certificates: [{ name: 'web', value: pfx }],
  });
  for (const value of ['v1', 'v2', 'v3', 'v4']) {
    // Vaults tell times in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    versions[value] = (await bench.write({ secrets: [{ name: 'many', value }] }))['many'] ?? '';
  }
  const daemon = await startNmi({
    imds: async ({ url }) => {
      const resource = new URL(url, 'http://imds').searchParams.get('resource') ?? '';
      const access_token = await bench.client.token(`${resource}/.default`);
      const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
      return { body: { access_token, expires_in: '3600', expires_on, resource, token_type: 'Bearer' } };
    },
  });
  await simple(daemon);
  const environment = Object.fromEntries(
    Object.entries(bench.azure.env()).filter(([name]) => !/_(TENANT|CLIENT)_/.test(name)),
  );
  // As the program does it: which authorities are trusted is read from there.
  Object.assign(process.env, { NODE_EXTRA_CA_CERTS: environment['NODE_EXTRA_CA_CERTS'] });
  const settings = { ...defaultSettings, machineIdentities: 'any' as const, environment };
  const vaults = new VaultPool({
    settings,
    env: {},
    clock: systemClock,
    nodeDaemon: nodeDaemonAt(join(dirname(daemon.hostTokenFile), 'nmi.sock')),
  });
  const close = async () => {
    await vaults.close();
    await daemon[Symbol.asyncDispose]();
    await kube.close();
    await bench[Symbol.asyncDispose]();
  };
  return { bench, kube, daemon, vaults, versions, close };
}

/** A provider at a socket of its own, with what it reads and a client. */
export interface ProviderWorld extends ProviderInputs {
  readonly socket: string;
  readonly client: ProviderClient;
  /** Log lines since the last `reset`. */
  readonly logged: string;
  /** The options of this provider, to serve another one. */
  options(): ProviderServerDeps;
  /** The attributes of a volume, as kubelet and the driver make them of a pod and its SecretProviderClass. */
  attributes(objects: string, change?: Record<string, string>): Record<string, string>;
  /** The Secret of a service principal that may read the vault. */
  principal(): { readonly secrets: Record<string, string> };
  /** Ends faults of Azure and forgets log lines. */
  reset(): void;
}

/** Starts a vault, a cluster, a node daemon and a provider: ten seconds of CPU. */
export async function startProviderWorld(): Promise<ProviderWorld> {
  const inputs = await startInputs();
  const { bench, daemon, vaults } = inputs;
  const socket = join(bench.directory, 'providers', 'azure.sock');
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const options = () => ({
    socket,
    runtimeVersion: '0.1.0',
    vaults,
    deadlineSeconds: 60,
    log: createLogger('test', { destination: { write } }),
  });
  const server = await serveProvider(options());
  const client = new ProviderClient(socket);
  return {
    ...inputs,
    socket,
    client,
    get logged() {
      return logged;
    },
    options,
    attributes: (objects, change = {}) => ({
      keyvaultName: vaultName,
      tenantId: bench.azure.tenantId,
      objects,
      secretProviderClass: 'vault',
      'csi.storage.k8s.io/pod.name': 'p',
      'csi.storage.k8s.io/pod.namespace': 'app',
      'csi.storage.k8s.io/pod.uid': daemon.kube.all(podsType)[0]?.metadata.uid ?? '',
      'csi.storage.k8s.io/serviceAccount.name': 'default',
      'csi.storage.k8s.io/ephemeral': 'true',
      ...change,
    }),
    principal: () => ({ secrets: { clientid: bench.app.clientId, clientsecret: bench.app.secret } }),
    reset() {
      bench.azure.faults.clear();
      logged = '';
    },
    async close() {
      client.close();
      await server.close();
      await inputs.close();
    },
  };
}
