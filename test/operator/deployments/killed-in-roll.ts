/** The operator is ended while instances roll. The scenario holds on an embedded and on a real API server. */
import { expect } from '@jest/globals';
import { Random } from '../../faults/random.ts';
import { until } from '../support.ts';
import { deleteAll, fleet, imagesIn, places, type Sets } from './fleet.ts';
import { illVersion, instances, makeIll, setId } from './ill-image.ts';
import type { Place } from './place.ts';

const [first, second] = places;
const both = [first, second] as const;

/** Twenty percent of the instances are in one batch. */
const capacity = 10;
const batch = 2;
const leastKills = 4;
const limitMs = 300_000;

/** The operator is ended again and again while a bad image stops in the first wave, and while the next one heals it. */
export async function killedInRoll(place: Place, mode: Sets['mode'], seed: number): Promise<void> {
  const random = new Random(seed);
  const name = `kill-${mode.toLowerCase()}`;
  const goal = async (number: number, image: string, state: string) => {
    const before = place.azure.journal.entries().at(-1)?.seq ?? 0;
    await place.deploy(name, fleet({ [first]: image, [second]: image }, {}, { mode, capacity }));
    await until(`${image} is under way`, async () => (await imagesIn(place, name, [first]))[0] === image);
    const ended = async () =>
      (await place.runs(name)).some(({ status }) => status?.number === number && status.state === state);
    return { outOfService: await killUntil(place, name, random, ended), writes: writesOf(place, name, before) };
  };
  await place.deploy(name, fleet({ [first]: '1.0.0', [second]: '1.0.0' }, {}, { mode, capacity }));
  await place.run(name, 1, 'Succeeded');
  makeIll(place, name);

  const bad = await goal(2, illVersion, 'Failed');
  expect(bad.outOfService).toBe(batch);
  expect(await instances(place, name, first)).toEqual({ latest: batch, ill: batch, outOfService: batch });
  expectOnce(bad.writes, [first]);

  const good = await goal(3, '2.1.0', 'Succeeded');
  expect(good.outOfService).toBe(batch);
  for (const location of both)
    expect(await instances(place, name, location)).toEqual({ latest: capacity, ill: 0, outOfService: 0 });
  expectOnce(good.writes, both);
  await deleteAll(place, name, both);
}

/** Ends the operator until `done` holds. Returns the most instances of the first location that were out of service at once. */
async function killUntil(place: Place, name: string, random: Random, done: () => Promise<boolean>): Promise<number> {
  let kills = 0;
  let most = 0;
  await until(
    'the roll is over',
    async () => {
      if (kills < leastKills) await place.kill();
      kills += 1;
      const end = Date.now() + random.between(300, 2500);
      while (Date.now() < end) {
        most = Math.max(most, (await instances(place, name, first)).outOfService);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return kills >= leastKills && (await done());
    },
    limitMs,
  );
  return most;
}

interface Write {
  readonly location: string;
  readonly text: string;
}

/** Writes of the scale sets that changed something, after an entry of the journal. */
function writesOf(place: Place, name: string, after: number): Write[] {
  return both.flatMap((location) =>
    place.azure.journal
      .entries({
        service: 'arm',
        effective: true,
        after,
        path: new RegExp(`^${setId(place, name, location)}(/|$)`, 'i'),
      })
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, bodyHash }) => ({ location, text: `${method} ${path.split('/').at(-1)} ${bodyHash}` })),
  );
}

/** One PUT of each of these sets and none of others; each batch that the operator sends goes once. */
function expectOnce(writes: readonly Write[], locations: readonly string[]): void {
  const puts = writes.filter(({ text }) => text.startsWith('PUT '));
  expect(puts.map(({ location }) => location)).toEqual(locations);
  const texts = writes.map(({ location, text }) => `${location} ${text}`);
  expect(texts).toEqual([...new Set(texts)]);
}
