import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why the tests of this directory cannot run here; undefined where they can. */
export function missingForNetwork(): string | undefined {
  const missing = ['ip', 'iptables-nft', 'iptables-legacy', 'ip6tables-nft', 'conntrack', 'curl'].filter(
    (program) => spawnSync('which', [program]).status !== 0,
  );
  if (missing.length > 0) return `${missing.join(', ')} to be installed`;
  const probe = `az-probe-${process.pid}-${randomBytes(3).toString('hex')}`;
  const { status, stderr } = spawnSync('ip', ['netns', 'add', probe], { encoding: 'utf8' });
  spawnSync('ip', ['netns', 'delete', probe]);
  return status === 0 ? undefined : `the right to make network namespaces (${stderr.trim()})`;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Address families that the node and its pods have; the machine's endpoint is there in both. */
export type Families = 'both' | 'ipv4' | 'ipv6';

const metadata = { ipv4: '169.254.169.254', ipv6: 'fd00:a9fe:a9fe::fe' };

/**
 * Four network namespaces: `fabric`, where the machine's metadata endpoint is; `node`, which routes between it and the
 * pods; two pods, each on a veth pair of its own with a route of its own, as Azure's and Calico's plugins do it.
 */
export class Topology implements AsyncDisposable {
  readonly metadata = metadata;
  readonly podIps = ['10.99.1.2', '10.99.2.2'] as const;
  readonly podIp6s = ['fd99:1::2', 'fd99:2::2'] as const;
  readonly directory = mkdtempSync(join(tmpdir(), 'azimuth-net-'));
  /** Not of the process alone: what a killed run left behind may have its number. */
  readonly #prefix = `az${process.pid}-${randomBytes(3).toString('hex')}`;
  readonly #children = new Set<ChildProcess>();

  readonly #families: Families;

  private constructor(families: Families) {
    this.#families = families;
  }

  static async start(families: Families = 'both'): Promise<Topology> {
    const topology = new Topology(families);
    topology.#wire();
    await topology.start('fabric', 'imds.ts', ['80', metadata.ipv4, metadata.ipv6]);
    return topology;
  }

  #wire(): void {
    const name = (short: string) => `${this.#prefix}-${short}`;
    for (const short of ['fabric', 'node', 'pod1', 'pod2']) {
      ip('netns', 'add', name(short));
      this.must(short, 'ip', 'link', 'set', 'lo', 'up');
      // A new namespace has the machine's setting, which its kubelet may have made.
      const loopback = ['all', 'default', 'lo'].map((device) => `net.ipv4.conf.${device}.route_localnet=0`);
      this.must(short, 'sysctl', '-qw', ...loopback);
      // Neighbours are known by then; duplicate detection would only delay.
      this.must(short, 'sysctl', '-qw', 'net.ipv6.conf.default.accept_dad=0', 'net.ipv6.conf.all.accept_dad=0');
      if (this.#families === 'ipv4' && short !== 'fabric') this.setIpv6(short, 'off');
    }
    this.#pair('node', 'fabric', 'eth0', 'eth0');
    this.#address('node', 'eth0', '10.98.0.2/24', 'fd98::2/64');
    this.#address('fabric', 'eth0', '10.98.0.1/24', 'fd98::1/64');
    this.#address('fabric', 'lo', `${metadata.ipv4}/32`, `${metadata.ipv6}/128`);
    this.#default('node', '10.98.0.1', 'fd98::1');
    this.must('fabric', 'ip', 'route', 'add', '10.99.0.0/16', 'via', '10.98.0.2');
    for (const prefix of ['fd99:1::/64', 'fd99:2::/64']) {
      this.must('fabric', 'ip', '-6', 'route', 'add', prefix, 'via', 'fd98::2');
    }
    this.must('node', 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1');
    for (const n of [1, 2]) this.#connect(n);
  }

  /** What a network plugin does when one pod ends and the next gets its address: a new interface, even of the same name. */
  replace(n: number): void {
    this.must('node', 'ip', 'link', 'delete', `veth${n}`);
    this.#connect(n);
  }

  #connect(n: number): void {
    this.#pair('node', `pod${n}`, `veth${n}`, 'eth0');
    this.#address('node', `veth${n}`, `10.99.${n}.1/24`, `fd99:${n}::1/64`);
    this.#address(`pod${n}`, 'eth0', `10.99.${n}.2/24`, `fd99:${n}::2/64`);
    this.#default(`pod${n}`, `10.99.${n}.1`, `fd99:${n}::1`);
  }

  /** As an administrator does it, on every interface there is or will be. */
  setIpv6(where: string, state: 'on' | 'off'): void {
    const value = state === 'on' ? 0 : 1;
    this.must(where, 'sysctl', '-qw', ...['all', 'default'].map((all) => `net.ipv6.conf.${all}.disable_ipv6=${value}`));
  }

  #has(where: string, address: string): boolean {
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    return where === 'fabric' || this.#families === 'both' || this.#families === family;
  }

  #default(where: string, ...gateways: string[]): void {
    for (const gateway of gateways) {
      if (this.#has(where, gateway)) this.must(where, 'ip', 'route', 'add', 'default', 'via', gateway);
    }
  }

  #pair(a: string, b: string, device: string, peer: string): void {
    const [first, second] = [a, b].map((short) => `${this.#prefix}-${short}`) as [string, string];
    ip('link', 'add', device, 'netns', first, 'type', 'veth', 'peer', 'name', peer, 'netns', second);
    this.must(a, 'ip', 'link', 'set', device, 'up');
    this.must(b, 'ip', 'link', 'set', peer, 'up');
  }

  #address(where: string, device: string, ...addresses: string[]): void {
    for (const each of addresses) {
      if (!this.#has(where, each)) continue;
      this.must(where, 'ip', 'address', 'add', each, 'dev', device, ...(each.includes(':') ? ['nodad'] : []));
    }
  }

  /** Runs a program in a namespace. */
  run(where: string, program: string, ...args: string[]): Finished {
    const all = ['netns', 'exec', `${this.#prefix}-${where}`, program, ...args];
    const { status, stdout, stderr } = spawnSync('ip', all, { encoding: 'utf8', timeout: 60_000 });
    return { code: status ?? -1, stdout, stderr };
  }

  must(where: string, program: string, ...args: string[]): string {
    const { code, stdout, stderr } = this.run(where, program, ...args);
    if (code !== 0) throw new Error(`${where}: ${program} ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Starts a script of this directory in a namespace, and waits for its first line. */
  async start(where: string, script: string, args: readonly string[]): Promise<ChildProcess> {
    const child = this.spawn(where, [join(import.meta.dirname, script), ...args]);
    await Promise.race([
      once(child.stdout as NonNullable<typeof child.stdout>, 'data'),
      // Not its exit, which may come before what it printed.
      once(child, 'close').then(([code]) => {
        throw new Error(`${script} ended with code ${code}`);
      }),
    ]);
    return child;
  }

  /** Starts node in a namespace; what it prints goes to the end of a file, or to a pipe. */
  spawn(where: string, args: readonly string[], env: Record<string, string> = {}, file?: string): ChildProcess {
    const all = ['netns', 'exec', `${this.#prefix}-${where}`, process.execPath, ...args];
    const output = file === undefined ? 'pipe' : openSync(file, 'a');
    const child = spawn('ip', all, { stdio: ['pipe', output, 'inherit'], env: { ...process.env, ...env } });
    if (typeof output === 'number') closeSync(output);
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = [...this.#children].map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ends);
    for (const short of ['pod1', 'pod2', 'node', 'fabric']) {
      spawnSync('ip', ['netns', 'delete', `${this.#prefix}-${short}`]);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}
