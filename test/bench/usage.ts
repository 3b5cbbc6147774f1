/** Loaded before a server that is measured: answers each message of the bench with what the process has used so far. */
import { readFileSync } from 'node:fs';
import { childMicros } from './process-usage.ts';

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
  process.send?.({
    cpuMicros: user + system + childMicros('self'),
    rss: process.memoryUsage.rss(),
    own,
  } satisfies Usage);
});
process.channel?.unref();
