import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import { fitsShare } from '../../base/fairness/fits-share.ts';
import type { MountFile } from '../csi/messages.ts';
import { directoriesOf } from '../csi/provider-files.ts';
import { podUidOf } from '../driver/mount-request.ts';
import { mountTable } from '../mount/mounts.ts';
import type { PodReference } from '../options/volume-spec.ts';
import type { NodePods } from './pods.ts';

/** What the agent reads of the node's CSI volumes. Paths are target paths: `…/kubernetes.io~csi/<volume>/mount`. */
export interface CsiMounts {
  /** The mount table: mountinfo of proc(5). */
  table(): string;
  /** The CSI driver that kubelet names for the volume; '' = unknown. */
  driverOf(path: string): string;
  /** Memory of the entries of the tmpfs in bytes; 0 where it is gone. */
  bytesOf(path: string): number;
}

/** Dependencies of DriverMemory. */
export interface DriverMemoryDeps {
  /** Bytes for all volumes of the node. */
  readonly most: number;
  readonly pods: Pick<NodePods, 'current' | 'get'>;
  /** @default those of this process */
  readonly mounts?: CsiMounts;
}

interface Volume {
  readonly uid: string;
  /** '' = unknown. */
  namespace: string;
  bytes: number;
  /** Where this process sees the mount; undefined before it did. */
  path: string | undefined;
}

const secretsStore = 'secrets-store.csi.k8s.io';
const csiVolumes = '/volumes/kubernetes.io~csi/';
/** Bytes of a tmpfs without entries. */
const tmpfsBytes = 16 * 1024;
/** Bytes of a file, link or directory beside its content; Linux 6.18 takes 960. */
const inodeBytes = 1536;
/** The volume's directory, the one with the files, and the link to that. */
const ownInodes = 3;
/** Longest name whose link, `..data/<name>`, has no page of its own in a tmpfs: 128 bytes with the zero at its end. */
const shortName = 128 - '..data/'.length - 1;

/**
 * Memory of the node's CSI volumes. The kernel counts it to the container of the Secrets Store CSI driver, which writes
 * the files and ends at the limit of its container. A volume counts while it is mounted; where this process does not see
 * the mount, while its pod exists.
 */
export class DriverMemory {
  readonly #most: number;
  readonly #pods: DriverMemoryDeps['pods'];
  readonly #mounts: CsiMounts;
  readonly #volumes = new Map<string, Volume>();
  /** Volumes of other drivers, which count elsewhere. */
  #others = new Set<string>();

  constructor({ most, pods, mounts = systemMounts }: DriverMemoryDeps) {
    this.#most = most;
    this.#pods = pods;
    this.#mounts = mounts;
  }

  /**
   * Counts the files of an answer in place of the volume's present files. Throws AZ_VOLUME_MOUNT where they take more than
   * before, and more than stays free for other namespaces.
   */
  reserve(targetPath: string, pod: PodReference, files: readonly MountFile[]): void {
    const key = keyOf(targetPath);
    const { namespace } = pod;
    const bytes = bytesOfFiles(files);
    // Volumes of other namespaces must not keep this one from its new versions.
    const fits = () => bytes <= (this.#volumes.get(key)?.bytes ?? 0);
    if (!fits()) {
      this.#update();
      if (!fits()) this.#checkRoom(key, namespace, bytes);
    }
    const volume = this.#volumes.get(key);
    const uid = podUidOf(targetPath) ?? pod.uid;
    this.#volumes.set(key, { uid, namespace, bytes, path: volume?.path });
  }

  #checkRoom(key: string, namespace: string, bytes: number): void {
    let [own, all] = [0, 0];
    for (const [other, volume] of this.#volumes) {
      if (other === key) continue;
      const used = volume.path === undefined ? 0 : this.#mounts.bytesOf(volume.path);
      const counted = Math.max(volume.bytes, used);
      all += counted;
      if (volume.namespace === namespace) own += counted;
    }
    const most = this.#most;
    if (fitsShare(bytes, { own, all, most })) return;
    throw new AzimuthError(
      'AZ_VOLUME_MOUNT',
      `The volume takes ${bytes} bytes of the memory of the Secrets Store CSI driver and other CSI volumes of the ` +
        `namespace ${namespace} take ${own} on this node, together more than stays free for other namespaces of ${most} ` +
        'bytes (--csi-node-volume-bytes of the node agent); delete pods with such volumes on this node, mount fewer ' +
        'objects, or raise that setting together with the memory limit of the driver',
    );
  }

  /** Compares with the mount table: volumes may be older than this process, or unmounted since. */
  #update(): void {
    const mounted = mountedCsiVolumes(this.#mounts.table());
    for (const [key, { uid, path }] of this.#volumes) {
      const isGone = path !== undefined || (this.#pods.current && this.#pods.get(uid) === undefined);
      if (isGone && !mounted.has(key)) this.#volumes.delete(key);
    }
    this.#others = new Set([...this.#others].filter((key) => mounted.has(key)));
    for (const [key, path] of mounted) {
      const volume = this.#volumes.get(key) ?? this.#find(key, path);
      if (!volume) continue;
      volume.path = path;
      volume.namespace ||= this.#pods.get(volume.uid)?.metadata.namespace ?? '';
    }
  }

  /** Begins to count a mount that no answer of this process explains. Undefined for another driver's. */
  #find(key: string, path: string): Volume | undefined {
    if (this.#others.has(key)) return undefined;
    if (this.#mounts.driverOf(path) !== secretsStore) return void this.#others.add(key);
    const bytes = twice(this.#mounts.bytesOf(path));
    const volume = { uid: podUidOf(path) ?? '', namespace: '', bytes, path };
    this.#volumes.set(key, volume);
    return volume;
  }
}

/**
 * The target paths of a mount table with a tmpfs of their own, by pod uid and volume: the agent's container may show one
 * at several paths. Drivers that bind a directory of a tmpfs elsewhere have another root than `/`.
 */
export function mountedCsiVolumes(table: string): Map<string, string> {
  const volumes = new Map<string, string>();
  for (const line of table.split('\n')) {
    if (!line.includes(csiVolumes) || !line.includes(' - tmpfs ')) continue;
    const [, , , root, path = ''] = line.split(' ', 5);
    if (root === '/' && path.includes(csiVolumes) && path.endsWith('/mount')) volumes.set(keyOf(path), path);
  }
  return volumes;
}

function keyOf(path: string): string {
  // The author of a pod may name a volume "pods".
  const at = path.lastIndexOf('/pods/', path.lastIndexOf(csiVolumes));
  return at < 0 ? path : path.slice(at);
}

/** At a rotation the driver writes the new files before it removes the former ones. */
function twice(bytes: number): number {
  return tmpfsBytes + 2 * bytes;
}

/** Bytes for a volume with these files. */
export function bytesOfFiles(files: readonly MountFile[], page: number = statfsSync('/proc').bsize): number {
  const paths = files.map(({ path }) => path);
  const links = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''));
  const inodes = ownInodes + paths.length + directoriesOf(paths).size + links.size;
  const longLinks = [...links].filter((name) => Buffer.byteLength(name) > shortName).length;
  const pages = files.reduce((sum, { contents }) => sum + Math.ceil(contents.length / page), longLinks);
  return twice(inodes * inodeBytes + pages * page);
}

const systemMounts: CsiMounts = {
  table: mountTable,
  driverOf(path) {
    try {
      return String(JSON.parse(readFileSync(`${dirname(path)}/vol_data.json`, 'utf8')).driverName);
    } catch {
      return '';
    }
  },
  bytesOf(path) {
    try {
      const { blocks, bfree, bsize, files, ffree } = statfsSync(path);
      return (files - ffree) * inodeBytes + (blocks - bfree) * bsize;
    } catch {
      return 0;
    }
  },
};
