import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bindingsType, eventsType, World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const untilBinding = (name: string, expected: string) => world.untilReady(name, expected, 'default', bindingsType);

test('a pod on the host network is assigned and never served: its event and the condition of the binding tell', async () => {
  await world.vmNode('node-1');
  for (const name of ['hosted', 'ordinary']) await world.bound(name);
  await world.pod('agent', 'hosted', 'node-1', 'app', { hostNetwork: true });
  await world.pod('web', 'ordinary', 'node-1');
  world.controller();
  await world.untilStates(['default/agent-app-hosted Assigned', 'default/web-app-ordinary Assigned']);
  const message = await untilBinding('hosted', 'True HostNetworkNotServed');
  expect(message).toContain('the node daemon gives it no token: remove hostNetwork or the label from the pod');
  expect(message).not.toContain('agent');
  await untilBinding('ordinary', 'True Accepted');
  await world.until(async () => {
    const { items } = await world.client.list(eventsType, { limit: 0 });
    const seen = items.map(({ regarding, reason }) => `${regarding.kind} ${regarding.name} ${reason}`);
    const expected = ['Pod agent HostNetworkNotServed', 'AzureIdentityBinding hosted HostNetworkNotServed'];
    return {
      ok: expected.every((each) => seen.includes(each)) && !seen.includes('Pod web HostNetworkNotServed'),
      seen,
    };
  }, 'events');
  await world.deletePod('agent');
  await untilBinding('hosted', 'True Accepted');
});

test('a pod on the host network of another namespace, which the identity does not serve, is not reported', async () => {
  await world.vmNode('node-1');
  await world.azureIdentity('own');
  await world.identity('own', {}, { annotations: { 'aadpodidentity.k8s.io/Behavior': 'namespaced' } });
  await world.binding('own', 'own');
  await world.pod('foreign', 'own', 'node-1', 'app', { hostNetwork: true });
  world.controller();
  await untilBinding('own', 'True Accepted');
  await world.pod('mine', 'own', 'node-1', 'default', { hostNetwork: true });
  await untilBinding('own', 'True HostNetworkNotServed');
});
