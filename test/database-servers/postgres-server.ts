import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import type { DatabaseRoute } from '../../runtime/operator/data-plane/database-accounts.ts';
import { Ids } from '../../sandbox/azure/ids.ts';
import { issueCertificate, type KeyAndCertificate } from '../../sandbox/azure/pki.ts';

/** A real database server on loopback, with TLS and a data directory of its own. */
export interface DatabaseServer {
  readonly port: number;
  /** Leads the operator's connections to it, whatever server Azure shows. */
  readonly route: DatabaseRoute;
  readonly password: string;
  /** What the server wrote to its log so far. */
  log(): string;
  stop(): Promise<void>;
}

/** A socket that connects to this port of loopback, whatever address it is given. */
export function socketTo(port: number): () => Socket {
  return () => {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    return Object.assign(socket, { connect: () => connect(port, '127.0.0.1') });
  };
}

/** A certificate for this domain name, from an authority of its own. */
export async function serverCertificate(host: string): Promise<KeyAndCertificate & { readonly ca: string }> {
  const ids = new Ids(undefined, { counter: 0 });
  const now = Date.now();
  const ca = await issueCertificate({ commonName: 'test ca', ids, now, days: 30, ca: true });
  const tls = await issueCertificate({ commonName: host, ids, now, days: 30, issuer: ca, dnsNames: [host] });
  return { ...tls, ca: ca.certPem };
}

/** The user that servers run as, which refuse to run as root; undefined where the test itself is not root. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** Starts PostgreSQL with the programs in AZIMUTH_POSTGRES, with the superuser `boss`. */
export async function startPostgres(host: string): Promise<DatabaseServer> {
  const programs = process.env['AZIMUTH_POSTGRES'] ?? '';
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-postgres-'));
  const password = `boss's "p\\w`;
  const { keyPem, certPem, ca } = await serverCertificate(host);
  const files = { 'tls.key': keyPem, 'tls.crt': certPem, password: `${password}\n` };
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    if (unprivileged) chownSync(file, unprivileged.uid, unprivileged.gid);
  }
  if (unprivileged) chownSync(directory, unprivileged.uid, unprivileged.gid);
  const data = join(directory, 'data');
  const options = { cwd: directory, ...unprivileged };
  const initialize = [
    '-D',
    data,
    '-U',
    'boss',
    '--auth=scram-sha-256',
    `--pwfile=${join(directory, 'password')}`,
    '-N',
  ];
  const made = spawnSync(join(programs, 'initdb'), initialize, { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  // No connection without TLS.
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    ssl: 'on',
    ssl_cert_file: join(directory, 'tls.crt'),
    ssl_key_file: join(directory, 'tls.key'),
    fsync: 'off',
    log_statement: 'all',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return await running(server, { port, password, ca, directory, stopSignal: 'SIGINT' });
}

/** The server, once it accepts connections. `stop` ends it by its signal, and removes its directory. */
export async function running(
  server: ChildProcess,
  parts: {
    readonly port: number;
    readonly password: string;
    readonly ca: string;
    readonly directory: string;
    readonly stopSignal: NodeJS.Signals;
  },
): Promise<DatabaseServer> {
  const { port, password, ca, directory, stopSignal } = parts;
  let log = '';
  server.stderr?.on('data', (text: Buffer) => {
    log += text.toString();
  });
  await listening(server, port, () => log);
  return {
    port,
    password,
    route: { ca, socket: socketTo(port) },
    log: () => log,
    stop: async () => {
      if (server.exitCode === null) {
        const ended = once(server, 'exit');
        server.kill(stopSignal);
        await ended;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Waits until the server accepts connections. Throws with its log where it ends first. */
async function listening(server: ChildProcess, port: number, log: () => string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}: ${log()}`);
    const socket = connectSocket(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
