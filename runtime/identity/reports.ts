import { sharedAssignedNamespace } from '../api/pod-identity/matching.ts';
import { apiVersionOf, type KubeObject } from '../kube/client/types.ts';
import type { EventRecorder } from '../kube/events/recorder.ts';
import type { Desired } from './assignments/desired.ts';
import { hostNetworkMessage, hostNetworkReason } from './conditions/host-network.ts';
import { type Assigned, bindingsType } from './objects.ts';

/**
 * Events of assignments. Reasons on bindings are those of AAD Pod Identity, spaces included, because alerts match
 * them; success is an event of the binding only, a failure one of the pod too.
 */
export class Reports {
  readonly #events: EventRecorder;

  constructor(events: EventRecorder) {
    this.#events = events;
  }

  /** The pod's identity is assigned. */
  applied({ binding, pod, node, key }: Desired): void {
    const note = `Binding ${binding.metadata.name} applied on node ${node} for pod ${nameOf(key)}`;
    this.#events.record({ regarding: binding, reason: 'binding applied', action: 'Assign', note });
    if (!pod.spec?.hostNetwork) return;
    this.#events.record({
      regarding: pod,
      related: binding,
      type: 'Warning',
      reason: hostNetworkReason,
      action: 'Assign',
      note: `The pod ${hostNetworkMessage}`,
    });
  }

  /** The assignment failed; `why` is for the namespace of the binding. */
  applyFailed(desired: Desired, why: string): void {
    const { binding, identity, pod, node } = desired;
    const names = `identity ${identity.metadata.namespace}/${identity.metadata.name}`;
    // One series for each binding and cause, for any number of pods.
    this.#events.record({
      regarding: binding,
      related: pod,
      type: 'Warning',
      reason: 'binding apply error',
      action: 'Assign',
      note: `Applying binding ${binding.metadata.name} with ${names} failed: ${why}`,
    });
    this.#events.record({
      regarding: pod,
      related: binding,
      type: 'Warning',
      reason: 'IdentityNotAssigned',
      action: 'Assign',
      note: `The ${names} cannot be assigned on node ${node}: ${why}`,
    });
  }

  /** Azure has not finished a change of the machine yet. */
  pending({ binding, identity, pod, node }: Desired, machine: string): void {
    const { namespace, name } = identity.metadata;
    this.#events.record({
      regarding: pod,
      related: binding,
      reason: 'IdentityPending',
      action: 'Assign',
      note: `The identity ${namespace}/${name} is not assigned yet on node ${node}: Azure has not finished a change of ${machine}`,
    });
  }

  /** The assignment was removed. */
  removed(assigned: Assigned): void {
    const binding = bindingOf(assigned);
    const { nodename = '', pod = '' } = assigned.spec ?? {};
    if (!binding) return;
    const note = `Binding ${binding.metadata.name} removed from node ${nodename} for pod ${pod}`;
    this.#events.record({ regarding: binding, reason: 'binding removed', action: 'Release', note });
  }

  /** The object of an assignment could not be deleted. */
  removeFailed(assigned: Assigned, why: string): void {
    const binding = bindingOf(assigned);
    if (binding) this.#removeFailed(binding, assigned.spec?.nodename ?? '', why);
  }

  /** The identity of a pod that is gone could not be detached. */
  detachFailed({ binding, node }: Desired, why: string): void {
    this.#removeFailed(binding, node, why);
  }

  #removeFailed(binding: KubeObject, node: string, why: string): void {
    this.#events.record({
      regarding: binding,
      type: 'Warning',
      reason: 'binding remove error',
      action: 'Release',
      note: `Removing binding ${binding.metadata.name} from node ${node} failed: ${why}`,
    });
  }

  /** Two pods need an AzureAssignedIdentity of the same name; `winner` has it. */
  collision(desired: Desired, winner: Desired): void {
    const { namespace, name } = winner.pod.metadata;
    const other = namespace === desired.pod.metadata.namespace ? `the pod ${name}` : 'a pod of another namespace';
    this.applyFailed(desired, `${other} has an assignment of the same name; rename the pod or the AzureIdentity`);
  }
}

/**
 * The binding that an assignment embeds; undefined where it is in another namespace, which must not receive the
 * event.
 */
function bindingOf({ metadata: { namespace }, spec }: Assigned): KubeObject | undefined {
  const metadata = spec?.azureBindingRef?.metadata;
  const isSameNamespace = metadata?.namespace === namespace || namespace === sharedAssignedNamespace;
  return metadata && isSameNamespace
    ? { apiVersion: apiVersionOf(bindingsType), kind: bindingsType.kind, metadata }
    : undefined;
}

function nameOf(key: string): string {
  return key.split('/')[1] ?? key;
}
