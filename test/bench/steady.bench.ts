import { expectedLooks, makeSteady, periodMs, startSteadyWorld, steadyHour } from '../operator/steady-hour.ts';
import type { Bench, Figure } from './bench.ts';

const resources = Number(process.env['AZIMUTH_STEADY_RESOURCES'] ?? 1000);

/** One simulated hour of an operator, started anew, over resources that are as declared. */
export const bench: Bench = {
  name: 'steady',
  description: `${resources} resources at rest for a simulated hour (AZIMUTH_STEADY_RESOURCES), looked at every ${periodMs / 60_000} minutes`,
  run: async () => {
    const world = await startSteadyWorld();
    try {
      const began = performance.now();
      const sent = await makeSteady(world, resources);
      const seconds = (performance.now() - began) / 1000;
      const { looks, writes, changed } = await steadyHour(world, resources);
      const { least, most, all } = looks;
      const enough = least >= expectedLooks.least && most <= expectedLooks.most;
      const figure = (what: string, ours: string, goal: string, ok: boolean): Figure => {
        return { what, ours, theirs: '', goal, ok };
      };
      return [
        figure('created', `${sent} writes in ${seconds.toFixed(1)} s`, `${resources} writes`, sent === resources),
        figure(
          'looks at each resource in the hour',
          `${least} to ${most}, ${all} in all`,
          `${expectedLooks.least} to ${expectedLooks.most}`,
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
