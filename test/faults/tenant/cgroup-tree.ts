import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The controllers that a run uses. */
export type Controller = 'cpu' | 'memory';

const mount = '/sys/fs/cgroup';

/**
 * Nested cgroups of one controller, below the group of this process where the kernel allows it: within a container, or
 * a group that somebody else limits, they share what that has. Version 2 allows no groups beside other processes; there
 * they are at the root. Source: the kernel's admin-guide/cgroup-v1 and cgroup-v2.rst.
 */
export class CgroupTree {
  /** Version of cgroups that has the controller. */
  readonly version: 1 | 2;
  /** Why no groups can be made; undefined where they can. */
  readonly problem: string | undefined;
  readonly #controller: Controller;
  /** The group in which this process began. */
  readonly #own: string;
  #base: string;
  /** In the order in which they were made. */
  readonly #made: string[] = [];

  /** `probe`: a file that a group must have in version 1, and in version 2. */
  constructor(controller: Controller, probe: readonly [v1: string, v2: string]) {
    this.#controller = controller;
    this.version = existsSync(join(mount, controller, 'cgroup.procs')) ? 1 : 2;
    const root = this.version === 1 ? join(mount, controller) : mount;
    const own = join(root, ownPath(this.version === 1 ? controller : ''));
    // A container may show the path that its group has on the host.
    this.#own = existsSync(join(own, 'cgroup.procs')) ? own : root;
    this.#base = this.#own;
    const file = probe[this.version - 1] as string;
    let problem = this.#problem(file);
    if (problem !== undefined && this.#own !== root) {
      this.#base = root;
      problem = this.#problem(file) && problem;
    }
    this.problem = problem;
  }

  /** Makes the group and its parents where they are missing; returns its directory. */
  make(path: string): string {
    let directory = this.#base;
    for (const part of path.split('/')) {
      if (this.version === 2) writeFileSync(join(directory, 'cgroup.subtree_control'), `+${this.#controller}`);
      directory = join(directory, part);
      if (existsSync(directory)) continue;
      mkdirSync(directory);
      this.#made.push(directory);
    }
    return directory;
  }

  /** Writes a setting of a group, which must exist. */
  set(path: string, file: string, value: number): void {
    writeFileSync(join(this.#base, path, file), String(value));
  }

  /** Moves this process into a group; without a path, back. */
  enter(path?: string): void {
    const directory = path === undefined ? this.#own : join(this.#base, path);
    writeFileSync(join(directory, 'cgroup.procs'), String(process.pid));
  }

  /** Removes the groups, whose processes must have ended. */
  remove(): void {
    // In version 2 the tree of the other controller has the same directories.
    for (const directory of this.#made.splice(0).reverse()) if (existsSync(directory)) rmdirSync(directory);
  }

  #problem(file: string): string | undefined {
    if (!existsSync(join(this.#base, 'cgroup.procs'))) return `the machine has no ${this.#controller} cgroups`;
    try {
      const exists = existsSync(join(this.make(`azimuth-probe-${process.pid}`), file));
      this.remove();
      return exists ? undefined : `the ${this.#controller} controller is not delegated to this cgroup`;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // What the kernel answers to a name that cgroup.controllers does not have, or that it does not know.
      if (this.version === 2 && (code === 'ENOENT' || code === 'EINVAL'))
        return `the ${this.#controller} controller is not in the hierarchy of version 2; one of version 1 may have it`;
      return `${this.#controller} cgroups cannot be made: ${code}`;
    }
  }
}

/** Path of this process's group in a hierarchy of version 1, or in that of version 2 (''). */
function ownPath(controller: string): string {
  const rows = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const row = rows.map((each) => each.split(':')).find(([, names = '']) => names.split(',').includes(controller));
  return row?.slice(2).join(':') ?? '/';
}
