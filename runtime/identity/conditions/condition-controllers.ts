import { grantAnnotation } from '../../api/pod-identity/availability.ts';
import type { CacheChange } from '../../kube/cache/types.ts';
import { type KubeObject, keyOf, objectKeyFrom } from '../../kube/client/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectKeyOf, objectOf } from '../../kube/controller/mappers.ts';
import { type Source, source } from '../../kube/controller/source.ts';
import type { DesiredCaches } from '../assignments/compute-desired.ts';
import { sameExceptEmpty } from '../assignments/same-except-empty.ts';
import { bindingsByIdentity, type Identity } from '../objects.ts';
import { bindingsOfHostNetworkPods } from './host-network.ts';
import { type ReadyConditionDeps, ReadyConditions } from './ready-conditions.ts';
import { SecretWatches } from './secret-watches.ts';

/** The running controllers of the Ready conditions. */
export interface ConditionControllers {
  readonly secrets: SecretWatches;
  /** Enqueues an AzureIdentity whose verification changed, and its bindings. */
  identityChanged(key: string): void;
}

/** Adds the controllers that write the Ready conditions of AzureIdentities and AzureIdentityBindings to a manager. */
export function addConditionControllers(
  manager: Manager,
  { pods, identities, bindings }: Pick<DesiredCaches, 'pods' | 'identities' | 'bindings'>,
  deps: Pick<ReadyConditionDeps, 'work' | 'verification' | 'certificates' | 'authorities' | 'forceNamespaced'>,
): ConditionControllers {
  const { runtime, events } = manager;
  const secrets = new SecretWatches(runtime, (users) => {
    for (const user of users) ofIdentities.enqueue(objectKeyFrom(user));
  });
  const conditions = new ReadyConditions({ runtime, events, pods, identities, bindings, secrets, ...deps });
  const ofIdentities = new Controller<Identity>(runtime, {
    name: 'azureidentities',
    primary: identities,
    reconcile: conditions.identity,
    // A referenced identity changes the spec of the object as the controller sees it, and not its generation.
    filter: (change) => specOrStatusChanged(change) || idsChanged(change),
  });
  const ofBindings = new Controller(runtime, {
    name: 'azureidentitybindings',
    primary: bindings,
    reconcile: conditions.binding,
    filter: (change) => specOrStatusChanged(change) || grantChanged(change),
    sources: [
      bindingsOfChangedIdentities({ identities, bindings }),
      bindingsOfHostNetworkPods({ pods, bindings }, deps.forceNamespaced),
    ],
  });
  manager.addController(ofIdentities);
  manager.addController(ofBindings);
  manager.addTask(async (ended) => {
    if (!ended.aborted) await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
    secrets.close();
    deps.certificates.clear();
  });
  return {
    secrets,
    identityChanged: (key) => {
      ofIdentities.enqueue(objectKeyFrom(key));
      for (const binding of bindings.byIndex(bindingsByIdentity, key)) ofBindings.enqueue(objectKeyOf(binding));
    },
  };
}

/** Enqueues the bindings of an AzureIdentity whose spec changed. */
function bindingsOfChangedIdentities({ identities, bindings }: Pick<DesiredCaches, 'identities' | 'bindings'>): Source {
  return source(identities, (change) => {
    if (!idsChanged(change)) return [];
    return bindings.byIndex(bindingsByIdentity, keyOf(objectOf(change))).map(objectKeyOf);
  });
}

function specOrStatusChanged(change: CacheChange<KubeObject>): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return object.metadata.generation !== old.metadata.generation || !sameExceptEmpty(object['status'], old['status']);
}

function idsChanged(change: CacheChange<Identity>): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return !sameExceptEmpty(object.spec, old.spec) || object.unresolved?.message !== old.unresolved?.message;
}

function grantChanged(change: CacheChange<KubeObject>): boolean {
  const grant = ({ metadata }: KubeObject) => metadata.annotations?.[grantAnnotation];
  return change.type === 'updated' && grant(change.object) !== grant(change.old);
}
