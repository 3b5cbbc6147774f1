import type { GateCheckSpec, GateSpec } from '../../api/deployments/wave-gate.ts';
import { tryParseDuration } from '../../base/duration.ts';

/** A gate with its defaults. */
export interface WaveGate {
  readonly needsApproval: boolean;
  /** Milliseconds. */
  readonly bakeForMs: number;
  /** Milliseconds. */
  readonly checkDeadlineMs: number;
  readonly checks: readonly GateCheckSpec[];
}

const defaultCheckDeadlineMs = 600_000;

/** The gate of a spec. */
export function gateOf({ approval = false, bakeFor, checkDeadline, checks = [] }: GateSpec): WaveGate {
  return {
    needsApproval: approval,
    bakeForMs: spanOf(bakeFor) ?? 0,
    checkDeadlineMs: spanOf(checkDeadline) ?? defaultCheckDeadlineMs,
    checks,
  };
}

const spanOf = (text: string | undefined) => (text === undefined ? undefined : tryParseDuration(text));

/** How a resource of the wave is now. */
export interface ResourceHealth {
  readonly key: string;
  /** `Ill`: it failed, or instances of it are not well. */
  readonly state: 'Well' | 'Moving' | 'Ill';
  /** Since when, milliseconds since the epoch. */
  readonly since: number;
  readonly message: string;
}

/** The last result of a check. `Failed` is final; `Trying` is tried again until the deadline. */
export interface CheckResult {
  readonly state: 'Passed' | 'Trying' | 'Failed';
  readonly message: string;
  /** When it was first tried for this wave, milliseconds since the epoch. */
  readonly since: number;
  /** When it was tried last, milliseconds since the epoch. */
  readonly at: number;
}

/** What is known when a gate is asked. */
export interface GateFacts {
  readonly now: number;
  readonly resources: readonly ResourceHealth[];
  /** By the name of the check; absent: it was not tried since the wave is well. */
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly isApproved: boolean;
  /** Milliseconds after which a resource that is not Ready counts as failed. */
  readonly progressDeadlineMs: number;
}

/**
 * What a gate does next. `check`: the names of checks that are due, and since when they count. Times are milliseconds
 * since the epoch.
 */
export type GateStep =
  | { readonly state: 'Passed' }
  | { readonly state: 'Failed'; readonly message: string }
  | {
      readonly state: 'Waiting';
      readonly message: string;
      /** What holds it: a resource, the bake, a check or the approval. The message may change under the same one. */
      readonly heldBy: string;
      readonly askAt?: number;
      readonly check?: { readonly names: readonly string[]; readonly since: number };
    };

/** Milliseconds between two tries of a check. */
const tryMs = 10_000;

/** Decides on a gate whose wave has come to its goal: bake, then checks, then the approval. */
export function gateStep(gate: WaveGate, facts: GateFacts): GateStep {
  const { now, resources, progressDeadlineMs } = facts;
  const ill = resources.find(({ state }) => state === 'Ill');
  if (ill) return { state: 'Failed', message: `${ill.key}: ${ill.message}` };
  const moving = resources.find(({ state }) => state === 'Moving');
  if (moving) {
    const deadline = moving.since + progressDeadlineMs;
    if (now >= deadline) return { state: 'Failed', message: `${moving.key} is not Ready any more: ${moving.message}` };
    return { state: 'Waiting', message: `${moving.key}: ${moving.message}`, heldBy: moving.key, askAt: deadline };
  }
  const bakedAt = Math.max(0, ...resources.map(({ since }) => since)) + gate.bakeForMs;
  if (now < bakedAt) {
    const message = `bakes until ${new Date(bakedAt).toISOString()}`;
    return { state: 'Waiting', message, heldBy: 'bake', askAt: bakedAt };
  }
  return afterBake(gate, facts, bakedAt);
}

function afterBake(gate: WaveGate, { now, results, isApproved }: GateFacts, bakedAt: number): GateStep {
  // Results from before count for nothing: the wave was not well then.
  const current = (name: string) => {
    const result = results.get(name);
    return result && result.since >= bakedAt ? result : undefined;
  };
  const open = gate.checks.filter(({ name }) => current(name)?.state !== 'Passed');
  for (const { name } of open) {
    const result = current(name);
    if (!result) continue;
    const isLate = now >= result.since + gate.checkDeadlineMs;
    if (result.state === 'Failed' || isLate) return { state: 'Failed', message: `check ${name}: ${result.message}` };
  }
  const [first] = open;
  if (first) {
    const due = open.filter(({ name }) => now >= (current(name)?.at ?? 0) + tryMs).map(({ name }) => name);
    const message = `check ${first.name}: ${current(first.name)?.message ?? 'is tried'}`;
    return {
      state: 'Waiting',
      message,
      heldBy: `check ${first.name}`,
      askAt: now + tryMs,
      ...(due.length > 0 && { check: { names: due, since: bakedAt } }),
    };
  }
  if (gate.needsApproval && !isApproved) {
    return { state: 'Waiting', message: 'waits for a ComputeApproval', heldBy: 'approval' };
  }
  return { state: 'Passed' };
}
