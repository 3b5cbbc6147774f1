import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mounts } from './mounts.ts';

/**
 * A place that only root reaches, where a volume is made ready before it is shown. kubelet takes any mount at the volume's
 * directory for a finished volume, so a driver that is killed must leave none there that is not.
 *
 * The name tells whose it is: the process id with the time that process started. Those of dead processes are cleared by
 * the next call.
 */
export class Stage {
  readonly path: string;
  readonly #mounts: Mounts;

  constructor(stateDirectory: string, mounts: Mounts) {
    this.#mounts = mounts;
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    this.path = join(stateDirectory, `stage.${process.pid}.${startOf(process.pid)}`);
  }

  /** Makes the place, a tmpfs of this size. */
  async open(sizeBytes: number): Promise<void> {
    mkdirSync(this.path, { mode: 0o700 });
    await this.#mounts.tmpfs(this.path, sizeBytes);
  }

  /** Removes it; what was bound elsewhere lives on there. Does nothing the second time. */
  close(): Promise<void> {
    return clear(this.path, this.#mounts);
  }
}

/** Removes what killed drivers left. */
export async function clearStages(stateDirectory: string, mounts: Mounts): Promise<void> {
  for (const entry of tryList(stateDirectory)) {
    const [, pid, start] = /^stage\.(\d+)\.(\d+)$/.exec(entry) ?? [];
    if (pid === undefined || startOf(Number(pid)) === Number(start)) continue;
    // Another call may be at the same work.
    await clear(join(stateDirectory, entry), mounts).catch(() => undefined);
  }
}

async function clear(path: string, mounts: Mounts): Promise<void> {
  for (const point of mounts.below(path)) await mounts.unmount(point);
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Field 22 of /proc/pid/stat (proc(5)), in ticks since the machine started; -1 where there is no such process. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name in parentheses, may have blanks.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return -1;
  }
}

function tryList(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
