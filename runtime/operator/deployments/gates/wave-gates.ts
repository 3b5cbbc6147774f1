import { LRUCache } from 'lru-cache';
import type { GateStatus } from '../../../api/deployments/wave-gate.ts';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import {
  type CheckResult,
  type GateStep,
  gateStep,
  type ResourceHealth,
  type WaveGate,
} from '../../../compute/deployments/wave-gate.ts';
import { rollReasons } from '../../../compute/rolls/roll-plan.ts';
import { type Children, keyParts } from '../children.ts';
import type { DeploymentRun } from '../deployment-run.ts';
import { conditionsOf } from '../runs/child-readiness.ts';
import type { DeploymentObject } from '../runs/runs.ts';
import type { Approvals } from './approvals.ts';
import type { CheckPlace } from './check-place.ts';
import type { Checks } from './checks.ts';

/**
 * The gate that a run is at. `askAt`: when to ask again at the latest; milliseconds since the epoch. `isNewHold`: whether
 * something else holds it than when this process asked last.
 */
export interface GateView extends GateStatus {
  readonly isNewHold: boolean;
  readonly askAt?: number;
}

/** Dependencies of `WaveGates`. */
export interface WaveGatesDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly children: Pick<Children, 'observe' | 'get'>;
  readonly checks: Pick<Checks, 'run'>;
  readonly approvals: Pick<Approvals, 'of'>;
  /** Reconciles the object of a key again, which reads its resource and its instances. */
  readonly readAgain: (namespace: string, key: string) => void;
  /** Reconciles a deployment again. */
  readonly enqueue: (namespace: string, name: string) => void;
}

/** The results of a run's gate in this process. */
interface GateMemory {
  readonly wave: number;
  readonly results: Map<string, CheckResult>;
  readonly underWay: Set<string>;
  readAt: number;
  heldBy: string | undefined;
}

/** A resource of the wave, and whether its instances can fall ill without a change of it. */
type Resource = ResourceHealth & { readonly hasInstances: boolean };

/** Milliseconds between two reads of the scale sets of a wave that bakes. */
const readMs = 30_000;
/** Checks under way at a time, of one namespace and of all. */
const most = { ofNamespace: 10, all: 50 };

/** The gates between the waves of runs. All that they know can be asked again after a restart. */
export class WaveGates {
  readonly #deps: WaveGatesDeps;
  /** By the uid of the run. */
  readonly #memory = new LRUCache<string, GateMemory>({ max: 1000 });
  readonly #underWay = new Map<string, number>();
  readonly #stop = new AbortController();

  constructor(deps: WaveGatesDeps) {
    this.#deps = deps;
  }

  /** Ends the checks that are under way. */
  close(): void {
    this.#stop.abort();
  }

  /**
   * The gate that the run is at: that of the first wave whose gate has not passed, once the wave is at its goal. Undefined
   * while resources of the wave are due, and where the strategy has no gate.
   */
  async ask(run: DeploymentRun, deployment: DeploymentObject, signal: AbortSignal): Promise<GateView | undefined> {
    const { gate, waves } = run.strategy;
    const wave = run.recorded.record.passedGates ?? 0;
    const locations = waves[wave];
    if (!gate || !locations || !isAtGoal(run, new Set(locations))) return undefined;
    const { clock, approvals } = this.#deps;
    const needsApproval = gate.needsApproval && run.recorded.record.reason !== 'Rollback';
    const approvedBy = needsApproval ? await approvals.of(run.recorded.object, wave + 1, signal) : undefined;
    const memory = this.#memoryOf(run, wave);
    const resources = this.#health(run, new Set(locations), deployment);
    const step = gateStep(
      { ...gate, needsApproval },
      {
        now: clock.now(),
        resources,
        results: memory.results,
        isApproved: approvedBy !== undefined,
        progressDeadlineMs: run.strategy.progressDeadlineMs,
      },
    );
    const place = { deployment, run: run.recorded.object, wave: wave + 1, locations };
    const askAt = step.state === 'Waiting' ? this.#goOn(step, gate, memory, place, resources) : undefined;
    const heldBy = step.state === 'Waiting' ? step.heldBy : undefined;
    const isNewHold = heldBy !== undefined && heldBy !== memory.heldBy;
    memory.heldBy = heldBy;
    return {
      wave: wave + 1,
      state: step.state,
      isNewHold,
      ...('message' in step && { message: step.message.slice(0, 512) }),
      ...(approvedBy !== undefined && { approvedBy }),
      ...(askAt !== undefined && { askAt }),
    };
  }

  /** Starts what is due while a gate waits; when to ask again. */
  #goOn(
    step: Extract<GateStep, { state: 'Waiting' }>,
    gate: WaveGate,
    memory: GateMemory,
    place: Omit<CheckPlace, 'since'>,
    resources: readonly Resource[],
  ): number | undefined {
    const now = this.#deps.clock.now();
    for (const check of gate.checks) {
      if (step.check?.names.includes(check.name)) this.#try(check, memory, { ...place, since: step.check.since });
    }
    if (step.askAt === undefined) return undefined;
    if (now >= memory.readAt + readMs) {
      memory.readAt = now;
      for (const { key, hasInstances } of resources)
        if (hasInstances) this.#deps.readAgain(place.deployment.metadata.namespace ?? '', key);
    }
    return Math.min(step.askAt, memory.readAt + readMs);
  }

  /** Starts a try of a check in the background, where there is a place for one. */
  #try(check: WaveGate['checks'][number], memory: GateMemory, place: CheckPlace): void {
    const { clock, checks, enqueue } = this.#deps;
    const { namespace = '', name } = place.deployment.metadata;
    const ofNamespace = this.#underWay.get(namespace) ?? 0;
    const all = [...this.#underWay.values()].reduce((sum, each) => sum + each, 0);
    if (memory.underWay.has(check.name) || ofNamespace >= most.ofNamespace || all >= most.all) return;
    memory.underWay.add(check.name);
    this.#underWay.set(namespace, ofNamespace + 1);
    const last = memory.results.get(check.name);
    const since = last && last.since >= place.since ? last.since : clock.now();
    const tried = checks
      .run(check, place, this.#stop.signal)
      .catch((error: unknown) => ({ state: 'Trying', message: messageOf(error) }) as const);
    void tried.then((result) => {
      memory.underWay.delete(check.name);
      const left = (this.#underWay.get(namespace) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(namespace);
      else this.#underWay.set(namespace, left);
      memory.results.set(check.name, { ...result, since, at: clock.now() });
      if (!this.#stop.signal.aborted) enqueue(namespace, name);
    });
  }

  #memoryOf(run: DeploymentRun, wave: number): GateMemory {
    const { uid = '' } = run.recorded.object.metadata;
    const found = this.#memory.get(uid);
    if (found?.wave === wave) return found;
    const made = {
      wave,
      results: new Map(),
      underWay: new Set<string>(),
      readAt: this.#deps.clock.now(),
      heldBy: undefined,
    };
    this.#memory.set(uid, made);
    return made;
  }

  /** How the resources of the wave are now. */
  #health(run: DeploymentRun, wave: ReadonlySet<string>, deployment: DeploymentObject): Resource[] {
    const { children, clock } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    return [...run.nodes.values()].flatMap(({ key, location, pipeline }): Resource[] => {
      const record = run.graph.records.get(key);
      if (!wave.has(location) || !record) return [];
      const hasInstances = pipeline === 'scaleSet';
      const { group, kind, name } = keyParts(key);
      const objectKey = { namespace, name };
      const found = children.observe(objectKey, { group, kind }, record.hash, uid, { isSeen: true }, clock.now());
      const changes = (conditionsOf(children.get(objectKey, { group, kind }, uid)) ?? []).map(
        ({ lastTransitionTime }) => Date.parse(lastTransitionTime),
      );
      const since = Math.max(
        record.runId === run.recorded.object.metadata.name ? record.at : 0,
        ...changes.filter(Number.isFinite),
      );
      if (!('reason' in found))
        return [{ key, hasInstances, state: 'Moving', since: clock.now(), message: 'it is not as it was applied' }];
      const isIll =
        found.state === 'Failed' || found.reason === rollReasons.unhealthy || found.reason === rollReasons.stopped;
      const message = found.message || found.reason;
      return [
        { key, hasInstances, state: found.state === 'Ready' ? 'Well' : isIll ? 'Ill' : 'Moving', since, message },
      ];
    });
  }
}

/** Whether each resource of these locations has come to the goal of the run. */
function isAtGoal({ nodes, graph }: DeploymentRun, locations: ReadonlySet<string>): boolean {
  for (const { key, location, hash } of nodes.values()) {
    const record = graph.records.get(key);
    if (locations.has(location) && !(record?.state === 'Succeeded' && record.hash === hash)) return false;
  }
  return true;
}
