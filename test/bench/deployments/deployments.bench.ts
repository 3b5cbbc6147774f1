import { join } from 'node:path';
import { type Bench, type Figure, measure } from '../bench.ts';

interface Kept {
  /** Of one deployment. */
  readonly bytes: number;
  /** Characters of its goal. */
  readonly goal: number;
  readonly cpuMs: number;
}

/** Bytes that an object of a deployment may keep in memory. */
const goalBytes = 1200;

const script = join(import.meta.dirname, 'deployment-memory.ts');

/** What the operator keeps in memory of deployments whose runs have ended, and the CPU to load one. */
export const bench: Bench = {
  name: 'deployments',
  description: 'memory of the engine for ComputeDeployments of 1,000 and 10,000 objects, in processes of their own',
  async run() {
    const figures: Figure[] = [];
    const kept = new Map<string, number>();
    for (const [count, objects] of [
      [1, 10_000],
      [8, 10_000],
      [8, 1000],
      [20, 10_000],
    ] as const) {
      const { bytes, goal, cpuMs } = await measure<Kept>(script, [`${count}`, `${objects}`]);
      kept.set(`${count} ${objects}`, bytes / objects);
      const isBounded = count > 10;
      figures.push({
        what: `${count} deployments of ${objects} objects: memory of each`,
        ours: `${(bytes / 1e6).toFixed(1)} MB, ${(bytes / objects).toFixed(0)} B an object`,
        theirs: `${(goal / 1e6).toFixed(2)} MB goal; ${cpuMs.toFixed(0)} ms CPU to load and run`,
        ratio: goal / bytes,
        goal: isBounded ? 'half of it: 100,000 objects stay' : `at most ${goalBytes} B an object`,
        ok: bytes / objects <= (isBounded ? 0.55 : 1) * goalBytes,
      });
    }
    const growth = (kept.get('8 10000') ?? 0) / (kept.get('8 1000') ?? 1);
    figures.push({
      what: 'memory of an object of 10,000 against one of 1,000',
      ours: growth.toFixed(2),
      theirs: '',
      goal: 'at most 1.25',
      ok: growth <= 1.25,
    });
    return figures;
  },
};
