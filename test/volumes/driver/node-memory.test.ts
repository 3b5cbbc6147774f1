/** Namespaces that mount as much as they can on one node. The mounts are directories: nothing of the machine is touched. */
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { runDriver } from '../../../runtime/volumes/driver/driver.ts';
import type { DriverOptions } from '../../../runtime/volumes/driver/driver-options.ts';
import type { Mounts } from '../../../runtime/volumes/mount/mounts.ts';
import { reserveMemory } from '../../../runtime/volumes/mount/reserve-memory.ts';
import { mountedVolumes } from '../../../runtime/volumes/mount/volume-memory.ts';
import { defaultSettings } from '../../../runtime/volumes/options/settings.ts';
import { scratch } from '../../fakes/scratch.ts';

const root = process.getuid?.() === 0;
const inRootOnly = root ? test : test.skip;
if (!root) test.skip('NOT RUN: files of volumes belong to root, and this user is not root', () => undefined);

const place = scratch();
afterAll(() => place.remove());
const kibibyte = 1024;
const nodeVolumeBytes = 4096 * kibibyte;
let node: Node;
let nodes = 0;
beforeEach(() => {
  node = new Node(join(place.path, `node-${nodes++}`));
});

class Node {
  readonly #base: string;
  readonly #sources = new Map<string, string>();
  readonly #made = new Map<number, string>();
  #locked = false;
  #volumes = 0;

  constructor(base: string) {
    this.#base = base;
  }

  get mounted(): number {
    return this.#sources.size;
  }

  bytesOf(namespace?: string): number {
    return mountedVolumes(this.#mounts.table())
      .filter((volume) => namespace === undefined || volume.namespace === namespace)
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Mounts a volume with a file of so many bytes; resolves to its directory, or rejects with the message. */
  async mount(namespace: string | undefined, bytes: number, change: Partial<DriverOptions> = {}): Promise<string> {
    const directory = join(this.#base, 'pods', 'u', 'volumes', 'azure~kv', `v${this.#volumes++}`);
    const options: DriverOptions = {
      settings: { ...defaultSettings, logFile: '', stateDirectory: join(this.#base, 'state'), nodeVolumeBytes },
      env: {},
      mounts: this.#mounts,
      signal: new AbortController().signal,
      content: async () => ({
        files: [{ name: 'secret', content: Buffer.alloc(bytes), mode: 0o440 }],
        ...(namespace !== undefined && { namespace }),
      }),
      ...change,
    };
    // A pod's options may name any namespace.
    const document = JSON.stringify({ 'kubernetes.io/pod.namespace': `invented-${this.#volumes}` });
    const { message } = await runDriver(['mount', directory, document], options);
    if (message !== undefined) throw new Error(message);
    return directory;
  }

  async unmount(directory: string): Promise<void> {
    const settings = { ...defaultSettings, logFile: '', stateDirectory: join(this.#base, 'state') };
    const options = { settings, env: {}, mounts: this.#mounts, signal: new AbortController().signal };
    expect(await runDriver(['unmount', directory], options)).toEqual({ status: 'Success' });
  }

  readonly #mounts: Mounts = {
    isMounted: (directory) => this.#sources.has(directory),
    below: () => [],
    detached: (_, source) => {
      const path = join(this.#base, `tmpfs-${this.#volumes}-${this.#made.size}`);
      mkdirSync(path, { recursive: true });
      const handle = openSync(path, 'r');
      this.#made.set(handle, source);
      return handle;
    },
    attach: (handle, directory) => {
      this.#sources.set(directory, this.#made.get(handle) ?? '');
      return true;
    },
    tmpfs: () => undefined,
    bind: () => undefined,
    unmount: (directory) => void this.#sources.delete(directory),
    table: () =>
      [...this.#sources]
        .map(([directory, source], index) => `1 1 0:${index} / ${directory} rw - tmpfs ${source} rw\n`)
        .join(''),
    tryLock: () => {
      if (this.#locked) return undefined;
      this.#locked = true;
      return () => {
        this.#locked = false;
      };
    },
  };
}

/** Mounts until the first refusal; returns its message. */
async function fill(namespace: string | undefined, bytes: number): Promise<string> {
  for (let round = 0; round < 1000; round++) {
    try {
      await node.mount(namespace, bytes);
    } catch (error) {
      return (error as Error).message;
    }
  }
  throw new Error(`${namespace} mounts without an end`);
}

inRootOnly('many large volumes of one namespace end at its share, and two further namespaces still mount', async () => {
  const message = await fill('greedy', 256 * kibibyte);
  expect(message).toMatch(/^AZ_VOLUME_MOUNT: .*namespace greedy take \d+ here.*nodeVolumeBytes/);
  expect(node.bytesOf('greedy')).toBeLessThanOrEqual(nodeVolumeBytes / 2);
  expect(node.bytesOf('greedy')).toBeGreaterThan(nodeVolumeBytes / 3);
  await node.mount('shop', 512 * kibibyte);
  await node.mount('shop', 2000);
  await fill('third', 1000);
  await node.mount('shop', 2000);
  expect(node.bytesOf()).toBeLessThan(nodeVolumeBytes);
});

inRootOnly('many volumes of a byte end at the share too: each takes memory of the kernel', async () => {
  await fill('greedy', 1);
  expect(node.mounted).toBeLessThan(nodeVolumeBytes / 2 / 20_000);
  await node.mount('shop', 64 * kibibyte);
});

inRootOnly('volumes that are mounted at the same moment do not pass the check together', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => node.mount('greedy', 256 * kibibyte)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  expect(node.bytesOf()).toBeLessThanOrEqual(nodeVolumeBytes / 2);
});

inRootOnly('an unmounted volume gives its room back, and a failed one takes none', async () => {
  const first = await node.mount('shop', 900 * kibibyte);
  await node.mount('shop', 900 * kibibyte);
  await expect(node.mount('shop', 900 * kibibyte)).rejects.toThrow(/nodeVolumeBytes/);
  await node.unmount(first);
  const broken = { step: (name: string) => (name === 'attach' ? fail() : undefined) };
  await expect(node.mount('shop', 900 * kibibyte, broken)).rejects.toThrow(/broken/);
  await node.mount('shop', 900 * kibibyte);
});

inRootOnly('without the agent all volumes have one share, whatever namespaces their options name', async () => {
  expect(await fill(undefined, 256 * kibibyte)).toMatch(/volumes mounted without the node agent take/);
  expect(node.bytesOf('')).toBe(node.bytesOf());
  await node.mount('shop', 512 * kibibyte);
});

function fail(): never {
  throw new Error('broken');
}

test("a volume's record counts by its bytes, of which the options of a pod may have three for each character", async () => {
  const settings = { stateDirectory: join(place.path, 'record'), nodeVolumeBytes };
  const mounts = { table: () => '', tryLock: () => () => undefined };
  const signal = new AbortController().signal;
  const sourceFor = async (record: string) =>
    (await reserveMemory({ files: [], namespace: 'shop' }, record, { settings, mounts, signal })).source;
  expect(await sourceFor('語'.repeat(100_000))).toBe(await sourceFor('x'.repeat(300_000)));
});
