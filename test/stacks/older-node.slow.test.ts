import { execFile, execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const script = new URL('run-main.js', import.meta.url).pathname;

/** The Node of the machine, where it is another one than that of `npm ci`. */
function nodeOfMachine(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  try {
    const found = execFileSync('/usr/bin/env', ['node', '-p', 'process.execPath'], {
      env: { PATH: folders.join(delimiter) },
      encoding: 'utf8',
    }).trim();
    return found === process.execPath ? undefined : found;
  } catch {
    return undefined;
  }
}

const machine = nodeOfMachine();
const nodes = [
  ['that strips no types', process.execPath, ['--no-experimental-strip-types']] as const,
  ...(machine === undefined ? [] : [['of the machine', machine, []] as const]),
];

const stacks = [
  ['cluster', 'azimuth-cluster', { subscriptionId: 'sub', resourceGroupName: 'rg', location: 'westeurope' }],
  ['vault', 'azimuth-vault', { resourceGroupName: 'rg', tenantId: 't', locations: '{"shopvault":"westeurope"}' }],
  [
    'identity',
    'azimuth-identity',
    {
      subscriptionId: 'sub',
      tenantId: 't',
      resourceGroupName: 'rg',
      oidcIssuerUrl: 'https://i/',
      programs: 'operator',
    },
  ],
  ['platform', 'azimuth', { image: 'i', programs: 'operator;pod-identity;key-vault-csi;machine-secrets;ui' }],
] as const;

const outputs: Readonly<Record<string, readonly string[]>> = {
  cluster: ['kubeconfig', 'kubeletClientId', 'nodeResourceGroupId', 'oidcIssuerUrl'],
  vault: ['keyVaultIds', 'keyVaultUris'],
  identity: ['environment', 'operatorPrincipalId', 'programSettings', 'workloads'],
  platform: ['namespace'],
};

test.each(
  nodes.flatMap(([title, node, flags]) => stacks.map((stack) => [stack[0], title, node, flags, stack] as const)),
)(
  'the stack %s loads on a Node %s',
  async (name, _, node, flags, [stack, project, config]) => {
    const { stdout } = await run(node, [...flags, script, stack, project, JSON.stringify(config)], {
      env: { PATH: process.env['PATH'] },
    });
    expect(JSON.parse(stdout)).toEqual(outputs[name]);
  },
  60_000,
);
