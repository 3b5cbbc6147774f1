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
    err: expect.stringMatching(/shop\.json:\d+:\d+ parameters\.prefix: .*\nazimuth: 0 converted, 1 problem$/),
  });
  await expect(run('-f', files.write('values.json', {}))).rejects.toThrow(/--filename.*one ARM template/);
});

test('a parameters file with null in the place of a parameter is a problem with its place', async () => {
  const file = files.write('shop.json', template);
  const made = await run('-f', file, '-p', files.write('nulls.json', { parameters: { prefix: null } }));
  expect(made).toMatchObject({ code: 1, err: expect.stringContaining('shop.json parameters.prefix') });
});

test('two files, and a resource group that cannot be, are refused', async () => {
  const file = files.write('shop.json', template);
  await expect(run('-f', file, '-f', file)).rejects.toThrow(/--filename.*one file with an ARM template, got `several`/);
  await expect(run('-f', file, '--resource-group', 'Bad Name!')).rejects.toThrow(/--resource-group.*got `Bad Name!`/);
  await expect(run('-f', file, '--resource-group', '/foo')).rejects.toThrow(/--resource-group.*got `\/foo`/);
});

test('an expression over a secure parameter stays, and the Secret to create is named without its value', async () => {
  const site = (value: string) => ({
    ...template,
    parameters: { pw: { type: 'secureString' } },
    resources: [
      {
        type: 'Microsoft.Web/sites',
        apiVersion: '2022-03-01',
        name: 'site',
        location: 'westeurope',
        properties: { siteConfig: { appSettings: [{ name: 'DB', value }] } },
      },
    ],
  });
  const file = files.write('site.json', site("[concat('Host=db;Password=', parameters('pw'))]"));
  const parameters = files.write('values.json', { parameters: { pw: { value: 'marked-value' } } });
  const made = await run('-f', file, '-p', parameters);
  expect(made.code).toBe(0);
  expect(made.out).toContain("[concat('Host=db;Password=', parameters('secret0'))]");
  expect(made.err).toContain('create the Secret site-parameters with the keys pw');
  expect(made.out + made.err).not.toContain('marked-value');
});

test('a value that each run makes anew is named, and asks for no flag', async () => {
  const random = {
    ...template,
    parameters: { prefix: { type: 'string', defaultValue: "[concat('10.0.0.0/16', take(newGuid(), 0))]" } },
  };
  const fixed = await run('-f', files.write('fixed.json', random));
  expect(fixed).toMatchObject({ code: 0, err: expect.not.stringContaining('newGuid') });
  const tags = { made: '[newGuid()]' };
  const changing = {
    ...random,
    parameters: { ...random.parameters, id: { type: 'string', defaultValue: tags.made } },
    resources: template.resources.map((each) => ({ ...each, tags: { id: "[parameters('id')]" } })),
  };
  const made = await run('-f', files.write('changing.json', changing));
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('has a value of newGuid() or utcNow()') });
});
