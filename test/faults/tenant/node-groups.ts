import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ProgramResources } from '../../../runtime/cli/demo/world.ts';
import { CgroupTree } from './cgroup-tree.ts';

const cpuFiles = ['cpu.shares', 'cpu.weight'] as const;
const memoryFiles = ['memory.limit_in_bytes', 'memory.max'] as const;
const peakFiles = ['memory.max_usage_in_bytes', 'memory.peak'] as const;
const killFiles = ['memory.oom_control', 'memory.events'] as const;

/** What kubelet gives to pods without requests, the least that the kernel knows. */
const bestEffortShares = 2;
/** What systemd gives to system.slice, where kubelet runs, and the kernel to every group. */
const systemShares = 1024;
/** The node goes before other work of this machine, which is no part of it: the most that a group can have. */
const nodeShares = 256 * 1024;
/** Other machines do not wait for the processors of this one. */
const elsewhereShares = 64 * 1024;

/** The groups of a node beside those of the programs' pods. */
const groups = {
  /** Pods of the hostile tenant: BestEffort. */
  bestEffort: 'kubepods/besteffort',
  /** kubelet, which works for every tenant. */
  kubelet: 'system',
  /** What runs on other machines: the API server, Azure, and who measures. */
  elsewhere: 'elsewhere',
} as const;

/** The memory of a program under its limit, in MiB. */
export interface MemoryUse {
  readonly limit: number;
  /** Pages of files count too; the kernel drops them first. */
  readonly peak: number;
  /** Processes that the kernel killed at the limit. */
  readonly kills: number;
}

/**
 * The groups of processors and memory that a node with these programs has: each program has the shares of its CPU
 * request and the limit of its memory, as kubelet sets them (MilliCPUToShares in pkg/kubelet/cm/helpers_linux.go, and
 * qos_container_manager_linux.go). Without the right to make cgroups there are none; the two problems give the reason.
 */
export class NodeGroups {
  readonly #root = `azimuth-tenant-${process.pid}`;
  readonly #cpu = new CgroupTree('cpu', cpuFiles);
  readonly #memory = new CgroupTree('memory', memoryFiles);
  /** Paths and limits of the programs' groups, by name. */
  readonly #pods = new Map<string, { readonly path: string; readonly limit: number }>();
  #requested = 0;

  constructor() {
    if (this.cpuProblem) return;
    this.#share('', nodeShares);
    this.#share('kubepods', availableParallelism() * 1024);
    this.#share(groups.bestEffort, bestEffortShares);
    this.#share(groups.kubelet, systemShares);
    this.#share(groups.elsewhere, elsewhereShares);
  }

  /** Why programs have no shares of the processors; undefined where they have. */
  get cpuProblem(): string | undefined {
    return this.#cpu.problem;
  }

  /** Why programs have no memory limits; undefined where they have. */
  get memoryProblem(): string | undefined {
    return this.#memory.problem;
  }

  /** Makes this process, and what it starts without a launcher, a pod of the hostile tenant. */
  enterBestEffort(): void {
    if (!this.cpuProblem) this.#cpu.enter(`${this.#root}/${groups.bestEffort}`);
  }

  /** The command before that of a process of a group. */
  launcher(group: 'kubelet' | 'elsewhere'): string[] {
    return into(this.cpuProblem ? [] : [this.#cpu.make(`${this.#root}/${groups[group]}`)]);
  }

  /** The command before a program's own, which puts it into the group of its pod before it starts. */
  podLauncher(name: string, { milliCpu, mebibytes }: ProgramResources): string[] {
    // A program of the same name may run twice.
    const id = this.#pods.has(name) ? `${name}-${this.#pods.size}` : name;
    const path = `kubepods/burstable/${id}`;
    this.#pods.set(id, { path: `${this.#root}/${path}`, limit: mebibytes });
    const directories: string[] = [];
    if (!this.cpuProblem) {
      this.#requested += milliCpu;
      this.#share('kubepods/burstable', sharesOf(this.#requested));
      directories.push(this.#share(path, sharesOf(milliCpu)));
    }
    if (!this.memoryProblem) {
      directories.push(this.#memory.make(`${this.#root}/${path}`));
      this.#memory.set(`${this.#root}/${path}`, memoryFiles[this.#memory.version - 1] as string, mebibytes * 1_048_576);
    }
    return into(directories);
  }

  /** The memory of each program so far. */
  memoryUse(): Map<string, MemoryUse> {
    if (this.memoryProblem) return new Map();
    const index = this.#memory.version - 1;
    return new Map(
      [...this.#pods].map(([name, { path, limit }]) => {
        const directory = this.#memory.make(path);
        const read = (file = '') => {
          const full = join(directory, file);
          return existsSync(full) ? readFileSync(full, 'utf8') : '0';
        };
        const peak = Math.round(Number(read(peakFiles[index])) / 1_048_576);
        return [name, { limit, peak, kills: Number(/^oom_kill (\d+)/m.exec(read(killFiles[index]))?.[1] ?? 0) }];
      }),
    );
  }

  /** Removes the groups, whose processes have ended. */
  remove(): void {
    if (!this.cpuProblem) this.#cpu.enter();
    for (const tree of [this.#cpu, this.#memory]) tree.remove();
  }

  #share(group: string, shares: number): string {
    const path = group === '' ? this.#root : `${this.#root}/${group}`;
    const directory = this.#cpu.make(path);
    const { version } = this.#cpu;
    this.#cpu.set(path, cpuFiles[version - 1] as string, version === 1 ? shares : weightOf(shares));
    return directory;
  }
}

/** MilliCPUToShares of kubelet. */
const sharesOf = (milliCpu: number) => Math.max(bestEffortShares, Math.floor((milliCpu * 1024) / 1000));

/** The weight that kubelet gives to a group of version 2. Source: cgroup_v2_manager_linux.go, getCPUWeight. */
const weightOf = (shares: number) => 1 + Math.floor(((shares - 2) * 9999) / 262_142);

/** A command that joins the groups and becomes the command after it. */
function into(directories: readonly string[]): string[] {
  if (directories.length === 0) return [];
  const join = 'until [ "$1" = -- ]; do echo $$ > "$1/cgroup.procs" || exit 1; shift; done; shift; exec "$@"';
  return ['/bin/sh', '-c', join, 'join', ...directories, '--'];
}
