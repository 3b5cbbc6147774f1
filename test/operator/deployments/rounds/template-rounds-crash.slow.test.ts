import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { KillPlan } from '../../crashes/kill-plan.ts';
import { RestartableOperator } from '../../crashes/restartable-operator.ts';
import { armRequests, types, until, type World } from '../../support.ts';
import { deploymentType, namesOf, runIn, runsOf, startDeploymentWorld } from '../deployment-world.ts';
import { assignmentType, identityType, specOf } from './identity-deployment.ts';

let world: World;
let operator: RestartableOperator;

beforeAll(async () => {
  world = await startDeploymentWorld();
  operator = await RestartableOperator.start(world, '--deployments');
  await world.apply(types.group, 'azd', { location: 'westeurope' });
});
afterAll(async () => {
  await operator.close();
  await world.close();
});

/** What a write of a run is for. */
function purpose(method: string, path: string, body: string): string {
  const { metadata } = JSON.parse(body || '{}');
  const isDecided = body.includes('decided') && body.includes('azimuth.dev/run');
  const subresource = path.includes('/status') ? '/status' : '';
  return `${method} ${subresource} ${Object.keys(metadata?.annotations ?? {})} ${isDecided ? 'decided' : ''}`;
}

test('killed before and after each write of a run, the operator makes one assignment, with one PUT', async () => {
  const killed: string[] = [];
  for (const when of ['before', 'after'] as const) {
    const plan = new KillPlan();
    for (let round = 1; ; round++) {
      const name = `${when}${round}`;
      plan.begin();
      const met = new Set<string>();
      operator.gate.judge = (method, path, body) => {
        const isAbout = path.includes('/computeruns') && `${path}${body}`.includes(name);
        const what = isAbout ? purpose(method, path, body) : '';
        if (what === '' || met.has(what)) return undefined;
        met.add(what);
        return plan.meets(what) ? when : undefined;
      };
      const puts = armRequests(world, 'PUT', /roleAssignments/).length;
      await world.apply(deploymentType, name, specOf([name], { retry: 'first' }));
      await runIn(world, name, 'Succeeded');
      const [made] = await namesOf(world, assignmentType);
      await world.apply(deploymentType, name, specOf([name], { retry: 'second' }));
      await runIn(world, name, 'Succeeded', 2);
      expect(await runsOf(world, name)).toHaveLength(2);
      expect(await namesOf(world, assignmentType)).toEqual([made]);
      expect(armRequests(world, 'PUT', /roleAssignments/)).toHaveLength(puts + 1);
      await world.client.delete(deploymentType, { namespace: 'default', name });
      await until(
        `${name} is gone`,
        async () => !(await world.client.tryGet(deploymentType, { namespace: 'default', name })),
      );
      expect([await namesOf(world, assignmentType), await namesOf(world, identityType)]).toEqual([[], []]);
      if (plan.killedAt === undefined) break;
      killed.push(`${when} ${plan.killedAt}`);
    }
  }
  operator.gate.judge = () => undefined;
  expect(killed).toContainEqual(expect.stringMatching(/before PATCH .*azimuth.dev\/run decided/));
  expect(killed).toContainEqual(expect.stringMatching(/after PATCH .*azimuth.dev\/run decided/));
}, 1_800_000);
