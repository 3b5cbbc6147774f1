import type { Delivery } from './delivery.ts';

/**
 * Whether the secrets that the instances of a set may have outlast a wait: each has a version, and none ends before.
 * Where this process does not know which former versions are in use, it counts those that have not ended yet.
 *
 * @param until Milliseconds since the epoch.
 */
export function outlasts({ context, memory, machine }: Delivery, until: number): boolean {
  const { machines, runtime } = context.shared;
  const { namespace = '' } = context.object.metadata;
  const now = runtime.clock.now();
  return machine.secrets.every(({ name, number }) => {
    const use = memory.uses.get(name);
    if (use?.isFirst) return false;
    const mayBeInUse = (version: number, end: number) => (use?.complete ? use.numbers.has(version) : end > now);
    const ends = Object.entries(machines?.secrets.ends(namespace, name) ?? {});
    return ends.every(([version, end]) => {
      const isFormer = Number(version) !== number && mayBeInUse(Number(version), end);
      return !isFormer || end > until;
    });
  });
}
