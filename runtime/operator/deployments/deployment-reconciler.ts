import type { ComputeRunStatus } from '../../api/deployments/compute-run.ts';
import { eventReasons, operatorName } from '../../arm-kinds/names.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { canonicalJson } from '../../base/json.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import type { ReconcileKey, ReconcileResult, Runtime, WatchedCache } from '../../kube/cache/types.ts';
import { removedDefinition } from '../../kube/client/removed-definition.ts';
import { addFinalizer, removeFinalizer } from '../../kube/controller/finalizers.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import type { Children } from './children.ts';
import type { CurrentRuns } from './current-run.ts';
import { computingMs } from './deployment-run.ts';
import { againIn } from './expansions.ts';
import type { WaveGates } from './gates/wave-gates.ts';
import type { DeploymentOutputs } from './outputs/deployment-outputs.ts';
import type { TemplateRounds } from './rounds/template-rounds.ts';
import type { RunDriver } from './run-driver.ts';
import type { RunLoader } from './run-loader.ts';
import { finalStates, invalid, runState, runStatus, sentence } from './run-status.ts';
import type { RunStore } from './run-store.ts';
import { DeploymentReports } from './runs/deployment-reports.ts';
import { withRunConditions } from './runs/run-conditions.ts';
import {
  type DeploymentObject,
  deploymentFinalizer,
  deploymentType,
  type RecordedRun,
  type Runs,
} from './runs/runs.ts';
import { readsConfigMaps } from './sources/goal-sources.ts';
import { configMapMs } from './sources/linked-sources.ts';

/** Dependencies of the reconciler of ComputeDeployments. */
export interface DeploymentReconcilerDeps {
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  readonly deployments: WatchedCache;
  readonly runs: Runs;
  readonly current: CurrentRuns;
  readonly loader: RunLoader;
  readonly driver: RunDriver;
  readonly rounds: Pick<TemplateRounds, 'readAgain'>;
  readonly children: Pick<Children, 'removeRest'>;
  readonly store: RunStore;
  readonly gates: Pick<WaveGates, 'ask'>;
  readonly outputs: Pick<DeploymentOutputs, 'write'>;
  /** Counts a status for which its deployment has no room. */
  readonly statusTooLarge: () => void;
}

/** Milliseconds after which further requests for runs are taken. */
const requestMs = 1000;

/** Milliseconds after which a run that is under way is reconciled again, whatever the caches say. */
const resyncMs = 30_000;

/** Brings the objects of ComputeDeployments to their goals, one run after the other. */
export class DeploymentReconciler {
  readonly #deps: DeploymentReconcilerDeps;
  readonly #reports: DeploymentReports;
  /** Computing time for the runs of each namespace: somebody may edit their ten thousand objects without a pause. */
  readonly #credit: TimeCredit;

  constructor(deps: DeploymentReconcilerDeps) {
    this.#deps = deps;
    this.#reports = new DeploymentReports(deps);
    this.#credit = new TimeCredit(deps.runtime.clock);
  }

  /** Reconciles one ComputeDeployment. */
  readonly reconcile = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { runtime, deployments, runs, loader, current } = this.#deps;
    const cached = deployments.get(request);
    const found = cached && (await runtime.client.tryGet<DeploymentObject>(deploymentType, request, signal));
    if (!found) {
      loader.forget(request);
      // Somebody else may have removed the finalizer. The key of an object that is gone ends with its uid.
      current.forget(request.key.split('/').at(-1) ?? '');
      return undefined;
    }
    await runs.records.load(signal);
    await runs.catchUp(signal);
    if (found.metadata.deletionTimestamp !== undefined) {
      current.forget(found.metadata.uid ?? '');
      return await this.#delete(found, signal);
    }
    const deployment = await addFinalizer(runtime.client, deploymentType, found, deploymentFinalizer, {
      fieldManager: operatorName,
      signal,
    });
    const { recorded, problems } = await current.find(deployment, signal);
    if (!recorded) await this.#reports.writeReady(deployment, {}, invalid(problems), signal);
    const result = recorded && (await this.#run(deployment, recorded, problems, signal));
    // The resource group of an ARM template may come later, and a busy machine may expand the goal another time.
    const again = againIn(problems) ?? (readsConfigMaps(deployment.spec) ? configMapMs : undefined);
    if (again === undefined) return result;
    return { requeueAfterMs: Math.min(again, result?.requeueAfterMs ?? again) };
  };

  async #run(
    deployment: DeploymentObject,
    recorded: RecordedRun,
    problems: readonly DeploymentProblem[],
    signal: AbortSignal,
  ): Promise<ReconcileResult | undefined> {
    const { runtime, driver, loader, rounds, current, runs, outputs } = this.#deps;
    const stored = recorded.object.status;
    const isEnded = finalStates.has(stored?.state) && stored?.state !== 'Succeeded';
    if (isEnded) {
      await this.#reports.writeRun(deployment, recorded, stored as ComputeRunStatus, { problems }, signal);
      return undefined;
    }
    const { namespace = '' } = deployment.metadata;
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    const isKnown = loader.has(deployment.metadata);
    const run = await loader.load(deployment, recorded, signal);
    if ('problems' in run) return await this.#refuse(deployment, recorded, run.problems, signal);
    this.#credit.spend(namespace, computingMs(run, isKnown));
    const { isOther, problems: stale } = await rounds.readAgain(run.goal, deployment, recorded, signal);
    if (isOther) return this.#loadAgain(deployment);
    const control = { suspend: deployment.spec.suspend === true, cancel: recorded.object.spec.cancel === true };
    run.graph.suspend(control.suspend || control.cancel);
    const askAt = await driver.drive(run, deployment, signal).catch((error: unknown) => {
      loader.forget(deployment.metadata);
      throw error;
    });
    await driver.persist(run, [...run.nodes.keys(), ...run.graph.records.keys()], signal);
    if (run.isOutOfDate) return this.#loadAgain(deployment);
    const now = runtime.clock.now();
    const gate = stored?.state === 'Succeeded' ? undefined : await this.#deps.gates.ask(run, deployment, signal);
    const { state, message } = runState(run, control, askAt, gate);
    const status = withRunConditions(recorded.object, runStatus(run, { state, message }, now, gate), now);
    if (canonicalJson(status) !== canonicalJson(stored ?? {}))
      await this.#deps.store.writeStatus(recorded.object, status, signal);
    const isNew = state !== stored?.state;
    const isHeldOtherwise = state === 'Paused' && gate?.isNewHold === true;
    if (isNew || isHeldOtherwise) this.#reports.recordEvent(deployment, run, state, message);
    if (finalStates.has(state) && isNew) {
      if (state !== 'Succeeded') await this.#deps.store.endLocations(recorded, state, signal);
      await current.removeOld(deployment, signal);
    }
    const { problems: unwritten, againMs } =
      state === 'Succeeded' ? await outputs.write(run, deployment, this.#credit, signal) : { problems: [] };
    const shown = { problems: [...problems, ...stale], unwritten };
    await this.#reports.writeRun(deployment, recorded, status, shown, signal);
    if (state === 'Failed' && isNew && (await current.rollBack(deployment, recorded, signal)))
      return { requeueAfterMs: 1 };
    if (gate?.state === 'Passed' && state === 'Running' && !control.cancel) {
      await runs.record(deployment, recorded.object, { ...recorded.record, passedGates: gate.wave }, signal);
      return { requeueAfterMs: 1 };
    }
    if (runs.requested(deployment).length > 0) return { requeueAfterMs: requestMs };
    const never = Number.POSITIVE_INFINITY;
    const nextAt = Math.min(askAt ?? never, gate?.askAt ?? never, now + (againIn([...unwritten, ...stale]) ?? never));
    if (run.graph.underWay === 0 && nextAt === never)
      return againMs === undefined ? undefined : { requeueAfterMs: againMs };
    return { requeueAfterMs: Math.max(1, Math.min(resyncMs, nextAt - now, againMs ?? never)) };
  }

  /** Answers have decided about other resources than those of the run in memory. */
  #loadAgain({ metadata }: DeploymentObject): ReconcileResult {
    this.#deps.loader.forget(metadata);
    return { requeueAfterMs: 1 };
  }

  /** A goal that is no graph of objects: some problems end by themselves, others end the run. */
  async #refuse(
    deployment: DeploymentObject,
    recorded: RecordedRun,
    problems: readonly DeploymentProblem[],
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { number } = recorded.record;
    const stored = recorded.object.status;
    const again = againIn(problems);
    if (again !== undefined) {
      const status = { ...stored, state: stored?.state ?? 'Pending', number };
      await this.#reports.writeRun(deployment, recorded, status, { problems }, signal);
      return { requeueAfterMs: again };
    }
    const status = { ...stored, state: 'Failed', message: sentence(problems), number } as const;
    await this.#deps.store.writeStatus(recorded.object, status, signal);
    return { requeueAfterMs: 1 };
  }

  async #delete(deployment: DeploymentObject, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const { runtime, driver, loader, children } = this.#deps;
    if (!deployment.metadata.finalizers?.includes(deploymentFinalizer)) return undefined;
    const { namespace = '' } = deployment.metadata;
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    const definition = await removedDefinition(runtime.client, deploymentType, signal);
    if (definition !== undefined) {
      // The garbage collector takes the objects along; planDeletion leaves their resources in Azure.
      const note = `Its definition ${definition} is being removed, and that deletes nothing in Azure`;
      const { notPossibleInAzure: reason } = eventReasons;
      this.#deps.events.record({ regarding: deployment, type: 'Normal', reason, action: 'Delete', note });
      return await this.#removeFinalizer(deployment, signal);
    }
    const isKnown = loader.has(deployment.metadata);
    const run = await loader.loadForDeletion(deployment, signal);
    if (run) {
      this.#credit.spend(namespace, computingMs(run, isKnown));
      const askAt = await driver.drive(run, deployment, signal);
      const left = [...run.graph.records.keys()];
      if (left.length > 0) {
        const first = left.find((key) => run.notes.get(key)?.message) ?? left[0] ?? '';
        const why = run.notes.get(first)?.message;
        const message = `waits for the deletion of ${left.length} objects, first ${first}${why ? `: ${why}` : ''}`;
        await this.#reports.writeReady(deployment, {}, { severity: 'Info', reason: 'Deleting', message }, signal);
        const now = runtime.clock.now();
        return { requeueAfterMs: Math.max(1, Math.min(resyncMs, (askAt ?? now + resyncMs) - now)) };
      }
    }
    if (await children.removeRest(deployment, signal)) return { requeueAfterMs: resyncMs };
    return await this.#removeFinalizer(deployment, signal);
  }

  async #removeFinalizer(deployment: DeploymentObject, signal: AbortSignal): Promise<undefined> {
    const { runtime, loader } = this.#deps;
    await removeFinalizer(runtime.client, deploymentType, deployment, deploymentFinalizer, {
      fieldManager: operatorName,
      signal,
    });
    loader.forget(deployment.metadata);
  }
}
