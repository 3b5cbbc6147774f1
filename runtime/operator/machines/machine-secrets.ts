import type { RolloutMachine } from '../../compute/managed-secrets/rollout-steps.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ManagedSecrets } from '../managed-secrets/resolver.ts';
import type { NamespaceUsers } from '../managed-secrets/secret-users.ts';
import {
  type DeliveryMemory,
  type DeliveryReport,
  newDeliveryMemory,
  recordDelivered,
  recordNames,
} from './delivery-memory.ts';
import { UsageReads } from './usage-reads.ts';

/** Dependencies of the delivery of ManagedSecrets to machines. */
export interface MachineSecretsDeps {
  readonly secrets: Pick<ManagedSecrets, 'resolve' | 'locations' | 'ends' | 'recheckUsers' | 'recheckRollouts'>;
  /** The machines of a namespace in the caches; undefined while the operator does not watch every kind of machine. */
  readonly machines: (namespace: string) => readonly KubeObject[] | undefined;
}

/**
 * The delivery of ManagedSecrets to machines as this process knows it: by the uid of the machine's object, the versions
 * that its model and its instances name. Nothing here comes from a status.
 */
export class MachineSecrets {
  readonly secrets: MachineSecretsDeps['secrets'];
  readonly usages = new UsageReads();
  readonly #machines: MachineSecretsDeps['machines'];
  readonly #byUid = new Map<string, DeliveryMemory>();
  readonly #byNamespace = new Map<string, Set<DeliveryMemory>>();

  constructor({ secrets, machines }: MachineSecretsDeps) {
    this.secrets = secrets;
    this.#machines = machines;
  }

  /** The record of a machine's delivery in this process. */
  of({ metadata: { uid = '', namespace = '' } }: KubeObject): DeliveryMemory {
    const planned = this.#byUid.get(uid);
    if (planned) return planned;
    const memory = newDeliveryMemory(namespace);
    this.#byUid.set(uid, memory);
    this.#byNamespace.set(namespace, (this.#byNamespace.get(namespace) ?? new Set()).add(memory));
    return memory;
  }

  /** Records where a machine is and which ManagedSecrets it names, with the first of its plans. */
  plan(memory: DeliveryMemory, names: readonly string[], location: string): void {
    const isFirst = !memory.planned;
    const isOther = location !== memory.location || names.join() !== memory.references.join();
    memory.references = names;
    memory.location = location;
    recordNames(memory, names);
    if (isFirst) this.recheck(memory.namespace);
    if (isFirst || isOther) this.secrets.recheckRollouts(memory.namespace, names);
  }

  /** Records the end of a delivery: model and every instance name these numbers and no others. */
  delivered(memory: DeliveryMemory, numbers: ReadonlyMap<string, number>): void {
    const before = [...memory.uses.keys()];
    recordDelivered(memory, numbers);
    this.secrets.recheckUsers(memory.namespace, before);
  }

  /** Has ManagedSecrets of a namespace reconciled whose versions no machine uses any more. */
  recheck(namespace: string): void {
    this.secrets.recheckUsers(namespace);
  }

  /** The report of the last delivery to a machine; undefined without ManagedSecrets. */
  reportOf({ metadata: { uid = '' } }: KubeObject): DeliveryReport | undefined {
    return this.#byUid.get(uid)?.report;
  }

  /** Forgets a machine whose object is gone. */
  forget(uid: string): void {
    const memory = this.#byUid.get(uid);
    if (!memory) return;
    this.#byUid.delete(uid);
    const others = this.#byNamespace.get(memory.namespace);
    others?.delete(memory);
    if (others?.size === 0) this.#byNamespace.delete(memory.namespace);
    this.recheck(memory.namespace);
  }

  /**
   * Numbers of the versions that models and instances name, by ManagedSecret. Undefined until each machine of the
   * namespace was planned by this process; and for a ManagedSecret until each machine with it has finished a delivery,
   * as its instances may name any version.
   */
  usersIn(namespace: string): NamespaceUsers | undefined {
    const machines = this.#machines(namespace);
    if (!machines || machines.some(({ metadata }) => this.#byUid.get(metadata.uid ?? '')?.planned !== true)) {
      return undefined;
    }
    const all = new Map<string, Set<number> | undefined>();
    for (const { uses } of this.#byNamespace.get(namespace) ?? []) {
      for (const [name, { numbers, complete }] of uses) {
        const secretNumbers = all.has(name) ? all.get(name) : new Set<number>();
        for (const number of complete ? numbers : []) secretNumbers?.add(number);
        all.set(name, complete ? secretNumbers : undefined);
      }
    }
    return (name) => (all.has(name) ? all.get(name) : new Set());
  }

  /**
   * The machines that name a ManagedSecret, for its rollout. Undefined until each machine of the namespace was planned by
   * this process.
   */
  consumersOf(namespace: string, secret: string): readonly RolloutMachine[] | undefined {
    const machines = this.#machines(namespace)?.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const machineKeys = machines?.map(({ metadata }) => ({
      name: metadata.name,
      memory: this.#byUid.get(metadata.uid ?? ''),
    }));
    if (!machineKeys || machineKeys.some(({ memory }) => memory?.planned !== true)) return undefined;
    return machineKeys.flatMap(({ name, memory }): RolloutMachine[] => {
      if (!memory?.references.includes(secret)) return [];
      const { health = 'Unknown', message = 'it has not been read yet', numbers } = memory.seen ?? {};
      return [{ name, location: memory.location, number: numbers?.get(secret), health, message }];
    });
  }

  /** How many machines of a subscription have ManagedSecrets. */
  holders(subscription: string): number {
    const id = subscription.toLowerCase();
    return [...this.#byUid.values()].filter((each) => each.uses.size > 0 && each.subscription === id).length;
  }
}
