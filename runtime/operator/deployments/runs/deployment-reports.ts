import type { Condition } from '../../../api/common-schemas.ts';
import type { ComputeRunStatus, RunState } from '../../../api/deployments/compute-run.ts';
import { eventReasons } from '../../../arm-kinds/names.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import type { Runtime } from '../../../kube/cache/types.ts';
import { isTooLarge } from '../../../kube/client/status-error.ts';
import type { EventRecorder } from '../../../kube/events/recorder.ts';
import { writeObjectStatus } from '../../object-status.ts';
import { type Readiness, readyCondition } from '../../objects/conditions.ts';
import type { DeploymentRun } from '../deployment-run.ts';
import { deploymentStatus, invalid, readinessOf, unwrittenOf } from '../run-status.ts';
import { type DeploymentObject, deploymentType, type RecordedRun, type Runs } from './runs.ts';

/** Dependencies of `DeploymentReports`. */
export interface DeploymentReportsDeps {
  readonly runtime: Runtime;
  readonly events: EventRecorder;
  readonly runs: Pick<Runs, 'of'>;
  /** Counts a status for which its deployment has no room. */
  readonly statusTooLarge: () => void;
}

/** Problems beside the state of a run. */
interface RunProblems {
  /** Of the goal, which has no run because of them. */
  readonly problems: readonly DeploymentProblem[];
  /** Of its outputs. @default none */
  readonly unwritten?: readonly DeploymentProblem[];
}

/** Writes the status of deployments and records their events. */
export class DeploymentReports {
  readonly #deps: DeploymentReportsDeps;

  constructor(deps: DeploymentReportsDeps) {
    this.#deps = deps;
  }

  /** Writes the status of a deployment from that of its run. */
  async writeRun(
    deployment: DeploymentObject,
    recorded: RecordedRun,
    status: ComputeRunStatus,
    { problems, unwritten = [] }: RunProblems,
    signal: AbortSignal,
  ): Promise<void> {
    const succeeded = this.#deps.runs.of(deployment).find(({ object }) => object.status?.state === 'Succeeded');
    const result = readinessOf(recorded, status.state ?? 'Pending', status.message ?? '');
    const readiness = problems.length > 0 ? invalid(problems) : unwritten.length > 0 ? unwrittenOf(unwritten) : result;
    await this.writeReady(
      deployment,
      deploymentStatus(recorded, status, succeeded?.object.metadata.name),
      readiness,
      signal,
    );
  }

  /** Writes the members and Ready. Records an event where the object has no room for a status. */
  async writeReady(
    deployment: DeploymentObject,
    members: object,
    readiness: Readiness,
    signal: AbortSignal,
  ): Promise<void> {
    const { runtime } = this.#deps;
    const { client, clock } = runtime;
    const before = readyCondition(deployment.status?.conditions as readonly Condition[] | undefined);
    // A new run of the same generation is progress, and the result of the run before it is over.
    const isNew = readiness.severity === 'Info' && before?.severity !== 'Info';
    const object = isNew ? { ...deployment, status: { ...deployment.status, conditions: [] } } : deployment;
    const status = { members: { ...members }, readiness, now: clock.now(), signal };
    try {
      await writeObjectStatus({ client, type: deploymentType, object, ...status });
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      this.#deps.statusTooLarge();
      const { reason, message } = readiness;
      const note = `The object is too large for a status; make it smaller. Ready would be ${reason}: ${message}`;
      const event = { reason: eventReasons.statusTooLarge, action: 'UpdateStatus', note: note.slice(0, 1000) };
      this.#deps.events.record({ regarding: deployment, type: 'Warning', ...event });
    }
  }

  /** Records that a run has a new state. */
  recordEvent(deployment: DeploymentObject, run: DeploymentRun, state: RunState, message: string): void {
    const { name } = run.recorded.object.metadata;
    const note = message === '' ? `${name} is ${state}` : `${name} is ${state}: ${message}`;
    const type = state === 'Failed' ? 'Warning' : 'Normal';
    this.#deps.events.record({ regarding: deployment, type, reason: `Run${state}`, action: 'Reconcile', note });
  }
}
