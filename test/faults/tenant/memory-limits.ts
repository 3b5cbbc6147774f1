import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a memory cgroup, by the version of cgroups. Source: the kernel's cgroup-v1/memory.rst and cgroup-v2.rst. */
const versions = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    kills: ['memory.oom_control', /^oom_kill (\d+)/m],
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', kills: ['memory.events', /^oom_kill (\d+)/m] },
] as const;

/** The memory of a program under its limit, in MiB. */
export interface MemoryUse {
  readonly limit: number;
  /** Pages of files count too; the kernel drops them first. */
  readonly peak: number;
  /** Processes that the kernel killed at the limit. */
  readonly kills: number;
}

/**
 * Gives each program the memory limit of its container, by a memory cgroup as kubelet does. Without the right to make
 * cgroups there is no limit, and `reason` says why.
 */
export class MemoryLimits {
  readonly reason: string | undefined;
  readonly #version: (typeof versions)[number] | undefined;
  readonly #groups = new Map<string, { readonly path: string; readonly limit: number }>();

  constructor() {
    this.#version = versions.find(({ root }) => existsSync(join(root, 'cgroup.procs')));
    const reason = this.#version ? this.#problem() : 'the machine has no memory cgroups';
    this.reason = reason;
    if (reason !== undefined) this.#version = undefined;
  }

  /** The command before a program's own, which puts it under the limit before it starts. */
  launcher(name: string, mebibytes: number): string[] {
    if (!this.#version) return [];
    // A program of the same name may run twice.
    const path = this.#make(`${name}-${this.#groups.size}`);
    writeFileSync(join(path, this.#version.limit), String(mebibytes * 1_048_576));
    this.#groups.set(this.#groups.has(name) ? `${name}-${this.#groups.size}` : name, { path, limit: mebibytes });
    return ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')];
  }

  /** The use of each program so far. */
  use(): Map<string, MemoryUse> {
    const version = this.#version;
    if (!version) return new Map();
    const [file, pattern] = version.kills;
    return new Map(
      [...this.#groups].map(([name, { path, limit }]) => {
        const read = (each: string) => (existsSync(join(path, each)) ? readFileSync(join(path, each), 'utf8') : '0');
        const peak = Math.round(Number(read(version.peak)) / 1_048_576);
        return [name, { limit, peak, kills: Number(pattern.exec(read(file))?.[1] ?? 0) }];
      }),
    );
  }

  /** Removes the cgroups, whose processes have ended. */
  remove(): void {
    for (const { path } of this.#groups.values()) rmdirSync(path);
  }

  #make(name: string): string {
    const path = join(this.#version?.root ?? '', `azimuth-tenant-${process.pid}-${name}`);
    mkdirSync(path);
    return path;
  }

  #problem(): string | undefined {
    try {
      const path = this.#make('probe');
      const exists = existsSync(join(path, this.#version?.limit ?? ''));
      rmdirSync(path);
      return exists ? undefined : 'the memory controller is not delegated to this cgroup';
    } catch (error) {
      return `cgroups cannot be made: ${(error as NodeJS.ErrnoException).code}`;
    }
  }
}
