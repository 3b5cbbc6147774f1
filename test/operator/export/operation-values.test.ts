/** Values of a kind whose action answers with 202: they are the result of an operation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { requiredFields } from '../kinds/examples.ts';
import { secrets, startWorldWithGroup, untilReady, type World } from '../support.ts';

const kind = kindOf('redhatopenshift.azure.com', 'HcpOpenShiftCluster') as ArmKindDefinition;
const type = resourceOf(kind);
let world: World;

beforeAll(async () => {
  const clock = new ScaledClock(10);
  world = await startWorldWithGroup({ kinds: 'redhatopenshift.azure.com/HcpOpenShiftCluster', clock });
});
afterAll(() => world?.close());

test('they are exported at the end of the operation, which is started once', async () => {
  await world.apply(type, 'hosted', {
    ...requiredFields(kind, { ...world.azure, principalId: world.azure.tenantId }),
    owner: { name: 'rg' },
    operatorSpec: { secrets: { adminCredentials: { name: 'hosted-admin', key: 'kubeconfig' } } },
  });
  await untilReady(world, type, 'hosted');
  const { kubeconfig = '' } = (await world.get(secrets, 'hosted-admin'))['data'] as Record<string, string>;
  expect(atob(kubeconfig)).toMatch(/^apiVersion: v1\nkind: Config\n/);
  const asked = world.azure.journal.entries({ service: 'arm' }).filter(({ path }) => /requestAdmin/.test(path));
  expect(asked.map(({ status, apiVersion }) => [status, apiVersion])).toEqual([[202, '2026-06-30-preview']]);
});
