import {
  type ComputeDeploymentSpec,
  computeDeployment,
  maxTemplateLength,
} from '../../api/deployments/compute-deployment.ts';
import { validate } from '../../api/validate.ts';
import { resourceGroupPath } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { UndecidedResource } from '../deployments/arm-goal.ts';
import type { TargetGroup } from '../deployments/arm-objects.ts';
import { type ExpandedLocation, expandLocation } from '../deployments/expand-goal.ts';
import { goalOf } from '../deployments/goal.ts';
import {
  type GoalNode,
  goalNodes,
  type PlacedManifest,
  plannableKind,
  reportShared,
} from '../deployments/goal-nodes.ts';
import { type MapData, withMapTexts } from '../deployments/inputs/config-map-values.ts';
import type { Answers } from '../deployments/open-values.ts';
import { apiGroupOf, groupOf, nodeKey } from '../deployments/references.ts';
import { roundOf } from '../deployments/rounds/expand-round.ts';
import { answersMessage } from '../deployments/rounds/round-limits.ts';
import { strategyOf, strategyProblems } from '../deployments/strategy.ts';
import { atLocation, type DeploymentProblem } from '../deployments/substitute.ts';
import { quoted } from '../problems/compute-problem.ts';
import type { PlanProblem, PlanUnit } from './change.ts';
import type { KindLookup, OtherObject } from './problems/kind-problems.ts';
import { placeholderProblems } from './problems/placeholders.ts';

/** The plan units of the documents of a file. */
export interface PlanUnits {
  readonly units: readonly PlanUnit[];
  readonly problems: readonly PlanProblem[];
  /** Omissions of the units, for people. @default none */
  readonly notes?: readonly string[];
  /** Objects of other kinds in the file, such as Secrets, as `namespace Kind.group/name`: they are not planned. */
  readonly others: ReadonlySet<string>;
  /** The same, and where each stands. */
  readonly otherObjects: readonly OtherObject[];
  /** The kinds that definitions in the file have. */
  readonly isDefined: KindLookup;
}

/** Inputs of a plan beside its documents. */
export interface PlanContext {
  /** Where each document stands, for messages. @default `documents[0]` and so on */
  readonly places?: readonly string[];
  /** Whether each document is made from the file of a template, which may be longer than an object. @default none */
  readonly isTemplate?: readonly boolean[];
  /** Namespace of manifests that name none. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** ARM ids of ResourceGroups by `namespace/name`. @default none: a subscription of zeros is assumed */
  readonly groupIds?: ReadonlyMap<string, string>;
  /** Azure's answers by ARM id, which decide names and counts of templates. @default none */
  readonly decided?: Answers;
}

/** Whether a manifest is a ComputeDeployment. */
export const isDeployment = ({ apiVersion, kind }: JsonObject) =>
  kind === computeDeployment.kind && groupOf(String(apiVersion)) === computeDeployment.group;

/**
 * The units of the documents of a file: each ComputeDeployment expanded into its locations, and the other manifests by
 * namespace. Reports each kind of problem that shows without the cluster and without Azure.
 */
export function planUnits(documents: readonly unknown[], context: PlanContext): PlanUnits {
  const problems: PlanProblem[] = [];
  const others = new Set<string>();
  const otherObjects: OtherObject[] = [];
  const deployments: PlanUnit[] = [];
  const maps = mapsIn(documents, context.namespace);
  const plain = new Map<string, (PlacedManifest & { readonly manifest: JsonObject })[]>();
  for (const [index, document] of documents.entries()) {
    const path = context.places?.[index] ?? `documents[${index}]`;
    if (document === undefined) {
      problems.push({ path, message: 'There is no object in it: name a file with manifests, or leave it out' });
      continue;
    }
    if (!isManifest(document)) {
      problems.push({ path, message: 'A manifest needs apiVersion, kind and metadata with a name' });
      continue;
    }
    const { apiVersion, kind, metadata, spec } = document;
    if (plannableKind(document)) problems.push(...placeholderProblems(spec, `${path}.spec`));
    const { name, labels, annotations, namespace: given } = metadata;
    const namespace = typeof given === 'string' ? given : context.namespace;
    // Fields that only the API server writes may stand in a file that was read from a cluster.
    const own = { name, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
    const manifest = { apiVersion, kind, metadata: own, spec };
    if (isDeployment(document)) {
      const unit = deploymentUnit(
        manifest,
        { ...context, path, namespace, maps, isLong: context.isTemplate?.[index] === true },
        problems,
      );
      if (unit) deployments.push(unit);
    } else if (plannableKind(manifest)) {
      const placed = plain.get(namespace) ?? [];
      placed.push({ path, manifest });
      plain.set(namespace, placed);
    } else {
      others.add(`${namespace} ${keyOf(manifest)}`);
      otherObjects.push({ path, apiVersion, kind });
    }
  }
  const manifests = [...plain].map(([namespace, placed]): PlanUnit => {
    const nodes = goalNodes('', namespace, placed, problems);
    const paths = new Map(placed.map(({ path, manifest }) => [keyOf(manifest), path]));
    return { namespace, nodes, paths };
  });
  const units = [...manifests, ...deployments];
  reportTwice(units, problems);
  return { units, problems, others, otherObjects, isDefined: definitionsIn(documents) };
}

interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: unknown };
}

function isManifest(document: unknown): document is Manifest {
  if (!isObject(document)) return false;
  const { apiVersion, kind, metadata } = document;
  return [apiVersion, kind].every((each) => typeof each === 'string' && each !== '') && isObject(metadata);
}

/** The kinds of the CustomResourceDefinitions among these documents. */
function definitionsIn(documents: readonly unknown[]): KindLookup {
  const defined = new Set<string>();
  for (const document of documents) {
    if (!isObject(document) || document['kind'] !== 'CustomResourceDefinition' || !isObject(document['spec'])) continue;
    const { group, names, versions } = document['spec'];
    if (!isObject(names) || !Array.isArray(versions)) continue;
    for (const version of versions) if (isObject(version)) defined.add(`${names['kind']}.${group}/${version['name']}`);
  }
  return (apiVersion, kind) => defined.has(`${kind}.${apiVersion}`);
}

/** The manifest with a part of its template. The expansion has a limit of its own for the text. */
function withShortTemplate(manifest: JsonObject): JsonObject {
  const { template, ...spec } = manifest['spec'] as { readonly template: { readonly arm: { readonly json: string } } };
  const json = template.arm.json.slice(0, maxTemplateLength);
  return { ...manifest, spec: { ...spec, template: { ...template, arm: { ...template.arm, json } } } };
}

/** The place of one deployment. */
interface UnitContext extends PlanContext {
  readonly path: string;
  readonly isLong: boolean;
  /** The data of the ConfigMaps among the documents, by `namespace/name`. */
  readonly maps: ReadonlyMap<string, MapData>;
}

/** The data of the ConfigMaps among these documents, by `namespace/name`. */
function mapsIn(documents: readonly unknown[], namespace: string): Map<string, MapData> {
  const maps = new Map<string, MapData>();
  for (const document of documents) {
    if (!isManifest(document) || document.apiVersion !== 'v1' || document.kind !== 'ConfigMap') continue;
    const { metadata, data } = document;
    maps.set(`${metadata['namespace'] ?? namespace}/${metadata.name}`, isObject(data) ? data : {});
  }
  return maps;
}

function deploymentUnit(
  manifest: JsonObject,
  { path, namespace, now, groupIds, decided, isLong, maps }: UnitContext,
  problems: PlanProblem[],
): PlanUnit | undefined {
  const wrong = validate(computeDeployment, isLong ? withShortTemplate(manifest) : manifest, { strict: true });
  for (const { path: at, expected, got } of wrong.slice(0, 20))
    problems.push({ path: `${path}.${at}`, message: `expected ${expected}, got ${got}` });
  if (wrong.length > 0) return undefined;
  // A parameter whose ConfigMap is in no document is a problem of the expansion.
  const { spec } = withMapTexts(manifest['spec'] as ComputeDeploymentSpec, (map) => maps.get(`${namespace}/${map}`));
  const name = (manifest['metadata'] as { readonly name: string }).name;
  const found = [...strategyProblems(spec)];
  const goal = goalOf(spec, now);
  const undecided: UndecidedResource[] = [];
  const nodes = goal.locations.flatMap(({ name: location }): readonly GoalNode[] => {
    const idOf = (group: string) => groupIds?.get(`${namespace}/${group}`);
    const target = spec.template.arm && targetGroup(spec.template.arm.owner, location, idOf);
    const place = { namespace, deployment: name, location };
    const expanded = expandLocation(goal, place, target, undefined, decided && { decided });
    // The same problem in each location is one problem of the template.
    for (const problem of [...expanded.problems, ...roundProblems(expanded, decided)])
      if (!found.some((each) => each.path === problem.path && each.message === problem.message)) found.push(problem);
    undecided.push(...expanded.undecided.map((each) => ({ ...each, path: `${path}.spec.${each.path}` })));
    return expanded.nodes;
  });
  reportShared(nodes, found);
  for (const problem of found) problems.push({ path: `${path}.spec.${problem.path}`, message: problem.message });
  const strategy = strategyOf(
    spec.strategy,
    spec.locations.map((each) => each.name),
  );
  // An object that two locations make is reported; a graph has each key once.
  const distinct = [...new Map(nodes.map((node) => [node.key, node])).values()];
  const paths = new Map(distinct.map((node) => [node.key, `${path}.spec.template`]));
  return { namespace, nodes: distinct, paths, deployment: { name, path, manifest, strategy, undecided } };
}

/** Why a run refuses the names that answers decide. */
function roundProblems(expanded: ExpandedLocation, decided: Answers = {}): readonly DeploymentProblem[] {
  if (expanded.problems.length > 0) return [];
  const { problems, decision } = roundOf(expanded, decided);
  const message = answersMessage(decision?.needed.length ?? 0);
  return message === undefined ? problems : [...problems, { path: 'template.arm.json', message }];
}

/** A resource group. Where nobody knows the subscription of a ResourceGroup object, one of zeros is assumed. */
function targetGroup(
  { armId, name }: { readonly armId?: string; readonly name?: string },
  location: string,
  idOf: (group: string) => string | undefined,
): TargetGroup {
  const others = { tenantId: '', deployer: 'known after apply' } as const;
  if (name === undefined) return { groupId: atLocation(armId ?? '', location), ...others };
  const groupName = atLocation(name, location);
  const groupId = idOf(groupName) ?? resourceGroupPath('00000000-0000-0000-0000-000000000000', groupName);
  return { groupId, groupName, ...others };
}

const keyOf = ({ apiVersion, kind, metadata }: JsonObject) =>
  nodeKey(apiGroupOf(String(apiVersion)), String(kind), String((metadata as JsonObject)['name']));

function reportTwice(units: readonly PlanUnit[], problems: PlanProblem[]): void {
  const first = new Map<string, string>();
  for (const { namespace, nodes, paths } of units) {
    for (const { key } of nodes) {
      const id = `${namespace} ${key}`;
      const path = paths.get(key) ?? '';
      const other = first.get(id);
      if (other !== undefined)
        problems.push({
          path,
          message: `${key} is also made by ${quoted(other)}: remove one, or give it another name`,
        });
      first.set(id, path);
    }
  }
}
