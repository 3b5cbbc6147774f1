/** Bicep files by a stand-in for the compiler: the registries have no `bicep`, so that the real one was not run. */
import { chmodSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { compileBicep } from '../../runtime/plan/compile-bicep.ts';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../runtime/plan/read-documents.ts';
import { readFiles, readParameters } from '../../runtime/plan/read-files.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
const { PATH } = process.env;
afterEach(() => {
  process.env['PATH'] = PATH;
});
afterAll(() => files.remove());

const compiled = {
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  metadata: { _generator: { name: 'bicep' } },
  resources: [
    {
      type: 'Microsoft.Network/virtualNetworks',
      apiVersion: '2020-11-01',
      name: 'net',
      location: 'westeurope',
      properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
    },
  ],
};

/** Puts a program of this name before all others, which runs these lines of a shell. */
function standIn(name: string, ...lines: readonly string[]): void {
  const program = files.write(`${name}/bicep`, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(program, 0o700);
  process.env['PATH'] = [dirname(program), PATH].join(delimiter);
}

const read = (file: string, options = {}) => readFiles([file], Readable.from([]), options);

test.each([
  ['a file that ends with .bicep', 'main.bicep', {}],
  ['any file with --bicep', 'main.txt', { bicep: true }],
])('%s is compiled and planned as a template', async (_, name, options) => {
  const output = files.write('compiled.json', compiled);
  standIn('works', `[ "$1 $2 $#" = "build --stdout 3" ] && [ -f "$3" ] && echo 'a warning' >&2 && cat '${output}'`);
  const documents = documentsOf(await read(files.write(name, "resource net '...'"), options), {
    resourceGroup: 'shop',
    location: 'westeurope',
  });
  const { changes, problems } = offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  expect(problems).toEqual([]);
  expect(changes.map(({ key }) => key)).toEqual([
    'ComputeDeployment.azimuth.dev/main',
    'VirtualNetwork.network.azure.com/westeurope-net',
  ]);
});

test('without the program the error says how to install it', async () => {
  process.env['PATH'] = join(files.path, 'nothing');
  await expect(read('main.bicep')).rejects.toThrow(/main\.bicep.*not on the PATH.*az bicep install/);
});

test('the messages of the program are in the error, up to a bound', async () => {
  standIn(
    'refuses',
    'echo "main.bicep(1,1) : Error BCP007: no declaration" >&2',
    'yes x | head -c 100000 >&2',
    'exit 1',
  );
  const error = await read(files.write('bad.bicep', '')).catch((each) => each);
  expect(error.message).toMatch(/bicep refused it: main\.bicep\(1,1\) : Error BCP007: no declaration/);
  expect(error.message.length).toBeLessThan(2300);
});

test('a program that hangs or prints without an end is stopped', async () => {
  standIn('hangs', 'sleep 60');
  await expect(compileBicep('main.bicep', { timeoutMs: 200 })).rejects.toThrow('bicep took longer than 0.2 s');
  standIn('floods', 'exec yes');
  await expect(compileBicep('main.bicep')).rejects.toThrow(/printed more than/);
});

test('standard input is no file of Bicep', async () => {
  await expect(read('-', { bicep: true })).rejects.toThrow(/--bicep takes files/);
});

const parameterFile = {
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#',
  contentVersion: '1.0.0.0',
  parameters: { name: { value: 'net' } },
};
const named = {
  ...compiled,
  parameters: { name: { type: 'string' } },
  resources: compiled.resources.map((each) => ({ ...each, name: "[parameters('name')]" })),
};
const place = { resourceGroup: 'shop', location: 'westeurope' };
const keysOf = (documents: Parameters<typeof offlinePlan>[0]) => {
  const { changes, problems } = offlinePlan(documents, { namespace: 'team', now: 0, fieldManager: 'kubectl' });
  expect(problems).toEqual([]);
  return changes.map(({ key }) => key);
};

test('a .bicepparam file stands for its template and parameters, and as --parameters for these alone', async () => {
  const both = {
    parametersJson: JSON.stringify(parameterFile),
    templateJson: JSON.stringify(named),
    templateSpecId: null,
  };
  const output = files.write('params.json', both);
  standIn('params', `[ "$1 $2 $#" = "build-params --stdout 3" ] && [ -f "$3" ] && cat '${output}'`);
  const file = files.write('prod.bicepparam', "using 'main.bicep'");
  const keys = ['ComputeDeployment.azimuth.dev/prod', 'VirtualNetwork.network.azure.com/westeurope-net'];
  expect(keysOf(documentsOf(await read(file), place))).toEqual(keys);
  const parameters = await readParameters(file, Readable.from([]));
  const template = { name: 'prod.json', text: JSON.stringify(named) };
  expect(keysOf(documentsOf([template], { ...place, ...(parameters && { parameters }) }))).toEqual(keys);
});

test.each([
  [{ parametersJson: '{}', templateSpecId: '/subscriptions/s/x' }, /uses the template spec \/subscriptions\/s\/x/],
  [{ parametersJson: '{}' }, /uses no template/],
  ['Build succeeded', /printed no JSON: it needs version 0.17/],
])('a .bicepparam file without a template of a file is refused: %j', async (printed, message) => {
  const output = files.write('printed.json', printed);
  standIn('other', `cat '${output}'`);
  await expect(read(files.write('other.bicepparam', ''))).rejects.toThrow(message);
});
