import { spawn } from 'node:child_process';
import { dirname, isAbsolute, join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { ClientAuth, Credential } from './connection.ts';
import { sameAuth } from './credentials.ts';
import type { KubeconfigEntry } from './kubeconfig-entry.ts';

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const interactiveModes = ['Never', 'IfAvailable', 'Always'];

/** The `exec` member of a user. */
export interface ExecSpec {
  readonly entry: KubeconfigEntry;
  readonly apiVersion: string;
  /** A name to find on PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
  readonly installHint: string | undefined;
}

/** Checks the `exec` member; throws AZ_KUBECONFIG_INVALID. */
export function execSpecOf(entry: KubeconfigEntry): ExecSpec {
  const apiVersion = entry.required('apiVersion');
  if (!apiVersions.includes(apiVersion)) throw entry.invalid('apiVersion', `must be one of ${apiVersions.join(', ')}`);
  const command = entry.required('command');
  const interactiveMode =
    entry.text('interactiveMode') ?? (apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : undefined);
  if (interactiveMode === undefined || !interactiveModes.includes(interactiveMode)) {
    throw entry.invalid('interactiveMode', `must be one of ${interactiveModes.join(', ')}`);
  }
  return {
    entry,
    apiVersion,
    // A path is relative to the kubeconfig, a bare name is looked up on PATH.
    command: command.includes('/') && !isAbsolute(command) ? join(dirname(entry.file), command) : command,
    args: entry.texts('args'),
    env: Object.fromEntries(entry.entries('env').map((pair) => [pair.required('name'), pair.text('value') ?? ''])),
    provideClusterInfo: entry.flag('provideClusterInfo'),
    interactiveMode,
    installHint: entry.text('installHint'),
  };
}

/** Inputs of a credential plugin (client.authentication.k8s.io). */
export interface ExecContext {
  readonly cluster: KubeconfigEntry;
  readonly server: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  /** Milliseconds for a plugin that has no terminal to ask at. @default 60000 */
  readonly timeoutMs?: number;
}

/**
 * A credential plugin (client.authentication.k8s.io). Its answer is cached until expirationTimestamp, or for the life of
 * the process without one; a 401 makes it run again. Runs once at a time, whatever the number of requests waiting.
 * Its output never reaches an error; its stderr goes to ours, for login hints. Throws AZ_KUBECONFIG_INVALID.
 */
export function execCredential(spec: ExecSpec, context: ExecContext): Credential {
  const clock = context.clock ?? systemClock;
  let cached: { auth: ClientAuth; expiresAt: number } | undefined;
  let running: Promise<ClientAuth> | undefined;
  const run = async () => {
    const result = readResult(spec, await runPlugin(spec, context));
    cached = result;
    return result.auth;
  };
  return {
    async current() {
      if (cached && clock.now() < cached.expiresAt) return cached.auth;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    refused(auth) {
      if (cached && sameAuth(cached.auth, auth)) cached = undefined;
    },
  };
}

async function runPlugin(spec: ExecSpec, context: ExecContext): Promise<string> {
  const { entry, interactiveMode } = spec;
  const interactive = interactiveMode !== 'Never' && process.stdin.isTTY === true;
  if (interactiveMode === 'Always' && !interactive) {
    throw entry.invalid('interactiveMode', 'is Always, but standard input is not a terminal');
  }
  const info = {
    apiVersion: spec.apiVersion,
    kind: 'ExecCredential',
    spec: { ...clusterInfo(spec, context), interactive },
  };
  // At a terminal the plugin stays in this process group, so that Ctrl-C ends both.
  const detached = process.stdin.isTTY !== true;
  return new Promise((resolve, reject) => {
    const child = spawn(spec.command, spec.args, {
      env: { ...context.env, ...spec.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      detached,
    });
    const { timeoutMs = 60_000 } = context;
    const end = () => {
      if (detached && child.pid !== undefined) killGroup(child.pid);
      else child.kill('SIGKILL');
      // A process that left the group may hold the pipe open for ever.
      child.stdout?.destroy();
    };
    const timer = interactive ? undefined : setTimeout(end, timeoutMs);
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const hint = spec.installHint === undefined ? '' : `\n${spec.installHint.trim()}`;
      reject(entry.invalid('command', `${spec.command} cannot be run (${error.code})${hint}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(Buffer.concat(output).toString('utf8'));
      const how = signal ? `was ended by ${signal}` : `failed with exit code ${code}`;
      const text = `${entry.label('command')} ${spec.command} ${how}`;
      // A plugin often fails for want of a network or a login that comes later.
      reject(new AzimuthError('AZ_KUBECONFIG_INVALID', text, { retryable: true }));
    });
  });
}

/** Ends a process that leads a group, and the processes that it started. Does nothing where all of them have ended. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function clusterInfo(spec: ExecSpec, { cluster, server }: ExecContext): object {
  if (!spec.provideClusterInfo) return {};
  const ca = cluster.pem('certificate-authority')?.read();
  const config = cluster
    .entries('extensions')
    .find((extension) => extension.text('name') === 'client.authentication.k8s.io/exec')
    ?.raw('extension');
  return {
    cluster: {
      server,
      'tls-server-name': cluster.text('tls-server-name'),
      'insecure-skip-tls-verify': cluster.flag('insecure-skip-tls-verify') || undefined,
      'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
      'proxy-url': cluster.text('proxy-url'),
      config,
    },
  };
}

function readResult(spec: ExecSpec, output: string): { auth: ClientAuth; expiresAt: number } {
  const bad = (problem: string) => spec.entry.invalid('command', `${spec.command} ${problem}`);
  let parsed: { apiVersion?: unknown; kind?: unknown; status?: Record<string, unknown> } | null;
  try {
    parsed = JSON.parse(output);
  } catch {
    throw bad('printed something that is not JSON');
  }
  if (parsed?.kind !== 'ExecCredential') throw bad('did not print an ExecCredential');
  if (parsed.apiVersion !== spec.apiVersion) throw bad(`answered in another apiVersion than ${spec.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parsed.status ?? {};
  if (typeof cert !== typeof key) throw bad('gave only one of clientCertificateData and clientKeyData');
  const auth: ClientAuth = {
    ...(typeof token === 'string' && token !== '' ? { authorization: `Bearer ${token}` } : {}),
    ...(typeof cert === 'string' && typeof key === 'string' ? { cert, key } : {}),
  };
  if (!auth.authorization && !auth.cert) throw bad('gave neither status.token nor status.clientCertificateData');
  if (expirationTimestamp === undefined || expirationTimestamp === null) {
    return { auth, expiresAt: Number.POSITIVE_INFINITY };
  }
  const expiresAt = Date.parse(String(expirationTimestamp));
  if (Number.isNaN(expiresAt)) throw bad('gave a status.expirationTimestamp that is not a time');
  return { auth, expiresAt };
}
