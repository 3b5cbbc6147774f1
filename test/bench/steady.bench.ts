import { condition, startWorld, types, type World } from '../operator/support.ts';
import { ScaledClock } from '../replay/scaled-clock.ts';
import type { Bench, Figure } from './bench.ts';

const resources = Number(process.env['AZIMUTH_STEADY_RESOURCES'] ?? 1000);
/** Simulated minutes in one of the world's. */
const speed = 60;
const hourMs = 3_600_000;
const groups = Math.max(1, Math.round(resources / 25));

/** One hour of an operator, or until it has looked at all, started anew, over resources that are as declared. */
export const bench: Bench = {
  name: 'steady',
  description: `${resources} resources at rest for a simulated hour (AZIMUTH_STEADY_RESOURCES)`,
  run: async () => {
    const world = await startWorld();
    try {
      const began = performance.now();
      await makeResources(world);
      const madeMs = performance.now() - began;
      const writes = () =>
        world.azure.journal.entries({ service: 'arm' }).filter(({ method }) => method !== 'GET').length;
      const looks = () => world.azure.journal.entries({ service: 'arm', method: 'GET' }).length;
      const before = { writes: writes(), looks: looks(), versions: await versions(world) };
      const clock = new ScaledClock(speed);
      const operator = await world.startOperator({}, { syncPeriodMs: hourMs, clock });
      await clock.sleep(hourMs);
      // A machine that is too slow for the clock would have looked at few of them.
      while (looks() - before.looks < resources) await new Promise((resolve) => setTimeout(resolve, 1000));
      await operator.stop();
      const changed = [...(await versions(world))].filter(([uid, version]) => before.versions.get(uid) !== version);
      const sent = writes() - before.writes;
      const looked = looks() - before.looks;
      const figure = (what: string, ours: string, goal: string, ok: boolean): Figure => ({
        what,
        ours,
        theirs: '',
        goal,
        ok,
      });
      return [
        figure(
          'created',
          `${before.writes} writes in ${(madeMs / 1000).toFixed(1)} s`,
          `${resources} writes`,
          before.writes === resources,
        ),
        figure('PUT, PATCH, POST, DELETE in the hour', String(sent), '0', sent === 0),
        figure('GET in the hour', String(looked), `${resources} or more`, looked >= resources),
        figure('objects written in the cluster', String(changed.length), '0', changed.length === 0),
      ];
    } finally {
      await world.close();
    }
  },
};

async function makeResources(world: World): Promise<void> {
  const operator = await world.startOperator();
  const location = 'westeurope';
  for (let index = 0; index < groups; index++) await world.apply(types.group, `group-${index}`, { location });
  for (let index = 0; index < resources - groups; index++) {
    const owner = { name: `group-${index % groups}` };
    await world.apply(types.identity, `identity-${index}`, { location, owner, tags: { index: String(index) } });
  }
  for (;;) {
    const all = await objects(world);
    if (all.filter((object) => condition(object)?.status === 'True').length === resources) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await operator.stop();
}

async function objects(world: World) {
  const lists = await Promise.all([types.group, types.identity].map((type) => world.client.list(type, { limit: 0 })));
  return lists.flatMap(({ items }) => items);
}

async function versions(world: World): Promise<Map<string, string>> {
  const all = await objects(world);
  return new Map(all.map(({ metadata: { uid = '', resourceVersion = '' } }) => [uid, resourceVersion]));
}
