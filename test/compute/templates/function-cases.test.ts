/** The function cases beside the checkout, or in the folder of AZIMUTH_TEMPLATES; without them nothing is tested. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { $schema, context } from './support.ts';

interface FunctionCase {
  readonly id: string;
  readonly expression: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly expected?: unknown;
  readonly error?: boolean;
}

const file = join(process.env['AZIMUTH_TEMPLATES'] ?? '../shared/templates', 'functions.json');
const cases: readonly FunctionCase[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).cases : [];

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return 'int';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** The value of a property of a resource, or the problems. */
function evaluated({ expression, parameters = {}, variables = {} }: FunctionCase) {
  const declared = Object.entries(parameters).map(([name, value]) => [name, { type: typeOf(value) }]);
  const given = Object.entries(parameters).map(([name, value]) => [name, { value }] as const);
  const resource = { type: 'A.B/c', apiVersion: '2020-01-01', name: 'r', properties: { value: expression } };
  const template = { $schema, contentVersion: '1.0.0.0', parameters: Object.fromEntries(declared), variables };
  const { resources, problems } = expandTemplate(JSON.stringify({ ...template, resources: [resource] }), {
    subscription: {
      subscriptionId: context.subscription.subscriptionId,
      tenantId: '11111111-1111-1111-1111-111111111111',
    },
    resourceGroup: { name: 'rg1', location: 'westeurope' },
    deployment: { name: 'main' },
    now: 0,
    newGuid: context.newGuid,
    parameters: Object.fromEntries(given),
  });
  const properties = resources[0]?.body['properties'] as { value?: unknown } | undefined;
  return { value: properties?.value ?? null, problems };
}

if (cases.length === 0) test.skip(`NOT RUN: there is no ${file}`, () => undefined);
else {
  test.each(cases.map((each) => [each.id, each.expression, each] as const))('%s: %s', (_, __, each) => {
    const { value, problems } = evaluated(each);
    if (each.error) expect(problems).not.toEqual([]);
    else expect({ value: JSON.parse(JSON.stringify(value)), problems }).toEqual({ value: each.expected, problems: [] });
  });
}
