/** Templates that nobody would write: seeded, so that a failure repeats. AZIMUTH_FUZZ_SEED and AZIMUTH_FUZZ_ROUNDS change them. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import type { TemplateContext } from '../../../runtime/compute/templates/document/context.ts';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { functionSubjects } from '../../../runtime/compute/templates/functions/function-table.ts';
import { templateLimits } from '../../../runtime/compute/templates/limits.ts';
import { context } from './support.ts';

const seed = Number(process.env['AZIMUTH_FUZZ_SEED'] ?? 20261);
/** Far above what these take. */
const hang = 60_000;
const rounds = Number(process.env['AZIMUTH_FUZZ_ROUNDS'] ?? 200);

/** Numbers from 0 to below `n`, the same for the same seed (mulberry32). */
function generator(start: number): (n: number) => number {
  let state = start;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

const folder = new URL('corpus/', import.meta.url);
const corpus = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { template: object; parameters?: object },
);
const names = Object.values(functionSubjects).flatMap((table) => Object.keys(table).filter((name) => name !== 'list*'));
const members = [
  'copy',
  'count',
  'name',
  'type',
  'dependsOn',
  'condition',
  'resources',
  'properties',
  'template',
  'outputs',
];

jest.setTimeout(hang);

type Random = ReturnType<typeof generator>;
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

function expression(random: Random, depth: number): string {
  if (depth === 0)
    return pick(random, [
      "'a'",
      '0',
      '-7',
      '800',
      "''",
      'null()',
      "variables('o')",
      "reference('vm')",
      "parameters('p')",
    ]);
  const args = Array.from({ length: random(4) }, () => expression(random, depth - 1));
  const tail = pick(random, ['', '', '', '.x', '[0]', `[${args[0] ?? "'k'"}]`]);
  return `${pick(random, [...names, 'listKeys', 'my.own', 'nothing'])}(${args.join(', ')})${tail}`;
}

function value(random: Random): unknown {
  const text = () => `[${expression(random, random(4))}]`;
  return pick(random, [
    text,
    text,
    text,
    () => null,
    () => random(1000) - 100,
    () => random(2) === 0,
    () => [],
    () => ({}),
    () => '[[',
    () => '',
    () => [text(), text()],
    () => ({ managedSecret: pick(random, ['a', 'A B', '[concat(1)]']) }),
    () => ({ name: 'l', count: text(), input: text() }),
    () => 'x'.repeat(random(3000)),
  ])();
}

/** A copy in which some members and items are other ones, are gone, or stand in other places. */
function mutated(node: unknown, random: Random, rate: number): unknown {
  if (random(rate) === 0) return value(random);
  if (Array.isArray(node)) {
    const items = node.map((item) => mutated(item, random, rate));
    return random(rate) === 0 ? [...items, ...items] : items;
  }
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).flatMap(([name, member]): [string, unknown][] => {
    if (random(rate) === 0) return [];
    const key = random(rate) === 0 ? pick(random, [...members, '__proto__', `[${expression(random, 1)}]`]) : name;
    return [[key, mutated(member, random, rate)]];
  });
  return Object.fromEntries(entries);
}

/** Expands, and makes objects of what comes out; everything must end in problems. */
function run(text: string, parameters: TemplateContext['parameters'] = {}): number {
  const expanded = expandTemplate(text, { ...context, parameters });
  expect(expanded.problems.length).toBeLessThanOrEqual(templateLimits.problems);
  expect(expanded.resources.length).toBeLessThanOrEqual(templateLimits.resources);
  const answers = { resource: { properties: { x: 1, id: null } }, lists: { listKeys: { keys: [] } } };
  const known = Object.fromEntries(expanded.resources.flatMap(({ waitsFor }) => waitsFor).map((id) => [id, answers]));
  for (const objects of [manifestsOf(expanded, { namespace: 'n' }), manifestsOf(expanded, { namespace: 'n', known })]) {
    expect(objects.problems.length).toBeLessThanOrEqual(templateLimits.problems);
    for (const { message } of objects.problems) expect(message).not.toContain('hunter2');
  }
  for (const { message } of expanded.problems) expect(message).not.toContain('hunter2');
  return expanded.resources.length;
}

test('templates with any members anywhere end in problems, and some of them in resources', () => {
  const random = generator(seed);
  const given = { adminPassword: { value: 'hunter2' }, pfx: { value: 'hunter2' }, p: { managedSecret: 'm' } };
  let [expanded, made] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const { template, parameters } = pick(random, corpus);
    const text = JSON.stringify(mutated(template, random, pick(random, [8, 40, 150])));
    const resources = run(text, { ...parameters, ...given } as NonNullable<TemplateContext['parameters']>);
    expanded += resources > 0 ? 1 : 0;
    made += resources;
  }
  expect(expanded).toBeGreaterThan(rounds / 10);
  expect(made).toBeGreaterThan(expanded);
});

test('any text ends in problems', () => {
  const random = generator(seed);
  const whole = corpus.map(({ template }) => JSON.stringify(template));
  for (let round = 0; round < rounds; round++) {
    let text = pick(random, whole);
    for (let edit = random(5); edit >= 0; edit--) {
      const at = random(text.length);
      const inserted = pick(random, [
        '"',
        '[',
        ']',
        '{',
        '}',
        "'",
        '(',
        ',',
        '\\',
        '\\ud800',
        '\u0000',
        '/*',
        '1e400',
        text.slice(at, at + 60),
      ]);
      text = text.slice(0, at) + inserted + text.slice(at + random(40));
    }
    run(text);
  }
  const bytes = Array.from({ length: 2000 }, () => String.fromCharCode(random(0x10000))).join('');
  for (const text of ['', bytes, '{"a":'.repeat(100_000), '"\ud800"']) run(text);
});

test('text that is nested too deeply is above a limit', () => {
  expect(expandTemplate('['.repeat(100_000), context).problems).toMatchObject([{ name: 'Limit' }]);
});

test('values that are no JSON of a template end in problems', () => {
  const random = generator(seed);
  for (let round = 0; round < rounds; round++) run(JSON.stringify(value(random)) ?? '');
});
