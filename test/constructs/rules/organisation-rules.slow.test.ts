/** The rules under cdk8s' own command line, as `validations` of cdk8s.yaml names them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { cdk8sCli } from '../../fakes/npm-program.ts';

const run = promisify(execFile);
const program = `
import { App, Chart } from 'cdk8s';
import { StorageAccount } from '${resolve('constructs/index.ts')}';
const app = new App();
const owner = { armId: '/subscriptions/s/resourceGroups/g' };
const sku = { name: 'Standard_LRS' };
new StorageAccount(new Chart(app, 'shop'), 'logs', { spec: { location: 'eastus', owner, kind: 'StorageV2', sku } });
app.synth();
`;

test('cdk8s synth names the rule, the construct and the fix, and ends with 2', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-rules-'));
  try {
    mkdirSync(join(directory, 'dist'));
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    writeFileSync(join(directory, 'app.ts'), program);
    const rules = {
      package: resolve('constructs/rules/organisation-rules.ts'),
      class: 'OrganisationRules',
      version: '0.1.0',
    };
    const config = {
      language: 'typescript',
      app: `${process.execPath} app.ts`,
      output: 'dist',
      validations: [{ ...rules, properties: { allowedRegions: ['westeurope'] } }],
    };
    writeFileSync(join(directory, 'cdk8s.yaml'), JSON.stringify(config));
    const report = 'report.json';
    const args = [await cdk8sCli(), 'synth', '--check-upgrade=false', '--validation-reports-output-file', report];
    const { NODE_OPTIONS: _, ...env } = process.env;
    const failed = await run(process.execPath, args, { cwd: directory, env }).catch((error: { code: number }) => error);
    expect(failed).toMatchObject({ code: 2 });
    const { reports } = JSON.parse(readFileSync(join(directory, report), 'utf8'));
    expect(reports[0].violations).toEqual([
      expect.objectContaining({
        ruleName: 'allowedRegions',
        fix: 'Set `location` to one of these regions.',
        violatingConstructs: [
          expect.objectContaining({ constructPath: 'shop/logs/Resource', locations: ['spec.location'] }),
        ],
      }),
    ]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
