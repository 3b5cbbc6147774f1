import { assignRole, type RegisterAppOptions, registerApp } from '../apps.ts';
import { changeHealth } from '../arm/compute/instance-health.ts';
import { decideFeature } from '../arm/features/feature-state.ts';
import type { EmbeddedAzure } from '../embedded-azure.ts';
import type { MachineIdentity } from '../state.ts';
import type { AzureDeps } from './azure-deps.ts';

/** The members of an embedded Azure that change its state, as people do and not by requests. */
export type StateChanges = Pick<
  EmbeddedAzure,
  | 'defaultApp'
  | 'registerApp'
  | 'addSubscription'
  | 'addIdentity'
  | 'assignRole'
  | 'decideFeature'
  | 'setInstanceHealth'
  | 'reset'
>;

/** Registers the default app, where the state does not have it, and returns the changes. */
export function stateChanges(deps: AzureDeps): StateChanges {
  const { state, ids, tenantId, clock, subscriptions, subscriptionId, throttle, vaultOutages } = deps;
  const { store, faults, journal } = deps.listeners;
  const registry = () => ({ state, ids, now: clock.now(), tenantId });
  const register = (request: RegisterAppOptions = {}) => {
    const app = registerApp(registry(), request);
    store.changed();
    return app;
  };
  const defaultOptions: RegisterAppOptions = {
    displayName: 'sandbox-operator',
    roles: [{ role: 'Owner', scope: `/subscriptions/${subscriptionId}` }],
  };
  const kept = Object.values(state.apps).find(({ displayName }) => displayName === defaultOptions.displayName);
  const defaultApp = kept ? { ...kept, secret: kept.secrets[0]?.value ?? '' } : register(defaultOptions);
  return {
    defaultApp,
    registerApp: register,
    addSubscription(options = {}) {
      const added = { subscriptionId: ids.uuid(), tenantId: options.tenantId ?? tenantId };
      state.subscriptions[added.subscriptionId] = { ...added, displayName: 'Sandbox', registered: [] };
      store.changed();
      return added;
    },
    addIdentity(identity = {}) {
      const added: MachineIdentity = { clientId: ids.uuid(), objectId: ids.uuid(), systemAssigned: false, ...identity };
      state.machineIdentities.push(added);
      store.changed();
      return added;
    },
    assignRole(principalId, role, scope) {
      assignRole(registry(), principalId, role, scope);
      store.changed();
    },
    decideFeature(decision) {
      decideFeature(decision, state, clock.now());
      store.changed();
    },
    setInstanceHealth(change) {
      changeHealth(change, state, clock.now());
      store.changed();
    },
    reset() {
      store.reset();
      subscriptions.add();
      register({ ...defaultOptions, ...defaultApp });
      faults.clear();
      vaultOutages.clear();
      journal.clear();
      throttle.reset();
    },
  };
}
