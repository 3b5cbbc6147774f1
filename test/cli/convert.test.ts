import { afterAll, expect, test } from '@jest/globals';
import { convert } from '../../runtime/cli/commands/convert.ts';
import { schema } from '../compute/deployments/arm-templates.ts';
import { scratch } from '../fakes/scratch.ts';
import { runCommand } from './run-command.ts';

const files = scratch();
afterAll(() => files.remove());

const template = {
  $schema: schema,
  contentVersion: '1.0.0.0',
  parameters: { prefix: { type: 'string' } },
  resources: [
    {
      type: 'Microsoft.Network/virtualNetworks',
      apiVersion: '2020-11-01',
      name: 'net',
      location: 'westeurope',
      properties: { addressSpace: { addressPrefixes: ["[parameters('prefix')]"] } },
    },
  ],
};
const run = (...argv: string[]) => runCommand((rest) => convert(rest.slice(0, -2)), '', argv);

test('a template and its parameters become manifests or a program', async () => {
  const file = files.write('shop.json', template);
  const parameters = files.write('values.json', { parameters: { prefix: { value: '10.0.0.0/16' } } });
  const made = await run('-f', file, '-p', parameters);
  expect(made).toMatchObject({ code: 0, err: expect.stringMatching(/ResourceGroup shop .*\nazimuth: 1 converted$/) });
  expect(made.out).toMatch(/kind: VirtualNetwork\n.*addressPrefixes:\n\s+- "10\.0\.0\.0\/16"/s);
  expect((await run('-f', file, '-p', parameters, '-o', 'cdk8s')).out).toMatch(/new network\.VirtualNetwork\(chart/);
});

test('what is missing is named with its place, and the exit code is 1', async () => {
  const file = files.write('shop.json', template);
  expect(await run('-f', file)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/shop\.json:\d+:\d+ parameters\.prefix: .*\nazimuth: 0 converted, 1 problems$/),
  });
  await expect(run('-f', files.write('values.json', {}))).rejects.toThrow(/--filename.*one ARM template/);
});
