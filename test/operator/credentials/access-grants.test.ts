import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, types, untilReady, type World } from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

const principalId = '11111111-2222-3333-4444-555555555555';

test('a role under an ARM id waits for its rule, which the condition names, or for the setting of one tenant', async () => {
  const first = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const { id } = (await untilReady(world, types.group, 'rg'))['status'];
  await world.apply(types.roleAssignment, 'reader', {
    owner: { armId: id },
    principalId,
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  const refused = await untilReady(world, types.roleAssignment, 'reader', 'ScopeNotAllowed');
  expect(JSON.stringify(refused['status'])).toContain(`add the rule default=${id} to --operator-credential-scopes`);
  await first.stop();
  await world.startOperator({ AZIMUTH_ALLOW_ACCESS_GRANTS: 'true' });
  await untilReady(world, types.roleAssignment, 'reader');
});
