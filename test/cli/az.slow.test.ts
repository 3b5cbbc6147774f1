/** The az command line, unmodified, against `azimuth sandbox` as its file `az.sh` sets it up. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../fakes/eventually.ts';

const required = process.env['AZIMUTH_AZ_TESTS'] === 'required';
const installed = spawnSync('az', ['version'], { stdio: 'ignore' }).status === 0;
const withAz = installed || required ? test : test.skip;

if (!installed && !required) {
  test.skip('NOT RUN: the sandbox with the az command line, which is not installed; CI runs it', () => undefined);
}

let directory: string;
let sandbox: ChildProcess | undefined;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-az-'));
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
function az(line: string): unknown {
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

withAz('az signs in as a service principal and sees the subscription', () => {
  expect(az('az account show')).toMatchObject({ state: 'Enabled', user: { type: 'servicePrincipal' } });
  expect(az('az rest --method get --url "/subscriptions?api-version=2020-01-01"')).toMatchObject({
    value: [{ state: 'Enabled' }],
  });
});

withAz('az creates a group, a storage account and an identity, and lists them', () => {
  az('az group create -n one -l westeurope');
  const account = 'az storage account create -g one -n azimuthaz1 -l westeurope --sku Standard_LRS --tags team=blue';
  expect(az(account)).toMatchObject({ provisioningState: 'Succeeded', tags: { team: 'blue' } });
  const before = az('az storage account keys list -g one -n azimuthaz1') as { value: string }[];
  const after = az('az storage account keys renew -g one -n azimuthaz1 --key key1') as { value: string }[];
  expect(after[0]?.value).not.toBe(before[0]?.value);
  expect(after[1]?.value).toBe(before[1]?.value);
  expect(az('az identity create -g one -n someone')).toMatchObject({
    clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const federated =
    'az identity federated-credential create -g one --identity-name someone -n pods --issuer https://issuer.example --subject system:serviceaccount:a:b --audiences api://AzureADTokenExchange';
  expect(az(federated)).toMatchObject({ subject: 'system:serviceaccount:a:b' });
  const types = az('az resource list -g one --query "[].type"') as string[];
  expect(types.sort()).toEqual([
    'Microsoft.ManagedIdentity/userAssignedIdentities',
    'Microsoft.Storage/storageAccounts',
  ]);
});

withAz('az deletes a vault softly and recovers it', () => {
  az('az group create -n two -l westeurope');
  az('az keyvault create -g two -n azimuthaz -l westeurope --enable-rbac-authorization');
  az('az keyvault delete -g two -n azimuthaz');
  expect(az('az keyvault list-deleted --query "[].name"')).toEqual(['azimuthaz']);
  expect(az('az keyvault recover -n azimuthaz --query name')).toBe('azimuthaz');
});

withAz('a refusal of Resource Manager is shown by az with its code', () => {
  expect(() => az('az storage account create -g nowhere -n azimuthaz2 -l westeurope --sku Standard_LRS')).toThrow(
    /ResourceGroupNotFound/,
  );
});

withAz('az deletes a group with what is in it', () => {
  az('az group delete -n one --yes');
  expect(az('az group list --query "[].name"')).toEqual(['two']);
});
