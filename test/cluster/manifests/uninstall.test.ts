/** `azimuth uninstall` on a real API server: discovery, finalizers, and definitions that the API server removes. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { uninstall } from '../../../runtime/cli/commands/uninstall.ts';
import { kubectl } from '../kubectl.ts';
import { type InstalledOperator, installOperator } from '../operator/installed-operator.ts';

const apiVersionOf = (group: string, kind: string) => `${group}/${resourceOf(kindOf(group, kind)).version}`;
const namespace = 'azimuth-uninstall-test';
const objects = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  {
    apiVersion: apiVersionOf('resources.azure.com', 'ResourceGroup'),
    kind: 'ResourceGroup',
    metadata: { namespace, name: 'rg' },
    spec: { location: 'westeurope' },
  },
  {
    apiVersion: apiVersionOf('network.azure.com', 'VirtualNetwork'),
    kind: 'VirtualNetwork',
    metadata: { namespace, name: 'net' },
    spec: { location: 'westeurope', owner: { name: 'rg' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  },
];
const ours = ['-l', 'app.kubernetes.io/name=azimuth', '-o', 'name'];
let installed: InstalledOperator;

beforeAll(async () => {
  installed = await installOperator('resources.azure.com/ResourceGroup;network.azure.com/VirtualNetwork');
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const made = ['resourcegroup.resources.azure.com/rg', 'virtualnetwork.network.azure.com/net'];
  await kubectl(['wait', '-n', namespace, '--for=condition=Ready', '--timeout=300s', ...made]);
});
afterAll(() => installed?.remove());

async function run(...argv: string[]) {
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  try {
    return { code: await uninstall(argv), text: lines.join('\n') };
  } finally {
    log.mockRestore();
  }
}
const deleted = () => installed.azure.journal.entries({ service: 'arm', method: 'DELETE', effective: true });

test('--delete first shows the resources, then deletes them, the programs and the definitions', async () => {
  const shown = await run('--delete');
  expect(shown.code).toBe(0);
  expect(shown.text).toMatch(/azimuth-uninstall-test +ResourceGroup\/rg +is deleted: \/subscriptions\//);
  expect(shown.text).toMatch(/azimuth-system +Deployment\/azimuth-operator/);
  expect(deleted()).toEqual([]);

  const removed = await run('--delete', '--yes');
  expect(removed.text).toMatch(/^Removed: 2 objects/m);
  expect(removed.text).toContain('kubectl delete namespace azimuth-system');
  expect(removed.code).toBe(0);
  expect(deleted().some(({ path }) => /resourcegroups\/rg$/i.test(path))).toBe(true);
  expect(await kubectl(['get', 'crd', ...ours])).toBe('');
  expect(await kubectl(['get', 'deployments,serviceaccounts,clusterroles', '-A', ...ours])).toBe('');
  expect((await run('--delete', '--yes')).text).toContain('There is nothing to remove.');
});
