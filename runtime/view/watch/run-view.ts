import type { ComputeDeploymentStatus } from '../../api/deployments/compute-deployment.ts';
import type {
  BlockStatus,
  ComputeRunSpec,
  ComputeRunStatus,
  LocationStatus,
} from '../../api/deployments/compute-run.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { rowMessageLength, shown } from '../model/row-of.ts';
import { conditionsOf } from '../model/state.ts';

/** A ComputeRun from a watch; its spec and status may have any content. */
export type WatchedRun = KubeObject & { spec?: Partial<ComputeRunSpec>; status?: Partial<ComputeRunStatus> };

/** A location of a run, or a resource of a location. Every text is printable and cut. */
export interface RunLine {
  /** Distinguishes the line from the others of the run. */
  readonly key: string;
  /** 0 for a location, 1 for a resource. */
  readonly level: 0 | 1;
  readonly name: string;
  readonly state: string;
  /** Percent and wave of a location, the action of a resource. */
  readonly progress: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; '' where nothing has started. */
  readonly since: string;
  /** Whether somebody needs the line: not for a resource that waits or has succeeded. */
  readonly matters: boolean;
}

/** The view of a deployment and its present run. */
export interface RunView {
  readonly title: string;
  /** State of the run, '' before there is one. */
  readonly state: string;
  readonly lines: readonly RunLine[];
  /** How the run ended, where it has. */
  readonly end?: 'Succeeded' | 'Failed';
}

/** Blocks of one location that are read. */
const mostBlocks = 2000;
const mostLocations = 60;
const active: ReadonlySet<string> = new Set(['Running', 'Failed', 'Skipped']);
const failures: ReadonlySet<string> = new Set(['Failed', 'Cancelled', 'Refused']);

/**
 * The present run of a deployment, among the ComputeRuns of its namespace. A deployment whose present spec the operator
 * has not read yet has none, so that the end of an earlier run is not taken for the end of this one.
 */
export function runView(deployment: KubeObject, runs: readonly WatchedRun[]): RunView {
  const { name, generation, deletionTimestamp } = deployment.metadata;
  const nothing = { state: '', lines: [] };
  if (deletionTimestamp !== undefined) return { ...nothing, title: `${name} is being deleted`, end: 'Failed' };
  const ready = conditionsOf(deployment).find(({ type }) => type === 'Ready');
  if (ready?.observedGeneration !== generation) return { ...nothing, title: `${name} waits for the operator` };
  if (ready?.reason === 'TemplateInvalid')
    return { ...nothing, title: `${name} has a goal that cannot run: ${shown(ready.message, 4096)}`, end: 'Failed' };
  const status: Partial<ComputeDeploymentStatus> = isObject(deployment['status']) ? deployment['status'] : {};
  const run = runs.find(({ metadata }) => metadata.name === status.run);
  if (!run) return { ...nothing, title: `${name} waits for its run ${shown(status.run, 253)}` };
  const own = runs.filter(
    ({ spec, metadata }) =>
      spec?.location !== undefined && metadata.ownerReferences?.some(({ uid }) => uid === run.metadata.uid),
  );
  const { state, percent, reason, message } = run.status ?? {};
  const isRollback = reason === 'Rollback';
  const shownState = shown(state, 40) || 'Pending';
  const end = state === 'Succeeded' && !isRollback ? 'Succeeded' : isOver(state, isRollback) ? 'Failed' : undefined;
  const because = isRollback && !message ? undoneText(run, runs) : messageText(message);
  const shownReason = reason ? ` (${shown(reason, 40)})` : '';
  return {
    title: `${shown(run.metadata.name, 253)}${shownReason} ${shownState} ${percentText(percent)}${because}`.trimEnd(),
    state: shownState,
    lines: linesOf(run, own),
    ...(end && { end }),
  };
}

/** Why a run rolls back: the newest run that failed. A roll-back starts at once, so a watch may never see the other end. */
function undoneText(rollback: WatchedRun, runs: readonly WatchedRun[]): string {
  const madeAt = ({ metadata }: WatchedRun): string => metadata.creationTimestamp ?? '';
  const [undone] = runs
    .filter((run) => run !== rollback && run.spec?.deployment === rollback.spec?.deployment)
    .filter(({ spec, status }) => spec?.location === undefined && status?.state === 'Failed')
    .toSorted((a, b) => madeAt(b).localeCompare(madeAt(a)));
  return undone ? `, after ${shown(undone.metadata.name, 253)} failed${messageText(undone.status?.message)}` : '';
}

function messageText(message: unknown): string {
  return message ? `: ${shown(message, rowMessageLength)}` : '';
}

function isOver(state: string | undefined, isRollback: boolean): boolean {
  return state !== undefined && (failures.has(state) || (isRollback && state === 'Succeeded'));
}

function linesOf(run: WatchedRun, own: readonly WatchedRun[]): RunLine[] {
  const byLocation = new Map(own.map((each) => [each.spec?.location, each]));
  return listOf<LocationStatus>(run.status?.locations)
    .slice(0, mostLocations)
    .flatMap((location) => [
      locationLine(location),
      ...listOf<BlockStatus>(byLocation.get(location.location)?.status?.blocks)
        .slice(0, mostBlocks)
        .map((block) => blockLine(location.location, block)),
    ]);
}

function locationLine(location: LocationStatus): RunLine {
  const name = shown(location.location, 64);
  const wave = typeof location.wave === 'number' ? `wave ${location.wave}` : '';
  return {
    key: name,
    level: 0,
    name,
    state: shown(location.state, 40),
    progress: [percentText(location.percent), wave].filter((text) => text !== '').join(' '),
    reason: shown(location.reason, 100),
    message: shown(location.message, rowMessageLength),
    since: shown(location.endedAt ?? location.startedAt, 40),
    matters: true,
  };
}

function blockLine(location: string, block: BlockStatus): RunLine {
  const name = shown(block.resource, 600);
  return {
    key: `${shown(location, 64)} ${name}`,
    level: 1,
    name,
    state: shown(block.state, 40),
    progress: shown(block.action, 40),
    reason: shown(block.reason, 100),
    message: shown(block.message, rowMessageLength),
    since: shown(block.since, 40),
    matters: active.has(block.state),
  };
}

function percentText(percent: unknown): string {
  return typeof percent === 'number' ? `${percent}%` : '';
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value.filter(isObject) as T[]) : [];
}
