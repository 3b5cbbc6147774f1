import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../runtime/compute/templates/expand-template.ts';
import { templateFeatures } from '../../runtime/compute/templates/features.ts';
import type { TemplateFunction } from '../../runtime/compute/templates/functions/function-spec.ts';
import { functionSubjects } from '../../runtime/compute/templates/functions/function-table.ts';
import { templateLimits } from '../../runtime/compute/templates/limits.ts';
import { templateProblems } from '../../runtime/compute/templates/problems.ts';
import { $schema, context } from '../compute/templates/support.ts';
import { featureTemplates } from './template-features.ts';

const page = readFileSync('docs/reference/templates.md', 'utf8');

/** The rows of the tables below this heading, up to the next heading. */
function rowsBelow(heading: string): string[] {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

function argumentsOf({ arity: [least, most] }: TemplateFunction): string {
  if (most === undefined) return `${least} or more`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

function placesOf({ places }: TemplateFunction): string {
  const words = places?.map((place) => place.replace('value that must be known before the deployment', 'early value'));
  return words?.join(', ') ?? 'everywhere';
}

test.each(Object.entries(functionSubjects))(
  'docs/reference/templates.md lists exactly the functions: %s',
  (subject, table) => {
    const rows = Object.entries(table).map(
      ([name, spec]) =>
        `| \`${name}\` | ${argumentsOf(spec)} | ${spec.doc} | ${placesOf(spec)} | ${spec.state ?? 'whole'} |`,
    );
    expect(rowsBelow(subject)).toEqual(rows);
  },
);

test('docs/reference/templates.md lists exactly the features of templates', () => {
  expect(rowsBelow('Features')).toEqual(
    Object.entries(templateFeatures).map(([name, { doc, state }]) => `| \`${name}\` | ${doc} | ${state} |`),
  );
});

test.each(Object.entries(templateFeatures))(
  'a template with this feature is taken as its state says: %s',
  (name, { state }) => {
    const empty = { $schema, contentVersion: '1.0.0.0', resources: [] };
    const text = JSON.stringify({ ...empty, ...featureTemplates[name] });
    const { problems, undecided } = expandTemplate(text, { ...context, managementGroup: { name: 'mg' } });
    expect(problems.map((problem) => problem.name)).toEqual(state === 'whole' ? [] : ['Unsupported']);
    expect(undecided.length > 0).toBe(name === 'names, conditions and counts that an answer decides');
  },
);

test('docs/reference/templates.md lists exactly the problems of templates', () => {
  expect(rowsBelow('Problems')).toEqual(
    Object.entries(templateProblems).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  );
});

test('docs/reference/templates.md lists exactly the limits of templates', () => {
  expect(rowsBelow('Limits')).toEqual(
    Object.entries(templateLimits).map(([name, value]) => `| \`${name}\` | ${value.toLocaleString('en-US')} |`),
  );
});
