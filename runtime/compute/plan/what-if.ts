import { knownDifferenceOf, parseApplied } from '../../arm-kinds/comparison/applied-record.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SecretValue, secretMark } from '../../base/secret-value.ts';
import type { UndecidedResource } from '../deployments/arm-goal.ts';
import { hasOpenParts, isKnownAfterApply } from '../deployments/open-values.ts';
import { resourceChange, shownBody, type WhatIfResource } from '../what-if/resource-change.ts';
import type { WhatIf, WhatIfChange, WhatIfPropertyChange } from '../what-if/what-if.ts';
import type { AzureAnswer } from './azure-changes.ts';
import { type AzureTarget, azureTargets } from './azure-targets.ts';
import type { Plan, PlannedChange, PlanUnit } from './change.ts';
import { isSecretPath, withoutSecrets } from './object-changes.ts';
import type { PlanObservation } from './observation.ts';

/** What a plan knows about the resources of its templates. */
export interface WhatIfInput {
  readonly plan: Pick<Plan, 'changes' | 'problems'>;
  readonly units: readonly PlanUnit[];
  readonly targets: readonly AzureTarget[];
  readonly observation: PlanObservation;
  /** Azure's answers by namespace and key. @default Azure was not read */
  readonly answers?: ReadonlyMap<string, AzureAnswer>;
  /** Resources of the template's groups, as Azure lists them. @default none */
  readonly listed?: readonly JsonObject[];
}

/** The plan with its what-if, without a read of Azure. */
export function withWhatIf(plan: Plan, units: readonly PlanUnit[], observation: PlanObservation): Plan {
  if (!units.some(hasTemplate)) return plan;
  const { targets, assumed } = azureTargets(units, observation, () => undefined);
  const whatIf = whatIfOf({ plan, units, targets: [...targets, ...assumed], observation });
  return { ...plan, ...(whatIf && { whatIf }) };
}

/** Whether the unit is a ComputeDeployment with an ARM template. */
export function hasTemplate({ deployment }: PlanUnit): boolean {
  const spec = deployment?.manifest['spec'];
  return isObject(spec) && isObject(spec['template']) && spec['template']['arm'] !== undefined;
}

/** The plan of ARM templates in the form of `az deployment group what-if`; undefined for a plan without a template. */
export function whatIfOf(input: WhatIfInput): WhatIf | undefined {
  const { plan, observation, listed = [] } = input;
  const units = input.units.filter(hasTemplate);
  if (units.length === 0) return undefined;
  const [problem] = plan.problems;
  if (problem) {
    const error = { code: 'InvalidTemplate', message: `${problem.path}: ${problem.message}` };
    return { status: 'Failed', error, properties: { changes: [] } };
  }
  const targets = new Map(input.targets.map((target) => [`${target.namespace} ${target.key}`, target]));
  const changes = new Map(plan.changes.map((change) => [`${change.namespace} ${change.key}`, change]));
  const own = units.flatMap(({ namespace, nodes }) =>
    nodes.flatMap(({ key, armId = '' }): WhatIfChange[] => {
      const id = `${namespace} ${key}`;
      const change = changes.get(id);
      return change
        ? [changeOf(change, armId, targets.get(id), input.answers && (input.answers.get(id) ?? noAnswer))]
        : [];
    }),
  );
  const undecided = units.flatMap(({ deployment }) => deployment?.undecided ?? []).map(unsupported);
  const kept = new Set(own.map(({ resourceId }) => resourceId.toLowerCase()));
  const gone = deletions(plan.changes, units, observation).filter((id) => !kept.has(id.toLowerCase()));
  const planned = new Set([...kept, ...gone.map((id) => id.toLowerCase())]);
  const ignored = listed
    .filter(({ id }) => typeof id === 'string' && !planned.has(id.toLowerCase()))
    .map((before) => ({ resourceId: String(before['id']), changeType: 'Ignore' as const, before }));
  return { status: 'Succeeded', properties: { changes: [...own, ...undecided, ...gone.map(deletion), ...ignored] } };
}

const deletion = (resourceId: string): WhatIfChange => ({ resourceId, changeType: 'Delete' });

const unsupported = ({ id, path, message }: UndecidedResource): WhatIfChange => ({
  resourceId: id,
  changeType: 'Unsupported',
  unsupportedReason: `${path}: ${message}`,
});

/** ARM ids of resources that go with their objects, as these left the template. */
function deletions(
  changes: readonly PlannedChange[],
  units: readonly PlanUnit[],
  observation: PlanObservation,
): readonly string[] {
  const names = new Set(units.map(({ namespace, deployment }) => `${namespace} ${deployment?.name}`));
  return changes.flatMap(({ action, namespace, deployment, key }) => {
    if (action !== 'Delete' || !names.has(`${namespace} ${deployment}`)) return [];
    const present = observation.object(namespace, key);
    const { annotations: own = {} } = present === undefined || present === 'Unknown' ? {} : present.metadata;
    const policy = own[annotations.reconcilePolicy] ?? 'manage';
    const id = own[annotations.resourceId];
    return id === undefined || policy !== 'manage' ? [] : [id];
  });
}

const noAnswer: AzureAnswer = { state: 'Unknown', reason: 'its ARM id is not known before an apply' };

function changeOf(
  { action, notes }: PlannedChange,
  armId: string,
  target: AzureTarget | undefined,
  answer: AzureAnswer | undefined,
): WhatIfChange {
  const resourceId = target?.id ?? armId;
  const resource = target && resourceOf(target);
  const after = resource && shown(shownBody(resource));
  const policy = target?.object.metadata.annotations?.[annotations.reconcilePolicy];
  if (policy === 'skip') return { resourceId, changeType: 'Ignore' };
  if (answer?.state === 'Unknown')
    return { resourceId, changeType: 'Unsupported', unsupportedReason: answer.reason, ...(after && { after }) };
  if (answer && target && resource) {
    const live = answer.state === 'Present' ? answer.body : undefined;
    const change = masked(resourceChange(resource, live));
    // The operator sends no PUT for differences that stayed after its last one.
    return action === 'None' && live && isAsApplied(target, live)
      ? { ...change, changeType: 'NoChange', delta: [] }
      : change;
  }
  if (action === 'Unknown')
    return { resourceId, changeType: 'Unsupported', unsupportedReason: notes.join('; '), ...(after && { after }) };
  const changeType = action === 'Create' ? 'Create' : action === 'None' ? 'NoChange' : 'Deploy';
  return { resourceId, changeType, ...(after && { after }) };
}

function isAsApplied({ compared, present }: AzureTarget, live: JsonObject): boolean {
  const applied = parseApplied(present?.metadata.annotations?.[annotations.applied]);
  return applied !== undefined && knownDifferenceOf(compared, live) === applied.knownDifference;
}

function resourceOf({ id, apiVersion, model, object, body, compared }: AzureTarget): WhatIfResource {
  return { id, apiVersion, type: model.armType(object), body, compared: withoutOpen(compared) as JsonObject };
}

/** The body without values that are known only after an apply. A list with such a value is left out. */
function withoutOpen(value: unknown): unknown {
  if (isKnownAfterApply(value) || (Array.isArray(value) && hasOpenParts(value))) return undefined;
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutOpen(member)]));
}

/** Values of the comparison, such as secrets and lists of several writers, are objects of classes. */
function isPlainObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.hasOwn(prototype as object, 'hasOwnProperty');
}

function masked(change: WhatIfChange): WhatIfChange {
  const { before, after, delta } = change;
  return {
    ...change,
    ...(before && { before: shown(before) }),
    ...(after && { after: shown(after) }),
    ...(delta && { delta: delta.map((each) => maskedChange(each)) }),
  };
}

function maskedChange(change: WhatIfPropertyChange, parents: readonly string[] = []): WhatIfPropertyChange {
  const path = [...parents, ...change.path.split('.')];
  const { before, after, children } = change;
  const show = (value: unknown) => (isSecretPath(path) ? secretMark : shown(value));
  return {
    ...change,
    ...(before !== undefined && { before: show(before) }),
    ...(after !== undefined && { after: show(after) }),
    ...(children && { children: children.map((each) => maskedChange(each, path)) }),
  };
}

/** The value as the template has it, with marks in place of secrets, and expressions in place of open values. */
function shown<T>(value: T): T {
  return withoutSecrets(withExpressions(value)) as T;
}

function withExpressions(value: unknown): unknown {
  if (value instanceof SecretValue) return secretMark;
  if (isKnownAfterApply(value)) return `[${value.knownAfterApply}]`;
  if (Array.isArray(value)) return value.map(withExpressions);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withExpressions(member)]));
}
