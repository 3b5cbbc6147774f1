/** Loaded before a server that is measured: answers each message of the bench with what the process has used so far. */
import { globSync, readFileSync } from 'node:fs';

export interface Usage {
  /** Of the process and of its children that run. */
  readonly cpuMicros: number;
  readonly rss: number;
  /** The part of `rss` that is no file's: the rest is the program of Node.js itself, which processes share. */
  readonly own: number;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const own = Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  process.send?.({ cpuMicros: user + system + childMicros(), rss: process.memoryUsage.rss(), own } satisfies Usage);
});
process.channel?.unref();

/** Linux counts ticks of 10 ms. */
function childMicros(): number {
  const children = globSync('/proc/self/task/*/children').flatMap(
    (file) => readFileSync(file, 'utf8').match(/\d+/g) ?? [],
  );
  const ticks = children.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return 10_000 * ticks.reduce((sum, each) => sum + each, 0);
}
