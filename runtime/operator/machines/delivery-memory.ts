import type { JsonObject } from '../../base/json.ts';
import type { RolloutMachine } from '../../compute/managed-secrets/rollout-steps.ts';
import type { Readiness } from '../objects/conditions.ts';
import { newRollMemory, type Progress, type RollMemory } from './roll-memory.ts';

/** The versions of one ManagedSecret that a machine may name. */
export interface SecretUsage {
  /** Numbers that its model or an instance names. */
  readonly numbers: Set<number>;
  /** Whether no other number is possible: this process saw the end of a delivery. */
  complete: boolean;
  /** Whether the machine did not name the secret before, so that no instance has a version of it yet. */
  readonly isFirst?: boolean;
}

/** The result of a delivery in one run. */
export interface DeliveryReport {
  /** For the condition SecretsDelivered; no severity means True. */
  readonly readiness: Readiness;
  /** For `status.managedSecrets`; undefined before the first read of the machine. */
  readonly status?: JsonObject;
  /** When to reconcile again, in milliseconds; undefined: only after a change. */
  readonly afterMs?: number;
  /** Of this run: how far the instances are. */
  readonly progress?: Progress;
}

/** The identities of one ManagedSecret on a machine: the current one, and those before it by ARM id, with their numbers. */
export interface AttachedIdentities {
  current: { readonly id: string; readonly number: number };
  readonly before: Map<string, number>;
}

/** The health of a machine, with the numbers of the versions that it is to have, by ManagedSecret. */
export interface SeenMachine extends Pick<RolloutMachine, 'health' | 'message'> {
  readonly numbers: ReadonlyMap<string, number>;
}

/** The record of the delivery to one machine in this process. Losing it costs requests, never correctness. */
export interface DeliveryMemory extends RollMemory {
  readonly namespace: string;
  /** In lower case; undefined until it was planned. */
  subscription: string | undefined;
  /** Region of the machine, in lower case. */
  location: string;
  /** Names of the ManagedSecrets that its object names now. */
  references: readonly string[];
  /** Whether a run of this process has planned the object, with ManagedSecrets or without. */
  planned: boolean;
  /** By the name of the ManagedSecret. */
  readonly uses: Map<string, SecretUsage>;
  /** Of kind Identity, by the name of the ManagedSecret. */
  readonly identities: Map<string, AttachedIdentities>;
  /** When the identities before the current ones are detached, in milliseconds since the epoch. */
  dropIdentitiesAt: number | undefined;
  /** The report of the last run; undefined for a machine without ManagedSecrets. */
  report: DeliveryReport | undefined;
  /** The health after the last run; undefined until one has seen the machine as declared. */
  seen: SeenMachine | undefined;
  /** The warnings that were reported last. */
  warnings: string;
  /** Hashes of the extensions of a virtual machine that this process has sent, by name. */
  readonly sent: Map<string, string>;
}

/** The memory of a machine that this process has not seen. */
export function newDeliveryMemory(namespace: string): DeliveryMemory {
  return {
    ...newRollMemory(),
    namespace,
    subscription: undefined,
    location: '',
    references: [],
    planned: false,
    uses: new Map(),
    identities: new Map(),
    dropIdentitiesAt: undefined,
    report: undefined,
    seen: undefined,
    warnings: '',
    sent: new Map(),
  };
}

/** Records which ManagedSecrets a machine names, whose versions on it this process may not know yet. */
export function recordNames(memory: DeliveryMemory, names: readonly string[]): void {
  const isFirst = memory.planned;
  memory.planned = true;
  for (const name of names) {
    if (!memory.uses.has(name)) memory.uses.set(name, { numbers: new Set(), complete: false, isFirst });
  }
}

/**
 * Records that the model of a machine is about to name these numbers, before a request has them. A ManagedSecret that it
 * named before stays among its uses until the delivery has ended, as instances may still name it.
 */
export function recordUses(memory: DeliveryMemory, numbers: ReadonlyMap<string, number>): void {
  for (const [name, number] of numbers) {
    const use = memory.uses.get(name) ?? { numbers: new Set<number>(), complete: false };
    use.numbers.add(number);
    memory.uses.set(name, use);
  }
}

/** Records that the model and every instance name these numbers and no others. */
export function recordDelivered(memory: DeliveryMemory, numbers: ReadonlyMap<string, number>): void {
  memory.uses.clear();
  for (const [name, number] of numbers) {
    const earlier = memory.identities.get(name)?.before.values() ?? [];
    memory.uses.set(name, { numbers: new Set([number, ...earlier]), complete: true });
  }
}
