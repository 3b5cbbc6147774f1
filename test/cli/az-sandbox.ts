/** The az command line, unmodified, in the environment that the file `az.sh` of a sandbox of these tests sets up. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';

const required = process.env['AZIMUTH_AZ_TESTS'] === 'required';
/** The first minor version of az 2 that has all commands of these tests; Debian has an older one. */
const oldestMinor = 61;
const version = /"azure-cli": "2\.(\d+)/.exec(spawnSync('az', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
const installed = Number(version) >= oldestMinor;
/** A test that needs az. */
export const withAz = installed || required ? test : test.skip;

if (!installed && !required) {
  const reason = `az 2.${oldestMinor} or newer is not installed; npm run test:judges -- azure-cli installs and runs it`;
  test.skip(`NOT RUN: the sandbox with the az command line: ${reason}`, () => undefined);
}

/** The interpreter that az runs in, which has the SDK: Microsoft's package has its own, others the one beside az. */
const beside = join(dirname(spawnSync('which', ['az'], { encoding: 'utf8' }).stdout.trim()), 'python3');
export const python =
  beside === '/usr/bin/python3' && existsSync('/opt/az/bin/python3') ? '/opt/az/bin/python3' : beside;

/** The directory of the sandbox. */
export const directory = mkdtempSync(join(tmpdir(), 'azimuth-az-'));
let sandbox: ChildProcess | undefined;

beforeAll(async () => {
  if (!installed && !required) return;
  const bin = join(import.meta.dirname, '..', '..', 'runtime', 'cli', 'azimuth.ts');
  const flags = ['--dir', directory, '--operation-ms', '100'];
  sandbox = spawn(process.execPath, [bin, 'sandbox', ...flags], { stdio: 'ignore' });
  await eventually('the sandbox is up', () => existsSync(join(directory, 'ports.json')), 60_000);
  az(`set -e; . ${join(directory, 'az.sh')}`);
});

afterAll(() => {
  sandbox?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a shell line in the sandbox's environment; its last JSON document. Fails with what az says. */
export function az(line: string): unknown {
  const environment = {
    ...process.env,
    AZURE_CONFIG_DIR: join(directory, 'az'),
    AZURE_CORE_INSTANCE_DISCOVERY: 'false',
    AZURE_CORE_ONLY_SHOW_ERRORS: 'true',
    AZURE_CORE_OUTPUT: 'json',
    REQUESTS_CA_BUNDLE: join(directory, 'azure-ca.pem'),
  };
  const output = execFileSync('sh', ['-c', line], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return output === '' ? undefined : JSON.parse(output);
}
