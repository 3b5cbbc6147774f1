/** The rows of compute.json about ARM templates. Each row has one run here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../runtime/compute/templates/expand-template.ts';
import { templateHash } from '../../runtime/compute/templates/functions/text/hashes.ts';
import { context, evaluate, expand } from '../compute/templates/support.ts';
import { elsewhere } from './compute-accounted.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows have the members that their name says
type Members = Record<string, any>;
interface Row {
  readonly name: string;
  readonly given: Members;
  readonly expect: Members;
}

const { rows } = JSON.parse(readFileSync(join(import.meta.dirname, 'compute.json'), 'utf8')) as { rows: Row[] };
const own = rows.filter(({ name }) => elsewhere.templates.includes(name));
const last = (id: string) => id.split('/').at(-1) ?? '';
const numbered = <T>(count: number, value: (index: number) => T) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value(index)]));
const copied = (count: number) => ({
  resources: [{ type: 'X/a', name: "[concat('a', copyIndex())]", copy: { name: 'l', count } }],
});

/** A template with this many of what the row limits. */
const limited: Readonly<Record<string, (count: number) => object>> = {
  'copy.count': copied,
  expressionChars: (count) => ({ variables: { v: `['${'x'.repeat(count - 4)}']` } }),
  outputs: (count) => ({ outputs: numbered(count, (value) => ({ type: 'int', value })) }),
  parameters: (count) => ({ parameters: numbered(count, (defaultValue) => ({ type: 'int', defaultValue })) }),
  resources: copied,
  variables: (count) => ({ variables: numbered(count, (value) => value) }),
};

/** The waves in which resources are deployed when each takes equally long. */
function waves(resources: ReturnType<typeof expandTemplate>['resources']): string[][] {
  const depth = new Map<string, number>();
  for (const { id, dependsOn } of resources)
    depth.set(id, 1 + Math.max(-1, ...dependsOn.map((each) => depth.get(each) ?? Number.NaN)));
  return Object.values(Object.groupBy(resources, ({ id }) => depth.get(id) ?? -1)).map((wave = []) =>
    wave.map(({ name }) => name),
  );
}

function templateOf({ given }: Row) {
  if (given['$schema'] !== undefined) return expandTemplate(JSON.stringify(given), context);
  const [[limit = '', count = 0] = []] = Object.entries(given);
  if (limit !== 'templateBytes') return expand(limited[limit]?.(count) ?? {});
  const text = JSON.stringify({
    $schema: 'https://x/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    resources: [],
  });
  return expandTemplate(text + ' '.repeat(count - text.length), context);
}

test.each(own.map((row) => [row.name, row] as const))('%s', (_, row) => {
  const { given, expect: wanted } = row;
  if (wanted['hash64'] !== undefined) expect(String(templateHash(given['text']))).toBe(wanted['hash64']);
  else if ('result' in wanted) expect(evaluate(given['expression'])).toEqual(wanted['result']);
  else if (given['expression'] !== undefined) {
    expect(() => evaluate(given['expression'])).toThrow(expect.objectContaining({ code: wanted['code'] }));
  } else {
    const { resources, problems } = templateOf(row);
    const expectations = Object.keys(wanted).map((key) => {
      if (key === 'accepted') expect(problems.length === 0).toBe(wanted[key]);
      else if (key === 'code') expect(problems.map(({ code }) => code)).toEqual([wanted[key]]);
      else if (key === 'messageContains') for (const part of wanted[key]) expect(problems[0]?.message).toContain(part);
      else if (key === 'run') expect(resources.map(({ name }) => name)).toEqual(wanted[key]);
      else if (key === 'waves') expect(waves(resources)).toEqual(wanted[key]);
      else if (key === 'edges')
        expect(resources.flatMap(({ name, dependsOn }) => dependsOn.map((id) => [name, last(id)]))).toEqual(
          wanted[key],
        );
      else throw new Error(`The row ${row.name} expects ${key}, which this test does not know`);
      return key;
    });
    expect(expectations).not.toEqual([]);
  }
});

test('one more than a limit is refused', () => {
  const own = { expressionChars: 24_576, outputs: 64, parameters: 256, resources: 800, variables: 512 };
  for (const [limit, most] of Object.entries(own)) {
    expect([limit, expand(limited[limit]?.(most + 1) ?? {}).problems.map(({ name }) => name)]).toEqual([
      limit,
      ['Limit'],
    ]);
  }
});

test('all rows of templates are in the file', () => {
  expect(own.map(({ name }) => name).sort()).toEqual([...elsewhere.templates].sort());
});
