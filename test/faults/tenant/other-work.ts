import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of processors since the machine started. */
interface Use {
  /** Of all processes. */
  readonly all: number;
  /** That the machine's host gave to others (steal). */
  readonly stolen: number;
  /** Of this process and its descendants. */
  readonly own: number;
}

const ticksPerSecond = 100;

/** Processors that other work of the machine and of its host takes from a measurement, by /proc (man 5 proc). */
export class OtherWork {
  #last = use();
  #at = performance.now();

  /** Processors that other work had since the last call; 0.5 is half of one. */
  since(): number {
    const now = use();
    const seconds = (performance.now() - this.#at) / 1000;
    const others = now.all - this.#last.all - (now.own - this.#last.own) + now.stolen - this.#last.stolen;
    [this.#last, this.#at] = [now, performance.now()];
    return Math.max(0, others / seconds);
  }
}

function use(): Use {
  const [, user = 0, nice = 0, system = 0, , , , , steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .map(Number);
  const parents = new Map<number, number>();
  const used = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(Number(name));
    if (!fields) continue;
    parents.set(Number(name), Number(fields[1]));
    // utime, stime, and those of children that have ended.
    used.set(
      Number(name),
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    );
  }
  const isOwn = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && pid > 1 && isOwn(parents.get(pid)));
  let own = 0;
  for (const [pid, ticks] of used) if (isOwn(pid)) own += ticks;
  return { all: (user + nice + system) / ticksPerSecond, stolen: steal / ticksPerSecond, own: own / ticksPerSecond };
}

/** The fields of /proc/<pid>/stat after the name, which is in brackets; undefined for a process that has just ended. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
