import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import { TimeCredit } from '../../../../runtime/base/isolation/time-credit.ts';
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
async function write(made: readonly GoalOutput[], denied = '', { value = 'hunter2', of = run } = {}) {
  const clock = new ManualClock(1000);
  const credit = new TimeCredit(clock, 100);
  const requests: string[] = [];
  const rights: string[] = [];
  const secret = { data: { password: Buffer.from(value).toString('base64') } };
  const parts = {
    client: {
      tryGet: async ({ plural }: { plural: string }, { name }: { name: string }) => {
        requests.push(`get ${plural} ${name}`);
        return name.startsWith('web') ? secret : undefined;
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
    vaults: { read: async (_: unknown, source: object) => `${requests.push(JSON.stringify(source))}` },
    clock,
    resyncMs: undefined,
  } as unknown as DeploymentOutputsDeps;
  const writer = new DeploymentOutputs(parts);
  const again = async () => (await writer.write(of, deployment, credit, new AbortController().signal)).problems;
  return { problems: await again(), requests, rights, again, clock, credit };
}

test('each write and each Secret that an output shows needs a right', async () => {
  const { problems, rights, requests, again } = await write([text('a'), password]);
  expect(problems).toEqual([]);
  expect(rights).toEqual(['get secrets web', 'create configmaps config', 'create secrets out']);
  expect(requests.filter((each) => each.startsWith('create'))).toEqual([
    'create configmaps config',
    'create secrets out',
  ]);
  const count = requests.length;
  expect(await again()).toEqual([]);
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

test('the values of one location are bounded together before an expression takes them', async () => {
  const sources = Array.from({ length: 5 }, (_, index) => ({ secret: { name: `web${index}`, key: 'password' } }));
  const { problems, rights } = await write([{ ...password, sources }], '', { value: 'x'.repeat(1_048_576) });
  expect(problems).toEqual([
    { path: 'spec.outputs of east', message: expect.stringMatching(/more than 4194304 characters: leave some out/) },
  ]);
  expect(rights).not.toContain('create secrets out');
});

test('a location that failed is not tried before its time, and one without hope not again', async () => {
  const late = await write([text('a'), password], 'get secrets web');
  const asked = late.rights.length;
  await late.clock.advance(29_000);
  expect(await late.again()).toEqual([expect.objectContaining({ retryAfterMs: 1000 })]);
  expect(late.rights).toHaveLength(asked);
  await late.clock.advance(1000);
  await late.again();
  expect(late.rights.length).toBeGreaterThan(asked);

  const never = await write([text('x'.repeat(1_048_576))]);
  await never.clock.advance(3_600_000);
  expect(await never.again()).toHaveLength(1);
  expect(never.requests).toEqual(['get configmaps config', 'get secrets out']);
});

test('the namespace waits for its credit of computing time', async () => {
  const { problems, again, clock, credit } = await write([password], 'get secrets web');
  expect(problems).toHaveLength(1);
  credit.spend('team', 200);
  await clock.advance(30_000 - 1);
  expect(await again()).toEqual([expect.objectContaining({ message: expect.stringContaining('may not get') })]);
  credit.spend('team', 200);
  await clock.advance(1);
  const [problem] = await again();
  expect(problem?.message).toBe('the deployments of the namespace have used their share of computing time');
  expect(problem?.retryAfterMs).toBeGreaterThan(0);
});

test('a run of a former goal with more locations than names writes nothing', async () => {
  const nodes = new Map([
    ['a', { location: 'east' }],
    ['b', { location: 'west' }],
  ]);
  const { problems, requests } = await write([text('a')], '', { of: { ...run, nodes } as unknown as DeploymentRun });
  expect(problems.map(({ path }) => path)).toEqual(['spec.outputs.configMap.name', 'spec.outputs.secret.name']);
  expect(requests).toEqual([]);
});

test.each([{ managedSecret: 'web' }, { keyVault: { id: '/vaults/v', secret: 's' } }])(
  'a value of a vault needs the right to a body that has it: %j',
  async (source) => {
    const output: GoalOutput = { ...password, sources: [source] };
    expect((await write([output])).rights).toEqual(['create armresources shop', 'create secrets out']);
    const { problems, requests } = await write([output], 'create armresources shop');
    expect(problems).toMatchObject([{ message: 'may not create armresources shop' }]);
    expect(requests).toEqual(['get configmaps config', 'get secrets out']);
  },
);
