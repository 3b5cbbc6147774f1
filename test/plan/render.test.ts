import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Plan, PlannedChange } from '../../runtime/compute/plan/change.ts';
import { hasChanges, renderPlan } from '../../runtime/plan/render.ts';

const change = (name: string, action: PlannedChange['action'], more: Partial<PlannedChange> = {}): PlannedChange => ({
  key: `ResourceGroup.resources.azure.com/${name}`,
  namespace: 'team',
  action,
  paths: [],
  notes: [],
  after: [],
  ...more,
});
const plan = (changes: readonly PlannedChange[], more: Partial<Plan> = {}): Plan => ({
  changes,
  problems: [],
  notes: [],
  ...more,
});
const plain = { colours: false };

test('text has a line for each change, its paths, and the counts', () => {
  const found = plan([
    change('new', 'Create', { location: 'westeurope' }),
    change('other', 'Modify', {
      paths: [
        { path: 'spec.tags.a', before: '1', after: '2' },
        { path: 'spec.p', isSecret: true },
        { path: 'sku.name', before: 'A', after: 'B', isInAzure: true },
      ],
    }),
    change('same', 'None'),
    change('moved', 'Replace', { paths: [{ path: 'spec.location', before: 'a', after: 'b', isFixed: true }] }),
    change('old', 'Delete', { notes: ['stays'] }),
  ]);
  expect(renderPlan(found, 'text', plain).split('\n')).toEqual([
    '+ ResourceGroup.resources.azure.com/new (team, westeurope)',
    '~ ResourceGroup.resources.azure.com/other (team)',
    '    ~ spec.tags.a: "1" -> "2"',
    '    ~ spec.p: (secret)',
    '    ~ sku.name: "A" -> "B"  # in Azure',
    '-/+ ResourceGroup.resources.azure.com/moved (team)',
    '    ~ spec.location: "a" -> "b"  # forces a replacement',
    '- ResourceGroup.resources.azure.com/old (team)',
    '    # stays',
    '',
    'Plan: 1 to create, 1 to change, 1 to delete, 1 to replace, 1 unchanged',
  ]);
  expect(renderPlan(found, 'text', { colours: true })).toContain('\u001b[32m+ ResourceGroup');
});

test('texts of somebody else cannot act on a terminal, a page or a diagram', () => {
  const found = plan([
    change('a"]<script>x</script>\u001b[2J\n', 'Modify', { paths: [{ path: 'spec.tags.\u001b', after: '\u202e' }] }),
  ]);
  expect(renderPlan(found, 'text', plain)).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
  expect(renderPlan(found, 'mermaid', plain).split('\n')[1]).toMatch(
    /^ {2}n0\["~ ResourceGroup<br\/>a#34;#93;#60;script#62;/,
  );
  const svg = renderPlan(found, 'svg', plain);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;script&#62;');
});

test('Mermaid and SVG have the nodes and what comes before', () => {
  const found = plan([
    change('first', 'Create'),
    change('second', 'Delete', { after: ['ResourceGroup.resources.azure.com/first', 'Other.x/none'] }),
  ]);
  const mermaid = renderPlan(found, 'mermaid', plain).split('\n');
  expect(mermaid.slice(0, 4)).toEqual([
    'flowchart LR',
    '  n0["+ ResourceGroup<br/>first"]:::Create',
    '  n1["- ResourceGroup<br/>second"]:::Delete',
    '  n0 --> n1',
  ]);
  const svg = renderPlan(found, 'svg', plain);
  expect(svg.match(/<rect /g)).toHaveLength(2);
  expect(svg.match(/<polyline /g)).toHaveLength(1);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(renderPlan(plan([]), 'svg', plain)).not.toMatch(/NaN|Infinity/);
});

test('JSON and YAML are the plan, and names are those of the objects that would change', () => {
  const found = plan([change('a', 'Create'), change('b', 'None')]);
  expect(JSON.parse(renderPlan(found, 'json', plain))).toEqual(found);
  expect(parse(renderPlan(found, 'yaml', plain))).toEqual(found);
  expect(renderPlan(found, 'name', plain)).toBe('resourcegroup.resources.azure.com/a');
});

test.each([
  [false, plan([change('a', 'None')])],
  [true, plan([change('a', 'None'), change('b', 'Delete')])],
  [true, plan([change('a', 'Unknown')])],
])('whether it has changes: %s', (expected, found) => {
  expect(hasChanges(found)).toBe(expected);
});
