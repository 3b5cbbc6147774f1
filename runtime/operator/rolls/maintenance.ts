/** Maintenance configurations that are attached to a scale set. Windows of scope OSImage hold the operator's batches. */
import { ArmError } from '../../azure/arm/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { listIn, objectIn, textIn } from '../../compute/machines/machine-model.ts';
import { maintenanceWindowOf, windowState } from '../../compute/rolls/maintenance-window.ts';
import type { ClosedWindow } from '../../compute/rolls/roll-plan.ts';
import { upgradeModeOf } from '../../compute/rolls/rolling-policy.ts';
import type { EffectContext } from '../effects/effect-context.ts';
import type { MaintenanceAssignment, MaintenanceMemory } from '../machines/roll-memory.ts';
import type { Readiness } from '../objects/conditions.ts';

const apiVersion = '2023-04-01';
/** Milliseconds between two reads of the assignments of a set at least, and after a failure that may be over soon. */
const readGapMs = 3_600_000;
const retryMs = 300_000;
/** Assignments that are read, and names in the message. */
const mostAssignments = 10;
const mostNames = 3;
const configurationPath =
  /^\/subscriptions\/[\w-]+\/resourceGroups\/[^/?#%]+\/providers\/Microsoft\.Maintenance\/maintenanceConfigurations\/[^/?#%]+$/i;

/** An answer, or why there is none; `isTransient` where the next try may have one. */
type Answer = { readonly body: JsonObject | undefined } | { readonly problem: string; readonly isTransient: boolean };

/**
 * Reads the assignments of a set and their configurations, once an hour at most. What Azure refuses stays as it was last
 * read. Rejects only when the run is aborted.
 */
export async function readMaintenance(context: EffectContext, now: number): Promise<void> {
  const before = context.memory.maintenance;
  if (before && now < before.nextAt) return;
  const remember = (assignments: MaintenanceMemory['assignments'], gapMs: number) => {
    context.memory.maintenance = { nextAt: now + gapMs, ...(assignments && { assignments }) };
  };
  remember(before?.assignments, readGapMs);
  const answer = await read(
    context,
    `${context.id()}/providers/Microsoft.Maintenance/configurationAssignments`,
    'value',
  );
  if ('problem' in answer) return answer.isTransient ? remember(before?.assignments, retryMs) : undefined;
  const assignments: MaintenanceAssignment[] = [];
  for (const item of listIn(answer.body ?? {}, 'value').filter(isObject)) {
    const name = textIn(item, 'name')?.slice(0, 100);
    const configurationId = textIn(objectIn(item, 'properties'), 'maintenanceConfigurationId') ?? '';
    if (name === undefined) continue;
    const isRead = assignments.length < mostAssignments && configurationPath.test(configurationId);
    const last = before?.assignments?.find((each) => each.configurationId === configurationId);
    assignments.push({ name, configurationId, ...(isRead && (await windowAt(context, configurationId, last))) });
  }
  remember(assignments, assignments.some(({ isPending }) => isPending) ? retryMs : readGapMs);
}

async function windowAt(
  context: EffectContext,
  configurationId: string,
  last: MaintenanceAssignment | undefined,
): Promise<Pick<MaintenanceAssignment, 'window' | 'problem' | 'isPending'>> {
  const answer = await read(context, configurationId, 'properties');
  if ('problem' in answer) {
    if (last?.window) return { window: last.window };
    return answer.isTransient ? { isPending: true } : { problem: answer.problem };
  }
  if (!answer.body) return { problem: 'its configuration does not exist' };
  const properties = objectIn(answer.body, 'properties');
  if (textIn(properties, 'maintenanceScope')?.toLowerCase() !== 'osimage') return {};
  const window = maintenanceWindowOf(properties);
  return typeof window === 'string' ? { problem: window } : { window };
}

/** The body of a GET, undefined if there is no such document. An answer without `member` is none. */
async function read(context: EffectContext, path: string, member: string): Promise<Answer> {
  try {
    const body = await context.requests.tryGet(path, apiVersion);
    if (!body || typeof body[member] === 'object') return { body };
    return { problem: `the answer of Azure has no ${member}`, isTransient: true };
  } catch (error) {
    if (context.plan.signal.aborted) throw error;
    context.plan.log.debug({ err: error }, 'maintenance configurations cannot be read');
    const { status = 0, code = '' } = error instanceof ArmError ? error.info : {};
    const isTransient = status < 400 || status >= 500 || status === 408 || status === 429;
    return { problem: `Azure refuses to show its configuration (${status} ${code.slice(0, 100)})`, isTransient };
  }
}

/**
 * The maintenance window that lets no batch start now. Undefined for a set without a window of scope OSImage, while one of
 * them is open, and where none opens again.
 */
export function closedWindow(memory: MaintenanceMemory | undefined, now: number): ClosedWindow | undefined {
  const { assignments = [], nextAt = now } = memory ?? {};
  const states = assignments.flatMap(({ name, window }) => (window ? [{ name, ...windowState(window, now) }] : []));
  if (states.some(({ isOpen }) => isOpen)) return undefined;
  const pending = assignments.find(({ isPending }) => isPending);
  if (pending) return { until: nextAt, opening: `the operator reads the maintenance window of ${pending.name} again` };
  const openings = states.flatMap((state) =>
    state.isOpen || state.opensAt === undefined
      ? []
      : [{ until: state.opensAt, opening: `the maintenance window of ${state.name} opens` }],
  );
  return openings.sort((a, b) => a.until - b.until)[0];
}

/** For the condition MaintenanceHonoured: undefined where nothing is known, 'None' where nothing is attached. */
export function maintenanceReadiness({ memory, observed }: EffectContext): Readiness | 'None' | undefined {
  const { assignments } = memory.maintenance ?? {};
  if (assignments === undefined) return undefined;
  if (assignments.length === 0) return 'None';
  const holding = assignments.filter(({ window, isPending }) => window || isPending);
  const problems = assignments.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
  const because = problems.length > 0 ? `; ${problems.slice(0, mostNames).join(', ')}` : '';
  if (holding.length === 0) {
    const message =
      `${namesOf(assignments)}: the window of a maintenance configuration is for updates that Azure starts by itself; ` +
      `a new model and its batches do not wait for it${because}`;
    return { severity: 'Info', reason: 'BatchesIgnoreMaintenance', message };
  }
  const body = observed.live?.exists ? observed.live.body : {};
  const mode = upgradeModeOf(objectIn(body, 'properties')['upgradePolicy']) ?? 'Manual';
  if (mode === 'Manual') {
    const message = `${namesOf(holding)}: batches of the operator wait for the window${because}`;
    return { severity: undefined, reason: 'BatchesWaitForMaintenance', message };
  }
  const message =
    `${namesOf(holding)}: Azure starts the upgrade of a new model by itself in mode ${mode}, whatever the window; ` +
    `what the operator sends waits for it${because}`;
  return { severity: 'Info', reason: 'AzureIgnoresMaintenance', message };
}

function namesOf(assignments: readonly MaintenanceAssignment[]): string {
  const shown = assignments.slice(0, mostNames).map(({ name }) => name);
  const more = assignments.length > mostNames ? ` and ${assignments.length - mostNames} more` : '';
  return `${shown.join(', ')}${more}`;
}
