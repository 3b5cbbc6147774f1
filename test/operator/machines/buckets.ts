import type { JournalEntry } from '../../../sandbox/azure/journal.ts';

/** Buckets of one scale set: requests a minute and at once. */
const buckets = [
  { name: 'update', minute: 4, capacity: 12, of: /^(PUT|PATCH) \S+\/virtualMachineScaleSets\/\w+$|^POST /i },
  {
    name: 'read',
    minute: 12,
    capacity: 36,
    of: /^GET \S+\/virtualMachineScaleSets\/\w+(\/rollingUpgrades\/latest)?$/i,
  },
  { name: 'list of instances', minute: 10, capacity: 30, of: /^GET \S+\/virtualMachines$/i },
] as const;

/** The buckets of one set that requests overflowed, with the time of the first excess. Polls have buckets of their own. */
export function overflows(entries: readonly JournalEntry[]): string[] {
  return buckets.flatMap(({ name, minute, capacity, of }) => {
    let tokens: number = capacity;
    let at = entries[0]?.time ?? 0;
    for (const { method, path, time } of entries) {
      if (!of.test(`${method} ${path}`)) continue;
      tokens = Math.min(capacity, tokens + ((time - at) * minute) / 60_000) - 1;
      at = time;
      if (tokens < 0) return [`${name} at ${new Date(time).toISOString()}`];
    }
    return [];
  });
}
