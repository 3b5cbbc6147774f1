/**
 * The cases of AAD Pod Identity as a table: each suite is run here, held by tests that are named, or outside with a
 * reason; there is no fourth. `deviations` has the rows where upstream is not to be followed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { deviations, heldElsewhere, outside } from './accounted.ts';
import { type Row, runs } from './pod-identity-runs.ts';

interface Suite {
  readonly id: string;
  readonly cases: Row | Row[];
}

const here = join(import.meta.dirname, 'pod-identity.json');
const { suites } = JSON.parse(readFileSync(here, 'utf8')) as { suites: Suite[] };

describe.each(suites.filter(({ id }) => runs[id]))('$id', ({ id, cases }) => {
  const rows = [cases].flat().map((row, index) => {
    const [reason, changed] = deviations[`${id} ${index}`] ?? [];
    const title = row['name'] ?? row['input'] ?? row['target'] ?? row['path'] ?? JSON.stringify(row).slice(0, 60);
    return {
      title: `${index}: ${title}${reason ? ` (other than upstream: ${reason})` : ''}`,
      row: { ...row, ...changed },
    };
  });
  test.each(rows)('$title', async ({ row }) => {
    await runs[id]?.(row);
  });
});

test.each(Object.entries(heldElsewhere))('%s is held by the tests that are named', (_, tests) => {
  for (const [file, title] of tests) {
    expect(readFileSync(join(import.meta.dirname, '..', `${file}.test.ts`), 'utf8')).toContain(title);
  }
});

test('every suite is run, held elsewhere or outside, and every deviation is of a row', () => {
  const ways = [...Object.keys(runs), ...Object.keys(heldElsewhere), ...Object.keys(outside)];
  expect(ways.sort()).toEqual(suites.map(({ id }) => id).sort());
  for (const key of Object.keys(deviations)) {
    const [id, index] = key.split(' ');
    expect([suites.find((suite) => suite.id === id)?.cases].flat()[Number(index)]).toBeDefined();
  }
});

test('every row that the cases call a known defect is turned round', () => {
  for (const { id, cases } of suites) {
    [cases].flat().forEach((row, index) => {
      if (row['known_defect'] && runs[id]) expect(deviations[`${id} ${index}`]?.[0]).toMatch(/known defect/);
    });
  }
});

const shared = process.env['AZIMUTH_CASES'] ?? '../shared/cases';
const original = join(shared, 'pod-identity.json');
test(existsSync(original) ? 'the cases are those beside the clone' : `NOT COMPARED: ${original} is not here`, () => {
  if (existsSync(original))
    expect(JSON.parse(readFileSync(original, 'utf8'))).toEqual(JSON.parse(readFileSync(here, 'utf8')));
});
