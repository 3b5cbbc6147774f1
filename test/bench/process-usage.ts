import { globSync, readFileSync } from 'node:fs';
import type { Usage } from './usage.ts';

/** What a process has used, with the CPU time of its children that run; Linux counts ticks of 10 ms. */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { cpuMicros: cpuMicros(pid) + childMicros(pid), rss: bytes('VmRSS'), own: bytes('RssAnon') };
}

/** CPU time of the children of the process that run, microseconds. */
export function childMicros(pid: number | 'self'): number {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap(
    (file) => readFileSync(file, 'utf8').match(/\d+/g) ?? [],
  );
  return children.reduce((sum, child) => sum + cpuMicros(Number(child)), 0);
}

function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10_000 * (Number(fields[11]) + Number(fields[12]));
}
