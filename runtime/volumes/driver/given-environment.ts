import { readFileSync } from 'node:fs';

/** What the executable was called with; Bun itself starts with nothing (docs/adr/0019-kv-driver-on-bun.md). */
export function givenEnvironment(): Record<string, string> {
  const given: Record<string, string> = {};
  for (const entry of readFileSync('/proc/self/environ', 'utf8').split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0) given[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return given;
}
