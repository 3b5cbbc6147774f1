import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { GoalOutput } from '../../../../runtime/compute/deployments/goal-outputs.ts';
import type { DeploymentRun } from '../../../../runtime/operator/deployments/deployment-run.ts';
import {
  DeploymentOutputs,
  type DeploymentOutputsDeps,
} from '../../../../runtime/operator/deployments/outputs/deployment-outputs.ts';
import type { DeploymentObject } from '../../../../runtime/operator/deployments/runs/runs.ts';

const metadata = { namespace: 'team', name: 'shop', uid: 'u', generation: 1 };
const outputs = { configMap: { name: 'config' }, secret: { name: 'out' } };
const spec = { outputs, locations: [{ name: 'east' }], template: { arm: { json: '{}', owner: {} } } };
const deployment = {
  apiVersion: 'azimuth.dev/v1alpha1',
  kind: 'ComputeDeployment',
  metadata,
  spec,
} as DeploymentObject;
const run = {
  goal: { arm: {} },
  nodes: new Map([['a', { location: 'east' }]]),
  recorded: { object: { metadata: { uid: 'r' } } },
} as unknown as DeploymentRun;
const text = (value: string): GoalOutput => ({ name: 'text', text: value });
const password: GoalOutput = {
  name: 'password',
  expression: "[parameters('secret0')]",
  sources: [{ secret: { name: 'web', key: 'password' } }],
};

/** Writes these outputs; `denied` is a right that the service account lacks. */
async function write(made: readonly GoalOutput[], denied = '') {
  const requests: string[] = [];
  const rights: string[] = [];
  const secret = { data: { password: Buffer.from('hunter2').toString('base64') } };
  const parts = {
    client: {
      tryGet: async ({ plural }: { plural: string }, { name }: { name: string }) => {
        requests.push(`get ${plural} ${name}`);
        return name === 'web' ? secret : undefined;
      },
      create: async ({ plural }: { plural: string }, object: { metadata: { name: string } }) => {
        requests.push(`create ${plural} ${object.metadata.name}`);
        return object;
      },
    },
    access: {
      check: async (_: unknown, { verb, type, name }: { verb: string; type: { plural: string }; name: string }) => {
        const right = `${verb} ${type.plural} ${name}`;
        rights.push(right);
        if (right === denied) throw new AzimuthError('AZ_ACCESS_DENIED', `may not ${right}`, { retryAfterMs: 30_000 });
      },
    },
    expansions: { outputs: async () => ({ outputs: made, needed: [], problems: [] }) },
    answers: {},
  } as unknown as DeploymentOutputsDeps;
  const writer = new DeploymentOutputs(parts);
  const problems = await writer.write(run, deployment, new AbortController().signal);
  return { problems, requests, rights, writer };
}

test('each write and each Secret that an output shows needs a right', async () => {
  const { problems, rights, requests, writer } = await write([text('a'), password]);
  expect(problems).toEqual([]);
  expect(rights).toEqual(['get secrets web', 'create configmaps config', 'create secrets out']);
  expect(requests.filter((each) => each.startsWith('create'))).toEqual([
    'create configmaps config',
    'create secrets out',
  ]);
  const count = requests.length;
  expect(await writer.write(run, deployment, new AbortController().signal)).toEqual([]);
  expect(requests).toHaveLength(count);
});

test.each(['get secrets web', 'create secrets out', 'create configmaps config'])(
  'nothing goes past a missing right to %s',
  async (denied) => {
    const { problems, requests } = await write([text('a'), password], denied);
    expect(problems).toEqual([{ path: 'spec.outputs of east', message: `may not ${denied}`, retryAfterMs: 30_000 }]);
    const [verb, ...target] = denied.split(' ');
    expect(requests).not.toContain(`${verb} ${target.join(' ')}`);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  },
);

test('outputs that a ConfigMap does not take are refused, and not tried again', async () => {
  const { problems, requests } = await write([text('x'.repeat(1_048_576))]);
  expect(problems).toEqual([
    {
      path: 'spec.outputs of east',
      message: expect.stringMatching(/ConfigMap config have 1048580 bytes, and the API server takes less than 1048576/),
    },
  ]);
  expect(requests.filter((each) => each.startsWith('create'))).toEqual([]);
});

test('each value is read once, and no more than a location may name', async () => {
  const { rights } = await write([password, { ...password, name: 'again' }]);
  expect(rights.filter((each) => each === 'get secrets web')).toHaveLength(1);
  const sources = Array.from({ length: 65 }, (_, index) => ({ value: `hunter${index}` }));
  const { problems } = await write([{ ...password, sources }]);
  expect(problems).toEqual([
    { path: 'spec.outputs of east', message: expect.stringMatching(/more than 64 values of Secrets and of Azure/) },
  ]);
});
