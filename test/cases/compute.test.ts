/**
 * The cases of machines with secrets as a table. Each row is run here, or listed by name in compute-accounted.ts with the
 * part of the product that holds it; a row that is neither, or both, fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { elsewhere } from './compute-accounted.ts';
import { type Members, runs } from './compute-runs.ts';

interface Row {
  readonly name: string;
  readonly given: Members;
  readonly expect: Members;
}

const here = join(import.meta.dirname, 'compute.json');
const { rows } = JSON.parse(readFileSync(here, 'utf8')) as { rows: Row[] };

const runsOf = ({ name }: Row) => runs.filter(([pattern]) => pattern.test(name)).map(([, run]) => run);

for (const row of rows) {
  const [run] = runsOf(row);
  if (run) test(row.name, () => run(row.given, row.expect));
}

test('each row is held by one test here, or by one other part', () => {
  const others = Object.values(elsewhere).flat();
  const homes = rows.map((row) => [row.name, runsOf(row).length + others.filter((name) => name === row.name).length]);
  expect(homes.filter(([, count]) => count !== 1)).toEqual([]);
  const names = new Set(rows.map(({ name }) => name));
  expect(names.size).toBe(rows.length);
  expect(others.filter((name) => !names.has(name))).toEqual([]);
  const held = rows.filter((row) => runsOf(row).length > 0).length;
  expect(held + others.length).toBe(rows.length);
});

const shared = process.env['AZIMUTH_CASES'] ?? '../shared/cases';
const original = join(shared, 'compute.json');
test(existsSync(original) ? 'the cases are those beside the clone' : `NOT COMPARED: ${original} is not here`, () => {
  if (existsSync(original))
    expect(JSON.parse(readFileSync(original, 'utf8'))).toEqual(JSON.parse(readFileSync(here, 'utf8')));
});
