/** A network namespace that plays a node, and one that plays its pods: a veth pair, and as many routes as asked for. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOptions, LoadResult } from '../http-load.ts';
import { addressOf } from './nmi-world.ts';

const pods = 10;
/** Where the node answers the pods. */
export const nodeAddress = '10.99.255.254';
/** Addresses of the pods. */
export const podAddresses = Array.from({ length: pods }, (_, index) => addressOf('10.99.0', index));

/**
 * Runs a script of the benches in the node's namespaces; what its last line has, as JSON. Throws where it fails, as
 * without root.
 */
export function runOnNode<R>(script: string, ...args: readonly string[]): R {
  // A network and a /sys of its own, so that the routes are those of the bench alone.
  const node = 'mount -t sysfs sysfs /sys && ip link set lo up && exec "$0" "$@"';
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--net', '--mount', 'sh', '-c', node, process.execPath, script, ...args],
    { encoding: 'utf8', maxBuffer: 2 ** 24 },
  );
  if (status !== 0) throw new Error(`The bench needs root, unshare and ip: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as R;
}

/** Sends the load that the options describe from the pods. */
export type PodLoad = (options: Omit<LoadOptions, 'host' | 'from' | 'callers'>) => Promise<LoadResult>;

export interface NodeNetwork extends Disposable {
  readonly load: PodLoad;
  /** Adds routes until there are that many: the pods' own first, then those of pods with neighbours that do not age. */
  addRoutes(upTo: number): void;
}

/** Makes the pair and the pods, inside the namespaces of `runOnNode`. */
export async function startNodeNetwork(): Promise<NodeNetwork> {
  const network = spawn('unshare', ['--net', process.execPath, join(import.meta.dirname, 'connections-pods.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(network, 'message');
  batch([], ['link add pods type veth peer name eth0 netns', network.pid].join(' '));
  batch([], `address add ${nodeAddress}/32 dev pods`, 'link set pods up', 'route add 10.99.0.0/24 dev pods');
  batch(
    ['nsenter', '--net', '--target', String(network.pid)],
    'link set lo up',
    'link set eth0 up',
    ...podAddresses.map((address) => `address add ${address}/32 dev eth0`),
    `route add ${nodeAddress}/32 dev eth0`,
  );
  let routes = 1;
  return {
    async load(options) {
      const answer = once(network, 'message');
      network.send({ host: nodeAddress, from: '10.99.0', callers: pods, ...options } satisfies LoadOptions);
      return ((await answer) as [LoadResult])[0];
    },
    addRoutes(upTo) {
      batch([], ...Array.from({ length: upTo - routes }, (_, index) => linesOf(routes + index)).flat());
      routes = upTo;
    },
    [Symbol.dispose]: () => void network.kill('SIGKILL'),
  };
}

function linesOf(pod: number): readonly string[] {
  const address = `10.99.${pod >> 8}.${pod & 255}`;
  const route = `route add ${address}/32 dev pods`;
  const mac = `02:00:00:00:0${pod >> 8}:${(pod & 255).toString(16).padStart(2, '0')}`;
  return pod <= pods ? [route] : [route, `neigh add ${address} lladdr ${mac} dev pods nud permanent`];
}

function batch(inside: readonly string[], ...lines: readonly string[]): void {
  const [program = '', ...args] = [...inside, 'ip', '-batch', '-'];
  const { status, stderr } = spawnSync(program, args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
