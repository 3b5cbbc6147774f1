import type { Wait } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ManagedSecrets } from '../managed-secrets/resolver.ts';
import { type DeliveryMemory, type DeliveryReport, newDeliveryMemory } from './delivery-memory.ts';

/** What the delivery of ManagedSecrets to machines needs. */
export interface MachineSecretsParts {
  readonly secrets: Pick<ManagedSecrets, 'resolve'>;
  /** The machines of a namespace in the caches; undefined while the operator does not watch every kind of machine. */
  readonly machines: (namespace: string) => readonly KubeObject[] | undefined;
}

/** Milliseconds in which a process reads ManagedSecrets and gates after its start. */
const loadMs = 120_000;
const unread: ReadonlySet<string> = new Set(['SecretNotReady', 'WaitingForFeature']);

/**
 * The delivery of ManagedSecrets to machines as this process knows it: by the uid of the machine's object, the versions
 * that its model and its instances name. Nothing here comes from a status.
 */
export class MachineSecrets {
  readonly secrets: MachineSecretsParts['secrets'];
  readonly #machines: MachineSecretsParts['machines'];
  readonly #byUid = new Map<string, DeliveryMemory>();

  constructor({ secrets, machines }: MachineSecretsParts) {
    this.secrets = secrets;
    this.#machines = machines;
  }

  /** What this process knows of a machine's delivery. */
  of({ metadata: { uid = '', namespace = '' } }: KubeObject): DeliveryMemory {
    const known = this.#byUid.get(uid) ?? newDeliveryMemory(namespace);
    this.#byUid.set(uid, known);
    return known;
  }

  /**
   * Whether a machine only waits for ManagedSecrets and gates that a process reads after its start. Its conditions stay
   * for that time, so that a restart makes no machine unready. False from `loadMs` after the first run of the object.
   */
  isLoading(object: KubeObject, waits: readonly Wait[], now: number): boolean {
    const memory = this.#byUid.get(object.metadata.uid ?? '');
    if (!memory || memory.resolved || waits.length === 0) return false;
    memory.seenAt ??= now;
    return now - memory.seenAt < loadMs && waits.every(({ reason }) => unread.has(reason));
  }

  /** The report of the last delivery to a machine; undefined without ManagedSecrets. */
  reportOf({ metadata: { uid = '' } }: KubeObject): DeliveryReport | undefined {
    return this.#byUid.get(uid)?.report;
  }

  /** Forgets a machine whose object is gone. */
  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  /**
   * Numbers of the versions that models and instances name. Undefined until each machine of the namespace was planned by
   * this process, and each one with this ManagedSecret has finished a delivery: its instances may name any version.
   */
  usersOf(namespace: string, name: string): ReadonlySet<number> | undefined {
    const machines = this.#machines(namespace);
    if (!machines || machines.some(({ metadata }) => this.#byUid.get(metadata.uid ?? '')?.planned !== true)) {
      return undefined;
    }
    const all = new Set<number>();
    for (const memory of this.#byUid.values()) {
      const use = memory.namespace === namespace ? memory.uses.get(name) : undefined;
      if (!use) continue;
      if (!use.complete) return undefined;
      for (const number of use.numbers) all.add(number);
    }
    return all;
  }

  /** How many machines of a subscription have ManagedSecrets. */
  holders(subscription: string): number {
    const id = subscription.toLowerCase();
    return [...this.#byUid.values()].filter((each) => each.uses.size > 0 && each.subscription === id).length;
  }
}
