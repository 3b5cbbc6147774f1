import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../fakes/eventually.ts';
import type { Topology } from './topology.ts';

const readiness = 'http://127.0.0.1:8085/readyz';

/** `azimuth nmi` in the namespace that plays the node, with what `cluster.ts` wrote as its kubeconfig. */
export class NodeDaemon {
  readonly #net: Topology;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  constructor(net: Topology, flags: readonly string[]) {
    this.#net = net;
    this.#flags = [
      '--node=n1',
      `--host-token-file=${join(net.directory, 'host-token')}`,
      '--ipt-update-interval-sec=1',
      '--health-address=127.0.0.1',
      '--metrics-port=off',
      ...flags,
    ];
  }

  /** Its log goes to a file: nobody reads a pipe while a test waits for curl, and a daemon whose log is full waits too. */
  spawn(...args: string[]): ChildProcess {
    return this.#net.spawn(
      'node',
      [join(import.meta.dirname, '../../../runtime/cli/azimuth.ts'), 'nmi', ...this.#flags, ...args],
      { KUBECONFIG: join(this.#net.directory, 'kubeconfig') },
      this.#logFile,
    );
  }

  get log(): string {
    return readFileSync(this.#logFile, 'utf8');
  }

  get #logFile(): string {
    return join(this.#net.directory, 'nmi.log');
  }

  /** Resolves once it is ready. */
  async start(): Promise<void> {
    const started = this.spawn();
    this.#process = started;
    let last = '';
    const ready = () => {
      if (started.exitCode !== null) throw new Error(`the daemon ended with code ${started.exitCode}`);
      const ask = ['-sS', '--fail-with-body', '--max-time', '5', readiness];
      const { code, stdout, stderr } = this.#net.run('node', 'curl', ...ask);
      last = `${code} ${stdout} ${stderr}`;
      return code === 0;
    };
    await eventually('the daemon is ready', ready, 60_000).catch((error: Error) => {
      throw new Error(`${error.message}\ncurl: ${last}\nthe end of the log:\n${this.log.slice(-4000)}`);
    });
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const daemon = this.#process;
    const end = daemon?.exitCode === null && daemon.signalCode === null ? once(daemon, 'exit') : undefined;
    daemon?.kill(signal);
    await end;
  }
}

/** Asks by plain curl, as a pod does. */
export function curl(net: Topology, where: string, ...args: string[]) {
  const usual = ['-sS', '--globoff', '--max-time', '50', '-H', 'Metadata: true'];
  const { code, stdout, stderr } = net.run(where, 'curl', ...usual, ...args);
  return { code, body: stdout, why: stderr };
}

/** Whose the token is that curl gets; or how curl ended. */
export function whose(net: Topology, where: string, ...args: string[]): string | undefined {
  const { code, body, why } = curl(net, where, ...args);
  if (code !== 0 || !body.startsWith('{')) return `curl ended with ${code}: ${why}${body}`;
  const { access_token: token = '' } = JSON.parse(body) as { access_token?: string };
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  return claims ? (JSON.parse(claims) as { appid: string }).appid : undefined;
}

export const tokenUrl = (host = '169.254.169.254') =>
  `http://${host}/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net`;
