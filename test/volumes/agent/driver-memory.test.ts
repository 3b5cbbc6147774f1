/** Namespaces that mount as many CSI volumes as they can on one node. */
import { beforeEach, expect, test } from '@jest/globals';
import { agentSettings } from '../../../runtime/volumes/agent/config.ts';
import { bytesOfFiles, DriverMemory, mountedCsiVolumes } from '../../../runtime/volumes/agent/driver-memory.ts';

const mebibyte = 1024 * 1024;
const most = 16 * mebibyte;
const targetOf = (uid: string, volume = 'v') =>
  `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/${volume}/mount`;
const line = (path: string, { root = '/', type = 'tmpfs' } = {}) =>
  `36 27 0:50 ${root} ${path} rw,relatime shared:7 - ${type} tmpfs rw,size=4096k,inode64\n`;
const content = Buffer.alloc(3 * mebibyte);
const filesOf = (...lengths: number[]) =>
  lengths.map((length, index) => ({ path: `file-${index}`, mode: 0o644, contents: content.subarray(0, length) }));

let node: Node;
let memory: DriverMemory;
beforeEach(() => {
  node = new Node();
  memory = node.agent();
});

class Node {
  readonly pods = new Map<string, string>();
  /** Target paths with the bytes of their tmpfs. */
  readonly mounted = new Map<string, number>();
  readonly drivers = new Map<string, string>();
  current = true;
  /** How often the mount table was read. */
  tables = 0;

  agent(bytes = most): DriverMemory {
    return new DriverMemory({
      most: bytes,
      pods: {
        current: this.current,
        get: (uid) => {
          const namespace = this.pods.get(uid);
          return namespace === undefined
            ? undefined
            : { apiVersion: 'v1', kind: 'Pod', metadata: { name: uid, namespace, uid } };
        },
      },
      mounts: {
        table: () => {
          this.tables++;
          return [...this.mounted.keys()].map((path) => line(path)).join('');
        },
        driverOf: (path) => this.drivers.get(path) ?? 'secrets-store.csi.k8s.io',
        bytesOf: (path) => this.mounted.get(path) ?? 0,
      },
    });
  }

  /** As the driver: mounts, asks the provider, writes the files; unmounts where the provider refuses. */
  mount(namespace: string, uid: string, bytes: number, volume?: string): void {
    const target = targetOf(uid, volume);
    const isNew = !this.mounted.has(target);
    this.pods.set(uid, namespace);
    if (isNew) this.mounted.set(target, 0);
    try {
      memory.reserve(target, { name: uid, namespace, uid }, filesOf(bytes));
    } catch (error) {
      if (isNew) this.mounted.delete(target);
      throw error;
    }
    this.mounted.set(target, (bytesOfFiles(filesOf(bytes)) - 16 * 1024) / 2);
  }
}

function messageOf(work: () => void): string | undefined {
  try {
    return void work();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Mounts volumes of new pods until the first refusal; returns its message. */
function fill(namespace: string, bytes: number): string {
  for (let count = 0; count < 1000; count++) {
    const message = messageOf(() => node.mount(namespace, `${namespace}-${count}`, bytes));
    if (message !== undefined) return message;
  }
  throw new Error(`${namespace} mounts without an end`);
}

test('many large volumes of one namespace end at its share, and two further namespaces still mount', () => {
  expect(fill('greedy', mebibyte)).toMatch(
    /takes \d+ bytes .* of the namespace greedy take \d+ on this node, .* of 16777216 bytes \(--csi-node-volume-bytes .*delete pods/,
  );
  expect(node.mounted.size).toBe(3);
  node.mount('shop', 'web', mebibyte);
  fill('third', 1000);
  node.mount('shop', 'db', 1000);
});

test('volumes that are answered at the same moment do not pass the check together', () => {
  for (let count = 0; count < 40; count++) node.mounted.set(targetOf(`pod-${count}`), 0);
  const passed = Array.from({ length: 40 }, (_, count) => {
    const pod = { name: '', namespace: 'greedy', uid: `pod-${count}` };
    return messageOf(() => memory.reserve(targetOf(pod.uid), pod, filesOf(mebibyte)));
  }).filter((message) => message === undefined);
  expect(passed).toHaveLength(3);
});

test('the message tells a namespace nothing about the volumes of others', () => {
  node.mount('neighbour', 'n', 3 * mebibyte);
  const refused = () => node.mount('shop', 's', 3 * mebibyte);
  expect(refused).toThrow(/namespace shop take 0 on this node/);
  expect(refused).not.toThrow(/neighbour/);
  const numbers = messageOf(refused)?.match(/\d+/g);
  expect(numbers).toEqual([String(bytesOfFiles(filesOf(3 * mebibyte))), '0', String(most)]);
});

test('an unmounted volume gives its room back, also where its pod stays', () => {
  fill('shop', mebibyte);
  node.mounted.delete(targetOf('shop-0'));
  node.mount('shop', 'new', mebibyte);
});

test('a volume counts to its namespace while it is mounted, also after its pod was deleted by force', () => {
  fill('greedy', mebibyte);
  node.pods.clear();
  expect(fill('greedy', mebibyte)).toMatch(/namespace greedy take 6/);
});

test('new versions of a volume replace its former count, and no volume of others keeps them away', () => {
  fill('shop', mebibyte);
  fill('other', mebibyte);
  for (let version = 0; version < 20; version++) node.mount('shop', 'shop-0', mebibyte);
  expect(() => node.mount('shop', 'shop-0', 3 * mebibyte)).toThrow(/--csi-node-volume-bytes/);
  node.mount('shop', 'shop-0', mebibyte);
  // What it gives up is there for its other volumes.
  node.mount('shop', 'shop-0', 1000);
  node.mount('shop', 'shop-1', mebibyte);
});

test('a rotation that needs no more space does not read the mount table', () => {
  node.mount('shop', 'web', mebibyte);
  const { tables } = node;
  node.mount('shop', 'web', mebibyte);
  node.mount('shop', 'web', 1000);
  expect(node.tables).toBe(tables);
});

test('a volume whose new files the driver did not write counts with those that it has', () => {
  node.mount('shop', 'web', 3 * mebibyte);
  memory.reserve(targetOf('web'), { name: '', namespace: 'shop', uid: 'web' }, filesOf(1000));
  expect(() => node.mount('shop', 'db', 3 * mebibyte)).toThrow(/namespace shop take 3/);
});

test('an agent that restarts counts the mounts that it finds, and their new versions as before', () => {
  fill('greedy', mebibyte);
  memory = node.agent();
  expect(() => node.mount('greedy', 'new', mebibyte)).toThrow(/namespace greedy take 6/);
  node.mount('shop', 'web', mebibyte);
  fill('other', 1000);
  node.mount('greedy', 'greedy-0', mebibyte);
});

test.each(['pods', 'volumes', 'mount'])('volumes with the name %s count, each in its pod', (volume) => {
  const mount = (count: number) => node.mount('greedy', `pod-${count}`, mebibyte, volume);
  for (let count = 0; count < 3; count++) mount(count);
  expect(() => mount(3)).toThrow(/namespace greedy take 6/);
});

test('volumes of other CSI drivers do not count', () => {
  node.mounted.set(targetOf('tls'), 100 * mebibyte);
  node.drivers.set(targetOf('tls'), 'tls.example.com');
  node.mount('shop', 'web', 3 * mebibyte);
});

test('where the agent sees no mounts, a volume counts while its pod exists, and until that is known', () => {
  const answer = (uid: string) => {
    node.pods.set(uid, 'shop');
    memory.reserve(targetOf(uid), { name: '', namespace: 'shop', uid }, filesOf(3 * mebibyte));
  };
  answer('a');
  expect(() => answer('b')).toThrow(/namespace shop take 6/);
  node.pods.delete('a');
  answer('b');
  node.current = false;
  memory = node.agent();
  answer('c');
  node.pods.delete('c');
  expect(() => answer('d')).toThrow(/namespace shop take 6/);
});

test('mounts are found below any directory of kubelet, each once, and no directory of another tmpfs', () => {
  const target = targetOf('u');
  const table = [
    line('/run'),
    line(target),
    line(`/host${target}`),
    line(targetOf('nfs'), { type: 'nfs4' }),
    line(targetOf('bound'), { root: '/certificates/u' }),
    line('/var/lib/kubelet/pods/u/volume-subpaths/v/web/0'),
    line('/data/pods/u2/volumes/kubernetes.io~csi/other/mount'),
  ].join('');
  expect([...mountedCsiVolumes(table).keys()]).toEqual([
    '/pods/u/volumes/kubernetes.io~csi/v/mount',
    '/pods/u2/volumes/kubernetes.io~csi/other/mount',
  ]);
});

test('directories count, of which aliases make thousands, and those of several files once', () => {
  const file = (path: string) => ({ path, mode: 0o644, contents: content.subarray(0, 1) });
  const deep = Array.from({ length: 100 }, (_, index) => file(`${index}/${'a/'.repeat(18)}b`));
  expect(bytesOfFiles(deep, 4096)).toBeGreaterThan(2 * 100 * (19 * 1024 + 4096));
  const [first, second] = [bytesOfFiles([file('a/b/c')], 4096), bytesOfFiles([file('a/b/c'), file('a/b/d')], 4096)];
  expect(second - first).toBe(2 * (4096 + 1536));
});

test('110 pods with five volumes of a few kilobytes each fit the default bound, in one namespace', () => {
  memory = node.agent(Number(agentSettings.csiNodeVolumeBytes.default));
  const bytes = bytesOfFiles(filesOf(1000, 2000, 5000));
  expect(550 * bytes).toBeLessThan(Number(agentSettings.csiNodeVolumeBytes.default) / 2);
});
