import { statfsSync } from 'node:fs';
import { AzimuthError } from '../../base/errors.ts';
import { fitsShare } from '../../base/fairness/fits-share.ts';

/**
 * Memory of a volume that the kernel charges to the cgroup of kubelet, because kubelet starts the driver that writes the
 * files. The tmpfs has it in its source, so the mount table of the node has the memory of all volumes, for as long as
 * they are mounted, and no pod can change it.
 */
export interface VolumeMemory {
  /** The pod's namespace from the agent; '' where the driver read the vault itself: a pod's options may name any. */
  readonly namespace: string;
  readonly bytes: number;
}

/** Bytes of the tmpfs itself: its superblock, mount and directories. */
const tmpfsBytes = 16 * 1024;
/** Bytes of a file beside its content: two inodes with their names, and a page for the link of a long name. */
const fileBytes = 6 * 1024;
const prefix = 'azimuth-kv:';

/** Bytes for files with contents of these lengths. `page`: size of a page of memory. */
export function bytesInMemory(lengths: readonly number[], page: number = statfsSync('/proc').bsize): number {
  return lengths.reduce((sum, length) => sum + fileBytes + Math.ceil(length / page) * page, tmpfsBytes);
}

/** The source of the tmpfs of a volume, which mountinfo shows. */
export function sourceOf({ namespace, bytes }: VolumeMemory): string {
  return `${prefix}${namespace}:${bytes}`;
}

/** The volumes of a mount table (mountinfo of proc(5)). A bind mount has the device of its volume and does not count. */
export function mountedVolumes(table: string): VolumeMemory[] {
  // The kernel escapes blanks in texts of others, such as the source of a share.
  const mark = ` - tmpfs ${prefix}`;
  const byDevice = new Map<string, VolumeMemory>();
  // Most lines are of other mounts, so the table is not split into lines.
  for (let at = table.indexOf(mark); at >= 0; at = table.indexOf(mark, at + 1)) {
    const from = at + mark.length;
    const [namespace = '', bytes] = table.slice(from, table.indexOf(' ', from)).split(':');
    const [, , device = ''] = table.slice(table.lastIndexOf('\n', at) + 1, at).split(' ', 3);
    byDevice.set(device, { namespace, bytes: Number(bytes) });
  }
  return [...byDevice.values()];
}

/** Throws AZ_VOLUME_MOUNT where the namespace has no room for the volume beside those of the table. */
export function checkRoom({ namespace, bytes }: VolumeMemory, table: string, most: number): void {
  const sum = (volumes: readonly VolumeMemory[]) => volumes.reduce((total, volume) => total + volume.bytes, 0);
  const mounted = mountedVolumes(table);
  const namespaceBytes = sum(mounted.filter((volume) => volume.namespace === namespace));
  if (fitsShare(bytes, { own: namespaceBytes, all: sum(mounted), most })) return;
  const others = namespace === '' ? 'volumes mounted without the node agent' : `volumes of the namespace ${namespace}`;
  throw new AzimuthError(
    'AZ_VOLUME_MOUNT',
    `The volume takes ${bytes} bytes of the node's memory and other ${others} take ${namespaceBytes} here, together more than stays ` +
      `free for other namespaces of ${most} bytes (nodeVolumeBytes in the driver's settings); delete pods with such ` +
      'volumes on this node, mount fewer objects, or raise nodeVolumeBytes',
  );
}
