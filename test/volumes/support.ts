import { spawn, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { mountsBelow } from '../../runtime/volumes/mount/mounts.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import type { EmbeddedAzure, EmbeddedAzureOptions } from '../../sandbox/azure/embedded-azure.ts';
import { buildDriver } from '../../tools/build-kv.ts';
import { builtOnce } from '../fakes/built-once.ts';
import { eventually } from '../fakes/eventually.ts';
import { programEnv } from '../fakes/program-env.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import type { Writes } from './vault-writer.ts';

/** Mounting needs root, and the right to it that root lacks in some containers. */
export const canMount = ((): boolean => {
  if (process.getuid?.() !== 0) return false;
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', directory]).status === 0;
  if (mounted) spawnSync('umount', [directory]);
  rmSync(directory, { recursive: true, force: true });
  return mounted;
})();

if (!canMount) {
  process.stderr.write('Tests that mount volumes are skipped: they need root and the right to mount.\n');
}

export interface Call {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  readonly document: any;
}

/** A node's directories, a vault and a service principal that may read it. */
export interface VolumeBench extends AsyncDisposable {
  readonly azure: EmbeddedAzure;
  readonly client: TestClient;
  readonly directory: string;
  readonly settingsFile: string;
  readonly stateDirectory: string;
  readonly logFile: string;
  readonly hostTokenFile: string;
  readonly app: { readonly clientId: string; readonly objectId: string; readonly secret: string };
  readonly vaultId: string;
  /** A directory as kubelet makes it for a volume. */
  volume(name: string, podUid?: string): string;
  /** A document as kubelet makes it, for the service principal; `undefined` leaves a key out. */
  options(options: Record<string, string | undefined>): string;
  /** Changes settings of the node. */
  settings(change: Record<string, unknown>): void;
  write(writes: Omit<Writes, 'vaultUrl'>): Promise<Record<string, string>>;
  /** The executable, which is built by the first call; `main` is another program that is built in the same way. */
  driver(main?: string): Promise<string>;
  /** Runs the driver. */
  kv(...args: string[]): Promise<Call>;
  /** As `run`, to be ended before its time. */
  start(
    command: readonly string[],
    args: readonly string[],
    env?: Record<string, string>,
  ): { readonly ended: Promise<Call>; kill(signal: NodeJS.Signals): void };
  /** Resolves when every fault that was set has hit a request; clears them. */
  faultsHit(): Promise<void>;
  run(command: readonly string[], args: readonly string[], env?: Record<string, string>): Promise<Call>;
}

export const vaultName = 'kvtest';
export const uid = '6f0e9c1a-0000-4000-8000-00000000abcd';

export async function startVolumeBench(options: EmbeddedAzureOptions = {}): Promise<VolumeBench> {
  const azure = await startEmbeddedAzure({ arm: { operationMs: 10 }, ...options });
  const client = new TestClient(azure);
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/volumes`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
  const vaultId = `${group}/providers/Microsoft.KeyVault/vaults/${vaultName}`;
  const vault = await client.arm('PUT', vaultId, '2023-07-01', {
    location: 'westus2',
    properties: { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
  });
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', vaultId);
  const app = azure.registerApp();
  azure.assignRole(app.objectId, 'Key Vault Administrator', vaultId);

  const directory = mkdtempSync(join(tmpdir(), 'azimuth-volumes-'));
  const settingsFile = join(directory, '.kv.json');
  const stateDirectory = join(directory, 'state');
  const logFile = join(directory, 'kv.log');
  const hostTokenFile = join(directory, 'host-token');
  const environment = Object.fromEntries(
    Object.entries(azure.env()).filter(([name]) => !/^AZURE_(TENANT|CLIENT|SUBSCRIPTION)/.test(name)),
  );
  const base = { environment, stateDirectory, logFile, hostTokenFile, deadlineSeconds: 60 };
  const settings = (change: Record<string, unknown>) =>
    writeFileSync(settingsFile, JSON.stringify({ ...base, ...change }));
  settings({});

  const start: VolumeBench['start'] = (command, args, env = {}) => {
    const [file = '', ...first] = command;
    const child = spawn(file, [...first, ...args], {
      env: { PATH: process.env['PATH'] ?? '', AZIMUTH_KV_SETTINGS: settingsFile, ...env },
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        output[name] += part;
      });
    }
    const ended = new Promise<Call>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        let document: unknown;
        try {
          document = JSON.parse(output.stdout);
        } catch {
          document = undefined;
        }
        resolve({ code, signal, ...output, document });
      });
    });
    return { ended, kill: (signal) => child.kill(signal) };
  };

  const built = new Map<string | undefined, Promise<string>>();
  const driver: VolumeBench['driver'] = (main) => {
    const path = join(directory, 'bin', main === undefined ? 'kv' : basename(main, '.ts'));
    const executable = built.get(main) ?? executableAt(path, main);
    built.set(main, executable);
    return executable;
  };

  return {
    azure,
    client,
    directory,
    settingsFile,
    stateDirectory,
    logFile,
    hostTokenFile,
    app,
    vaultId,
    settings,
    driver,
    start,
    run: (...args) => start(...args).ended,
    async faultsHit() {
      const asked = () => azure.faults.list().every(({ hits }) => hits > 0);
      await eventually('the vault was asked', asked);
      azure.faults.clear();
    },
    volume(name, podUid = uid) {
      const path = join(directory, 'pods', podUid, 'volumes', 'azure~kv', name);
      mkdirSync(path, { recursive: true, mode: 0o750 });
      return path;
    },
    options(options) {
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      return JSON.stringify({
        tenantid: azure.tenantId,
        keyvaultname: vaultName,
        'kubernetes.io/fsType': '',
        'kubernetes.io/readwrite': 'rw',
        'kubernetes.io/pvOrVolumeName': 'vol',
        'kubernetes.io/pod.name': 'web-0',
        'kubernetes.io/pod.namespace': 'shop',
        'kubernetes.io/pod.uid': uid,
        'kubernetes.io/serviceAccount.name': '',
        'kubernetes.io/secret/clientid': base64(app.clientId),
        'kubernetes.io/secret/clientsecret': base64(app.secret),
        ...options,
      });
    },
    async write(writes) {
      const input: Writes = { vaultUrl: vault.body.properties.vaultUri, ...writes };
      const child = spawn(process.execPath, [join(import.meta.dirname, 'vault-writer.ts')], {
        env: { ...programEnv(), ...azure.env() },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.end(JSON.stringify(input));
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        output += part;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      if (code !== 0) throw new Error(`the vault was not written: ${output}`);
      return JSON.parse(output) as Record<string, string>;
    },
    kv: async (...args) => start([await driver()], args).ended,
    async [Symbol.asyncDispose]() {
      for (const point of canMount ? mountsBelow(directory) : []) spawnSync('umount', ['-l', point]);
      rmSync(directory, { recursive: true, force: true });
      await client.close();
      await azure.close();
    },
  };
}

/** What a pod sees in its volume, by file name. */
export function filesOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory)
      .filter((name) => !name.startsWith('..'))
      .map((name) => [name, readFileSync(join(directory, name), 'latin1')]),
  );
}

/** Puts the driver at `path`: that of the run of the tests, or another program that is built for this file. */
async function executableAt(path: string, main: string | undefined): Promise<string> {
  if (main !== undefined) {
    await buildDriver(path, main);
    return path;
  }
  const shared = await builtOnce('kv', (target) => buildDriver(target));
  mkdirSync(dirname(path), { recursive: true });
  for (const suffix of ['', '.sha256']) linkSync(`${shared}${suffix}`, `${path}${suffix}`);
  return path;
}
