import type { ComputeDeploymentStatus } from '../../api/deployments/compute-deployment.ts';
import { type ComputeRunStatus, type RunState, runSeverity } from '../../api/deployments/compute-run.ts';
import type { GateStatus } from '../../api/deployments/wave-gate.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import type { Readiness } from '../objects/conditions.ts';
import { blocksOf, type DeploymentRun, keysByLocation, locationStatus } from './deployment-run.ts';
import type { GateView } from './gates/wave-gates.ts';
import type { RecordedRun } from './runs/runs.ts';

/** States that a run does not leave. */
export const finalStates: ReadonlySet<RunState | undefined> = new Set([
  'Succeeded',
  'Failed',
  'Cancelled',
  'Superseded',
  'Refused',
]);

/** The switches that the owner of a deployment sets beside its goal. */
export interface RunControl {
  readonly suspend: boolean;
  readonly cancel: boolean;
}

/** The state of a run, and a sentence on its wait or the cause of its end; '' while it simply goes on. */
interface StateOfRun {
  readonly state: RunState;
  readonly message: string;
}

/**
 * The state of a run after it was driven. A change by hand is put right without a new run; the run stays the one that
 * succeeded.
 */
export function runState(
  run: DeploymentRun,
  control: RunControl,
  askAt: number | undefined,
  gate: GateView | undefined,
): StateOfRun {
  const present = presentState(run, control, askAt, gate);
  const wasDone = run.recorded.object.status?.state === 'Succeeded';
  return wasDone && !finalStates.has(present.state) ? { state: 'Succeeded', message: '' } : present;
}

function presentState(
  run: DeploymentRun,
  control: RunControl,
  askAt: number | undefined,
  gate: GateView | undefined,
): StateOfRun {
  const { graph } = run;
  const failed = [...graph.records.values()].filter(({ state, runId }) => state === 'Failed' && runId === nameOf(run));
  const [first] = failed;
  const why = first ? `${first.key}: ${run.notes.get(first.key)?.message ?? ''}` : '';
  const others = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
  if (control.cancel) {
    if (graph.underWay === 0) return { state: 'Cancelled', message: 'spec.cancel is true' };
    return { state: 'Running', message: `is cancelled: waits for ${graph.underWay} resources that are under way` };
  }
  if (gate && graph.underWay === 0 && graph.state !== 'Failed') {
    const text = `gate after wave ${gate.wave}: ${gate.message ?? ''}`.slice(0, 1024);
    if (gate.state === 'Failed') return { state: 'Failed', message: text };
    if (control.suspend) return { state: 'Suspended', message: 'spec.suspend is true' };
    return gate.state === 'Passed' ? { state: 'Running', message: '' } : { state: 'Paused', message: text };
  }
  if (graph.state === 'Running' && graph.underWay === 0 && askAt !== undefined)
    return { state: 'Paused', message: `goes on at ${new Date(askAt).toISOString()}` };
  if (graph.state === 'Failed') return { state: 'Failed', message: `${why}${others}`.slice(0, 1024) };
  if (graph.state === 'Suspended') return { state: 'Suspended', message: 'spec.suspend is true' };
  if (graph.state === 'Succeeded') return { state: 'Succeeded', message: '' };
  return { state: 'Running', message: control.suspend ? 'is suspended: waits for what is under way' : '' };
}

/** The status of the whole run. Times that are there already stay. */
export function runStatus(
  run: DeploymentRun,
  { state, message }: StateOfRun,
  now: number,
  gate: GateView | undefined,
): ComputeRunStatus {
  const { object, record } = run.recorded;
  const isOver = finalStates.has(state);
  const blocks = new Map([...keysByLocation(run)].map(([location, keys]) => [location, blocksOf(run, keys)]));
  const all = [...blocks.values()].flat();
  const done = all.filter((block) => block.state === 'Succeeded').length;
  const order = [...run.strategy.waves.flat()];
  const locations = [...order, ...[...blocks.keys()].filter((each) => !order.includes(each))];
  return {
    state,
    ...(message !== '' && { message }),
    number: record.number,
    reason: record.reason,
    goalHash: record.goalHash,
    templateHash: run.templateHash,
    operationId: object.metadata.uid ?? '',
    percent: all.length === 0 ? 100 : Math.floor((100 * done) / all.length),
    startedAt: new Date(run.startedAt).toISOString(),
    ...(isOver && { endedAt: object.status?.endedAt ?? new Date(now).toISOString() }),
    ...gatesOf(run, gate),
    locations: locations.map((location) => locationStatus(location, run, blocks.get(location) ?? [], isOver)),
  };
}

/** The gates that have passed, as they were reported then, and the present one. */
function gatesOf({ recorded }: DeploymentRun, gate: GateView | undefined): Pick<ComputeRunStatus, 'gates'> {
  const before = recorded.object.status?.gates ?? [];
  const passed = Array.from({ length: recorded.record.passedGates ?? 0 }, (_, index): GateStatus => {
    const found = before.find(({ wave }) => wave === index + 1);
    return found?.state === 'Passed' ? found : { wave: index + 1, state: 'Passed' };
  });
  const { askAt: _, isNewHold: __, ...present } = gate ?? {};
  const gates = gate ? [...passed, present as GateStatus] : passed;
  return gates.length > 0 ? { gates } : {};
}

/** The Ready condition of a deployment whose template has problems. */
export function invalid(problems: readonly DeploymentProblem[]): Readiness {
  return { severity: 'Error', reason: 'TemplateInvalid', message: sentence(problems) };
}

/** The Ready condition of a deployment whose run has succeeded and whose outputs are not written. */
export function unwrittenOf(problems: readonly DeploymentProblem[]): Readiness {
  const isTriedAgain = problems.every(({ retryAfterMs }) => retryAfterMs !== undefined);
  return { severity: isTriedAgain ? 'Warning' : 'Error', reason: 'OutputsNotWritten', message: sentence(problems) };
}

/** The first problems in one text. */
export function sentence(problems: readonly DeploymentProblem[]): string {
  const shown = problems.slice(0, 5).map(({ path, message }) => `${path}: ${message}`);
  const more = problems.length > shown.length ? `; and ${problems.length - shown.length} more` : '';
  return `${shown.join('; ')}${more}`.slice(0, 4096);
}

/** The run in short, for the status of the deployment. */
export function deploymentStatus(
  { object, record }: RecordedRun,
  status: ComputeRunStatus,
  succeeded: string | undefined,
): Omit<ComputeDeploymentStatus, 'conditions'> {
  const locations = status.locations ?? [];
  return {
    run: object.metadata.name,
    goalHash: record.goalHash,
    ...(status.state !== undefined && { state: status.state }),
    ...(status.percent !== undefined && { percent: status.percent }),
    locations: `${locations.filter((each) => each.state === 'Succeeded').length}/${locations.length}`,
    ...(succeeded !== undefined && { succeededRun: succeeded }),
  };
}

/** The Ready condition of a deployment whose present run is in this state. */
export function readinessOf({ object, record }: RecordedRun, state: RunState, message: string): Readiness {
  const { name } = object.metadata;
  const text = message === '' ? '' : `: ${message}`;
  if (state === 'Succeeded') {
    if (record.reason !== 'Rollback') return { severity: undefined, reason: 'Succeeded', message: '' };
    const undone = `${name} has brought back the goal of ${record.goalOf}: change the deployment, or set another spec.retry`;
    return { severity: 'Error', reason: 'RolledBack', message: undone };
  }
  if (state === 'Failed') return { severity: 'Error', reason: 'RunFailed', message: `${name} failed${text}` };
  if (state === 'Cancelled') return { severity: 'Error', reason: 'RunCancelled', message: `${name} was cancelled` };
  return {
    severity: runSeverity[state],
    reason: state === 'Running' ? 'Reconciling' : state,
    message: `${name}${text}`,
  };
}

function nameOf(run: DeploymentRun): string {
  return run.recorded.object.metadata.name;
}
