import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KillPlan } from '../crashes/kill-plan.ts';
import { RestartableOperator } from '../crashes/restartable-operator.ts';
import { armRequests, types, until, type World } from '../support.ts';
import { deploymentType, namesOf, networkSpec, runIn, runsOf, startDeploymentWorld } from './deployment-world.ts';

let world: World;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startDeploymentWorld();
  operator = await RestartableOperator.start(world, '--deployments');
});
afterAll(async () => {
  await operator.close();
  await world.close();
});

/** What a write is for, without the names of this round and the numbers in them. */
function purpose(method: string, path: string, body: string, name: string): string {
  const where = path.replaceAll(name, 'NAME').replace(/\?.*/, '').replace(/-\d+/g, '-N');
  const { metadata, spec } = JSON.parse(body || '{}');
  return `${method} ${where} ${Object.keys(metadata?.annotations ?? {})} ${Object.keys(spec ?? {})}`;
}

/** The objects of a round have its name, so that Azure's journal tells the rounds apart. */
const roundSpec = JSON.parse(
  JSON.stringify(networkSpec(['westeurope', 'northeurope'])).replaceAll('-${location}', '-${deployment}-${location}'),
);

test('killed before and after each write of a deployment, the operator finishes each goal, and deletes it', async () => {
  const killed: string[] = [];
  for (const when of ['before', 'after'] as const) {
    const plan = new KillPlan();
    for (let round = 1; ; round++) {
      const name = `${when}${round}`;
      const spec = (team: string) => ({ ...roundSpec, parameters: { team }, strategy: { parallelism: 1 } });
      plan.begin();
      const met = new Set<string>();
      operator.gate.judge = (method, path, body) => {
        const isAbout =
          path.includes('/computedeployments/') || path.includes('/computeruns') || body.includes('azimuth.dev/goal');
        if (!isAbout || !`${path}${body}`.includes(name)) return undefined;
        const what = purpose(method, path, body, name);
        // The first write of each purpose: a second one is a write of another object alone.
        if (met.has(what)) return undefined;
        met.add(what);
        return plan.meets(what) ? when : undefined;
      };
      await world.apply(deploymentType, name, spec('first'));
      await runIn(world, name, 'Succeeded');
      await world.apply(deploymentType, name, spec('second'));
      await runIn(world, name, 'Succeeded', 2);
      expect(await runsOf(world, name)).toHaveLength(2);
      expect((await world.get(types.group, `rg-${name}-northeurope`))['spec'].tags).toEqual({ team: 'second' });
      await world.client.delete(deploymentType, { namespace: 'default', name });
      await until(
        `${name} is gone`,
        async () => !(await world.client.tryGet(deploymentType, { namespace: 'default', name })),
      );
      for (const type of [types.group, types.network])
        expect((await namesOf(world, type)).filter((each) => each.includes(`-${name}-`))).toEqual([]);
      // Two tags of two groups: four writes of groups, and one of each network. A write may be repeated by no kill.
      expect(armRequests(world, 'PUT', new RegExp(`resourceGroups/rg-${name}-[a-z]+$`, 'i'))).toHaveLength(4);
      expect(armRequests(world, 'PUT', new RegExp(`virtualNetworks/net-${name}-[a-z]+$`, 'i'))).toHaveLength(2);
      if (plan.killedAt === undefined) break;
      killed.push(`${when} ${plan.killedAt}`);
    }
  }
  operator.gate.judge = () => undefined;
  for (const when of ['before', 'after']) {
    const writes = killed.filter((each) => each.startsWith(when)).join('\n');
    expect(writes).toMatch(/POST .*computeruns/);
    expect(writes).toMatch(/PATCH .*computeruns.* azimuth\.dev\/run/);
    expect(writes).toMatch(/PATCH .*computeruns.*\/status/);
    expect(writes).toMatch(/PATCH .*resourcegroups.* azimuth\.dev\/goal/);
    expect(writes).toMatch(/PATCH .*virtualnetworks.* azimuth\.dev\/goal/);
    expect(writes).toMatch(/PATCH .*computedeployments/);
  }
}, 1_800_000);
