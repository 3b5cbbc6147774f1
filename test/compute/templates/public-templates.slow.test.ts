/** The public templates beside the checkout, or in the folder of AZIMUTH_TEMPLATES; without them nothing is tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { offlinePlan } from '../../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../../runtime/plan/read-documents.ts';
import { caseContext } from './support.ts';

const folder = join(process.env['AZIMUTH_TEMPLATES'] ?? '../shared/templates', 'corpus');
const names = existsSync(folder)
  ? readdirSync(folder).filter(
      (name) => /^t[0-9]+/.test(name) && !name.endsWith('.parameters.json') && name.endsWith('.json'),
    )
  : [];

/** What stops the expansion of a template; '' where nothing does. */
function stop(name: string): string {
  const values = join(folder, name.replace(/\.json$/, '.parameters.json'));
  const parameters = existsSync(values) ? JSON.parse(readFileSync(values, 'utf8')).parameters : {};
  const { problems } = expandTemplate(readFileSync(join(folder, name), 'utf8'), {
    ...caseContext,
    parameters,
  });
  return problems.map(({ path, message }) => `${name}: ${path}: ${message}`).join('\n');
}

/** Whether the plan of a template, with its parameters, has no problem. */
function isPlanned(name: string): boolean {
  const values = join(folder, name.replace(/\.json$/, '.parameters.json'));
  const read = (path: string) => ({ name, text: readFileSync(path, 'utf8') });
  const documents = documentsOf([read(join(folder, name))], {
    resourceGroup: `/subscriptions/${caseContext.subscription.subscriptionId}/resourceGroups/rg1`,
    location: 'westeurope',
    managementGroup: 'mg1',
    ...(existsSync(values) && { parameters: read(values) }),
  });
  return offlinePlan(documents, { namespace: 'default', now: 0, fieldManager: 'kubectl' }).problems.length === 0;
}

/** Templates that expand, of the 122 beside the checkout. It may only rise. */
const least = 82;
/** Templates that `azimuth plan --offline` takes, of the 122. It may only rise. */
const leastPlanned = 80;

if (names.length === 0) test.skip(`NOT RUN: there is no ${folder}`, () => undefined);
else {
  test('the public templates expand, except those with missing files, answers or values', () => {
    const stops = names.flatMap((name) => stop(name).split('\n')[0] || []);
    expect(names.length - stops.length).toBeGreaterThanOrEqual((least / 122) * names.length);
  });

  test('the public templates are planned without a cluster', () => {
    const planned = names.filter(isPlanned);
    expect(planned.length).toBeGreaterThanOrEqual((leastPlanned / 122) * names.length);
  });
}
