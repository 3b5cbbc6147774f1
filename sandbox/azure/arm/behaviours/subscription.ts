import { at, stringOf } from '../../json.ts';
import type { Behaviour } from '../behaviour.ts';

/** Microsoft.Subscription: an alias makes a subscription. */
export const subscriptionBehaviours: readonly Behaviour[] = [
  {
    type: 'Microsoft.Subscription/aliases',
    tracked: false,
    create: { status: 201 },
    update: { status: 200 },
    remove: { status: 200 },
    computed({ system, ids }) {
      system['subscriptionId'] ??= ids.uuid();
      return { properties: { subscriptionId: system['subscriptionId'] } };
    },
    written({ body, name }, { state, tenantId }) {
      const subscriptionId = stringOf(at(body, 'properties.subscriptionId'));
      state.subscriptions[subscriptionId] ??= { subscriptionId, tenantId, displayName: name, registered: [] };
    },
  },
];
