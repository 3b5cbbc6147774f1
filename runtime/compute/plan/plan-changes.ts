import { defaultNameProblem } from '../../api/arm/name-rules.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { isReconcilePolicy } from '../../arm-kinds/policy.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { type DesiredGraph, type NodeRecord, planGraph } from '../../engine/graph/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { desiredGraph } from '../deployments/desired-graph.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import { deploymentsManager, locationLabel } from '../deployments/labels.ts';
import { isKnownAfterApply } from '../deployments/open-values.ts';
import { groupOf, nodeKey, referencesOf } from '../deployments/references.ts';
import type { PathChange, Plan, PlannedChange, PlanProblem, PlanUnit } from './change.ts';
import { fixedPaths } from './fixed-paths.ts';
import { ignoredFields } from './ignored-fields.ts';
import { machineProblems } from './machine-problems.ts';
import { managedSecretsOf, modelOf, needsOf, writtenBy } from './needs.ts';
import { objectChanges } from './object-changes.ts';
import { offline, type PlanObservation } from './observation.ts';
import type { PlanUnits } from './plan-units.ts';
import { kindProblems } from './problems/kind-problems.ts';

/** Values that are known after apply, of one object, that the plan names. */
const mostOpenPaths = 20;

/** The plan for the units of a file. Pure. */
export function planChanges(planned: PlanUnits, observation: PlanObservation): Plan {
  const { units, problems, others } = planned;
  const kinds = kindProblems(planned.otherObjects, planned.isDefined, observation.isServed ?? (() => undefined));
  const found = [...problems, ...kinds.problems];
  const notes = [...(planned.notes ?? []), ...kinds.notes];
  const available = new Set(others);
  for (const { namespace, nodes } of units) {
    for (const { key, manifest } of nodes)
      for (const each of [key, ...writtenBy(manifest)]) available.add(`${namespace} ${each}`);
  }
  for (const { deployment } of units)
    for (const { path, id, message } of deployment?.undecided ?? [])
      notes.push(`${path}: ${id} is not in the plan: ${message}`);
  const changes = units.flatMap((unit) => {
    reportProblems(unit, { observation, available }, found, notes);
    return changesOf(unit, observation, found, notes);
  });
  if (others.size > 0) notes.push(`${others.size} objects of other kinds are not in the plan: ${some([...others])}`);
  return { changes, problems: found, notes };
}

function reportProblems(
  { namespace, nodes, paths }: PlanUnit,
  known: { readonly observation: PlanObservation; readonly available: ReadonlySet<string> },
  problems: PlanProblem[],
  notes: string[],
): void {
  for (const node of nodes) {
    const path = `${paths.get(node.key)} ${node.key}`;
    for (const { path: at, message, severity } of machineProblems(node)) {
      if (severity === 'Error') problems.push({ path: `${path} ${at}`, message });
      else notes.push(`${path} ${at}: ${message}`);
    }
    const model = modelOf(node.group, node.kind);
    const ignored = model && ignoredFields(model, node.manifest as unknown as KubeObject);
    if (ignored?.problem !== undefined)
      problems.push({ path: `${path} metadata.annotations`, message: ignored.problem });
    const isNew = known.observation.object(namespace, node.key) === undefined;
    const name = isNew && model ? defaultNameProblem(model.definition, node.manifest) : undefined;
    if (name) problems.push({ path: `${path} ${name.path}`, message: `expected ${name.expected}, got ${name.got}` });
    if (known.observation === offline) continue;
    for (const { path: at, anyOf } of needsOf(node)) {
      const isThere = (key: string) =>
        known.available.has(`${namespace} ${key}`) || known.observation.object(namespace, key) !== undefined;
      if (anyOf.some(isThere)) continue;
      const message = `there is no ${some(anyOf)} in the namespace ${namespace}: add it, or correct the name`;
      problems.push({ path: `${path} ${at}`, message });
    }
  }
}

function changesOf(
  unit: PlanUnit,
  observation: PlanObservation,
  problems: PlanProblem[],
  notes: string[],
): PlannedChange[] {
  const { namespace, nodes, deployment } = unit;
  const own = deployment && deploymentChange(unit, observation, problems);
  const holder =
    deployment && observation.object(namespace, nodeKey('azimuth.dev', 'ComputeDeployment', deployment.name));
  const uid = holder !== undefined && holder !== 'Unknown' ? (holder.metadata.uid ?? '') : '';
  const managers = deployment ? new Set([deploymentsManager]) : observation.managers;
  const changes = new Map<string, PlannedChange>();
  const records: NodeRecord[] = [];
  for (const node of nodes) {
    const present = observation.object(namespace, node.key);
    const isForeign = deployment && present !== undefined && present !== 'Unknown' && !isControlledBy(present, uid);
    if (isForeign) {
      const message = `${node.key} exists and is not of this deployment: delete it, or give the manifest another name`;
      problems.push({ path: deployment.path, message });
    }
    const change = changeOf(unit, node, isForeign ? 'Unknown' : present, managers, observation);
    const applied = deployment ? undefined : observation.applied?.(namespace, node.key);
    if (applied && 'refused' in applied && change.action !== 'Replace')
      problems.push({ path: `${unit.paths.get(node.key)} ${node.key}`, message: applied.refused });
    changes.set(node.key, change);
    if (present !== undefined) records.push(recordOf(node, change));
  }
  const others = uid === '' ? [] : observation.ownedBy(uid).filter((object) => !changes.has(keyOfObject(object)));
  const isDecided = !deployment || deployment.undecided.length === 0;
  const gone = isDecided ? others : [];
  // One of them may be an object that is left out: a run deletes nothing before its names are decided.
  if (!isDecided && others.length > 0)
    notes.push(
      `${deployment.path}: ${some(others.map(keyOfObject))} may be deleted or kept, as Azure decides about names`,
    );
  const keys = new Set([...changes.keys(), ...gone.map(keyOfObject)]);
  for (const object of gone) {
    const taken = nodes.find(({ armId }) => armId !== undefined && sameResourceId(recordedId(object), armId));
    const change = deletionOf(object, namespace, deployment?.name ?? '', { keys, taken });
    changes.set(change.key, change);
    records.push({ ...base(change), state: 'Succeeded', action: 'Modify', hash: '', runId: '', at: 0 });
  }
  return [...(own ? [own] : []), ...inOrder(unit, records, problems).flatMap((key) => changes.get(key) ?? [])];
}

const base = ({ key, location = '', after }: PlannedChange) => ({ key, group: location, after });

function recordOf(node: GoalNode, change: PlannedChange): NodeRecord {
  const hash = change.action === 'None' ? node.hash : '';
  return { ...base(change), state: 'Succeeded', action: 'Modify', hash, runId: '', at: 0 };
}

/** The keys of a unit in the order in which a run would go. */
function inOrder({ nodes, deployment }: PlanUnit, records: readonly NodeRecord[], problems: PlanProblem[]): string[] {
  const goal: DesiredGraph = deployment
    ? desiredGraph('plan', nodes, deployment.strategy)
    : { id: 'plan', nodes: nodes.map(({ key, hash, dependsOn }) => ({ key, hash, after: dependsOn, group: '' })) };
  try {
    return planGraph(goal, records).map(({ key }) => key);
  } catch (error) {
    if (!(error instanceof AzimuthError)) throw error;
    // A cycle among the manifests is reported already.
    if (problems.length === 0) problems.push({ path: deployment?.path ?? '', message: error.message });
    return [...new Set([...nodes, ...records].map(({ key }) => key))];
  }
}

function changeOf(
  { namespace, deployment }: PlanUnit,
  node: GoalNode,
  present: KubeObject | 'Unknown' | undefined,
  managers: ReadonlySet<string>,
  observation: PlanObservation,
): PlannedChange {
  const common = {
    key: node.key,
    namespace,
    ...(deployment && { deployment: deployment.name }),
    ...(node.location !== '' && { location: node.location }),
    after: node.dependsOn,
    notes: [...secretNotes(node, namespace, observation), ...openNotes(node)],
  };
  if (present === undefined) return { ...common, action: 'Create', paths: [] };
  if (present === 'Unknown') return { ...common, action: 'Unknown', paths: [] };
  const applied = deployment ? undefined : observation.applied?.(namespace, node.key);
  const paths = fixedPaths(node, present, objectChanges(node.manifest, present, managers, applied));
  const notes = [...common.notes];
  if (present.metadata.deletionTimestamp !== undefined) notes.push('is being deleted, and made again after that');
  if (paths.length === 0) return { ...common, notes, action: 'None', paths };
  const isReplaced = paths.some(({ isFixed }) => isFixed);
  if (isReplaced) notes.push('Azure does not change this on an existing resource: delete the object first');
  return { ...common, notes, action: isReplaced ? 'Replace' : 'Modify', paths };
}

/** Versions by number: values are nowhere in a plan. */
function secretNotes(
  { kind, name, key, manifest }: GoalNode,
  namespace: string,
  observation: PlanObservation,
): string[] {
  const keys = kind === 'ManagedSecret' ? [key] : managedSecretsOf(manifest).flatMap(({ anyOf }) => anyOf);
  return keys.flatMap((each) => {
    const object = observation.object(namespace, each);
    if (object === undefined || object === 'Unknown') return [];
    const status: unknown = object['status'];
    const version: unknown = isObject(status) ? status['version'] : undefined;
    return typeof version === 'number'
      ? [`ManagedSecret ${each === key ? name : object.metadata.name}: version ${version}`]
      : [];
  });
}

/** Values that the manifest has only after the objects before it are there. */
function openNotes({ answers, manifest }: GoalNode): string[] {
  if (!answers) return [];
  const paths: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (isKnownAfterApply(value)) paths.push(`${path}: known after apply, ${value.knownAfterApply}`);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${path}[${index}]`);
    else if (isObject(value)) for (const [name, member] of Object.entries(value)) walk(member, `${path}.${name}`);
  };
  walk(manifest['spec'], 'spec');
  return paths.slice(0, mostOpenPaths);
}

function deletionOf(
  object: KubeObject,
  namespace: string,
  deployment: string,
  { keys, taken }: { readonly keys: ReadonlySet<string>; readonly taken: GoalNode | undefined },
): PlannedChange {
  const { labels = {}, annotations: own = {} } = object.metadata;
  const policy = own[annotations.reconcilePolicy] ?? '';
  const isKept = isReconcilePolicy(policy) && policy !== 'manage';
  const key = keyOfObject(object);
  return {
    key,
    namespace,
    deployment,
    ...(labels[locationLabel] !== undefined && { location: labels[locationLabel] }),
    action: 'Delete',
    paths: [],
    notes: [
      ...(taken ? [`the resource stays in Azure, as that of ${taken.key}`] : []),
      ...(isKept && !taken ? [`the resource stays in Azure (reconcile-policy ${policy})`] : []),
    ],
    after: [...referencesOf(object as JsonObject)].filter((each) => keys.has(each) && each !== key),
  };
}

/** The ComputeDeployment itself: of its template only that it differs, since its objects show how. */
function deploymentChange(
  { namespace, deployment }: PlanUnit,
  observation: PlanObservation,
  problems: PlanProblem[],
): PlannedChange {
  const { name, path, manifest } = deployment as NonNullable<PlanUnit['deployment']>;
  const key = nodeKey('azimuth.dev', 'ComputeDeployment', name);
  const common = { key, namespace, notes: [], after: [] };
  const present = observation.object(namespace, key);
  const applied = observation.applied?.(namespace, key);
  if (applied && 'refused' in applied) problems.push({ path, message: applied.refused });
  if (present === undefined) return { ...common, action: 'Create', paths: [] };
  if (present === 'Unknown') return { ...common, action: 'Unknown', paths: [] };
  const all = objectChanges(manifest, present, observation.managers, applied);
  const isTemplate = ({ path }: PathChange) => path.startsWith('spec.template');
  const paths = [
    ...all.filter((each) => !isTemplate(each)),
    ...(all.some(isTemplate) ? [{ path: 'spec.template' }] : []),
  ];
  return { ...common, action: paths.length > 0 ? 'Modify' : 'None', paths };
}

const recordedId = ({ metadata }: KubeObject) => metadata.annotations?.[annotations.resourceId] ?? '';

function keyOfObject({ apiVersion, kind, metadata }: KubeObject): string {
  return nodeKey(groupOf(apiVersion), kind, metadata.name);
}

function isControlledBy({ metadata }: KubeObject, uid: string): boolean {
  return (
    uid !== '' && (metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true) ?? false)
  );
}

/** Keys of objects as a sentence shows them: the core group has no name. */
function some(keys: readonly string[]): string {
  const names = keys.map((key) => key.replace('./', '/'));
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(' or ');
}
