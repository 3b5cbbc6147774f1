/** The public templates beside the checkout, or in the folder of AZIMUTH_TEMPLATES; without them nothing is tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';

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
    subscription: {
      subscriptionId: '00000000-0000-0000-0000-000000000000',
      tenantId: '11111111-1111-1111-1111-111111111111',
    },
    managementGroup: { name: 'mg1' },
    resourceGroup: { name: 'rg1', location: 'westeurope' },
    deployment: { name: 'main' },
    now: 0,
    newGuid: () => '22222222-2222-2222-2222-222222222222',
    parameters,
  });
  return problems.map(({ path, message }) => `${name}: ${path}: ${message}`).join('\n');
}

/** Templates that expand, of the 122 beside the checkout. It may only rise. */
const least = 82;

if (names.length === 0) test.skip(`NOT RUN: there is no ${folder}`, () => undefined);
else {
  test('the public templates expand, but for those that need files, answers or values that nobody has', () => {
    const stops = names.flatMap((name) => stop(name).split('\n')[0] || []);
    expect(names.length - stops.length).toBeGreaterThanOrEqual((least / 122) * names.length);
  });
}
