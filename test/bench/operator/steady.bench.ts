import { expectedReads, makeSteady, periodMs, startSteadyWorld, steadyHour } from '../../operator/steady-hour.ts';
import type { Bench, Figure } from '../bench.ts';

const resources = Number(process.env['AZIMUTH_STEADY_RESOURCES'] ?? 1000);

/** One simulated hour of an operator, started anew, over resources that are as declared. */
export const bench: Bench = {
  name: 'steady',
  description: `${resources} resources in sync for a simulated hour (AZIMUTH_STEADY_RESOURCES), read every ${periodMs / 60_000} minutes`,
  run: async () => {
    const world = await startSteadyWorld();
    try {
      const began = performance.now();
      const sent = await makeSteady(world, resources);
      const seconds = (performance.now() - began) / 1000;
      const { reads, writes, changed } = await steadyHour(world, resources);
      const { least, most, all } = reads;
      const enough = least >= expectedReads.least && most <= expectedReads.most;
      const figure = (what: string, ours: string, goal: string, ok: boolean): Figure => {
        return { what, ours, theirs: '', goal, ok };
      };
      return [
        figure('created', `${sent} writes in ${seconds.toFixed(1)} s`, `${resources} writes`, sent === resources),
        figure(
          'reads of each resource in the hour',
          `${least} to ${most}, ${all} in all`,
          `${expectedReads.least} to ${expectedReads.most}`,
          enough,
        ),
        figure('PUT, PATCH, POST, DELETE from the start on', String(writes), '0', writes === 0),
        figure('objects written in the cluster', String(changed), '0', changed === 0),
      ];
    } finally {
      await world.close();
    }
  },
};
