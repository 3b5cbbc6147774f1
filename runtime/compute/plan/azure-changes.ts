import { knownDifferenceOf, parseApplied } from '../../arm-kinds/comparison/applied-record.ts';
import { armDiff } from '../../arm-kinds/comparison/arm-diff.ts';
import { sameRegion } from '../../arm-kinds/comparison/same-text.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import { hasFailed } from '../../azure/arm/operations/provisioning-state.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { hasOpenParts } from '../deployments/open-values.ts';
import type { AzureTarget } from './azure-targets.ts';
import type { PathChange, PlannedChange } from './change.ts';
import { pathChange } from './object-changes.ts';

/** Azure's answer to a GET of a resource. */
export type AzureAnswer =
  | { readonly state: 'Present'; readonly body: JsonObject }
  | { readonly state: 'Absent' }
  /** It could not be read; `reason` is for people. */
  | { readonly state: 'Unknown'; readonly reason: string };

/** A planned change together with the state in Azure: deletions and changes there, and resources that exist already. */
export function withAzure(change: PlannedChange, target: AzureTarget, answer: AzureAnswer): PlannedChange {
  if (change.action === 'Delete') return change;
  const { annotations: own = {} } = target.object.metadata;
  const notes = [...change.notes];
  const result = (action: PlannedChange['action'], paths = change.paths) => ({ ...change, action, paths, notes });
  if (own[annotations.reconcilePolicy] === 'skip') {
    notes.push('nothing is written to Azure (reconcile-policy skip)');
    return result(change.action);
  }
  if (answer.state === 'Unknown') {
    notes.push(`unknown: ${answer.reason}`);
    // Without a read of the resource nobody knows that it would be new.
    return result(change.action === 'None' || change.action === 'Create' ? 'Unknown' : change.action);
  }
  if (answer.state === 'Absent') {
    if (target.present) notes.push('the object exists, and Azure does not have the resource: it is created there');
    return result(change.action === 'None' ? 'Create' : change.action);
  }
  if (change.action === 'Create')
    notes.push('Azure has the resource: the object adopts it, unless its adoption policy forbids that');
  const found = azurePaths(target, answer.body).filter((path) => !isPlanned(path, change.paths, target));
  const isBroken = hasFailed(answer.body);
  if (isBroken) notes.push('Azure reports that the last change of the resource failed: its body is sent again');
  const paths = [...change.paths, ...found];
  if (paths.some(({ isFixed }) => isFixed) && change.action !== 'Create') return result('Replace', paths);
  return result(change.action === 'None' && (found.length > 0 || isBroken) ? 'Modify' : change.action, paths);
}

/** Where Azure has other values than the body. Differences that stayed after the last write are none, as for the operator. */
function azurePaths({ compared, present, body }: AzureTarget, live: JsonObject): PathChange[] {
  const applied = parseApplied(present?.metadata.annotations?.[annotations.applied]);
  const known = knownDifferenceOf(compared, live);
  if (known === '' || known === applied?.knownDifference) return [];
  return armDiff(compared, live).flatMap(({ path, live: before }): PathChange[] => {
    const steps = stepsTo(body, path.replace(/\.knownAfterApply$/, ''));
    const after = steps.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
    if (hasOpenParts(after)) return [];
    const region = path === 'location' && typeof before === 'string' && typeof after === 'string';
    const isFixed = region && !sameRegion(before, after);
    const shown: PathChange = hasSecrets(after) ? { path, isSecret: true } : pathChange(steps, before, after);
    return [{ ...shown, isInAzure: true, ...(isFixed && { isFixed }) }];
  });
}

/** The members that a dotted path goes through: names of members may have dots. */
function stepsTo(body: unknown, path: string): string[] {
  if (path === '') return [];
  for (const [name, member] of isObject(body) ? Object.entries(body) : []) {
    if (path === name) return [name];
    if (path.startsWith(`${name}.`)) return [name, ...stepsTo(member, path.slice(name.length + 1))];
  }
  return [path];
}

/** Whether a difference is a change of the spec that the plan shows already. */
function isPlanned({ path }: PathChange, changes: readonly PathChange[], { model }: AzureTarget): boolean {
  return changes.some((change) => {
    const field = change.path.split('[')[0]?.split('.').slice(1) ?? [];
    const place = model.bodyPath(field)?.join('.');
    return place !== undefined && (within(path, place) || within(place, path));
  });
}

const within = (path: string, other: string) => path === other || path.startsWith(`${other}.`);
