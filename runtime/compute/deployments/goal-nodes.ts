import type { PipelineName } from '../../api/deployments/compute-run.ts';
import { machineKinds, operatorKinds } from '../../api/kinds.ts';
import type { KindDefinition } from '../../api/types.ts';
import { validate } from '../../api/validate.ts';
import { isSecretText } from '../../arm-kinds/secret-value.ts';
import { findCycle } from '../../base/cycle.ts';
import { isObject, type JsonObject, jsonHash } from '../../base/json.ts';
import { quoted } from '../problems/compute-problem.ts';
import type { NeededAnswer } from './open-values.ts';
import { pipelineOf } from './pipelines.ts';
import { exportsOf, groupOf, nodeKey, referencesOf } from './references.ts';
import type { DeploymentProblem } from './substitute.ts';

/** An object of the goal, in one location. */
export interface GoalNode {
  /** `VirtualMachine.compute.azure.com/web` */
  readonly key: string;
  readonly location: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly pipeline: PipelineName;
  /** With apiVersion, kind, metadata (name, labels, annotations) and spec. */
  readonly manifest: JsonObject;
  /** Hash of the manifest. */
  readonly hash: string;
  /** Keys of the nodes of the same location that come before. */
  readonly dependsOn: readonly string[];
  /** ARM id of the resource; undefined where only the cluster knows it, as for manifests. */
  readonly armId?: string;
  /** Answers of Azure that the manifest needs; it has markers in their places. */
  readonly answers?: readonly NeededAnswer[];
  /** Whether resources come before it that are not there yet, as answers of Azure decide about them. */
  readonly isHeld?: true;
}

/** A manifest of a location, and where it stands in the spec. */
export interface PlacedManifest {
  readonly path: string;
  readonly manifest: unknown;
  /** Keys of nodes that come before, besides those that the manifest names. */
  readonly after?: readonly string[];
  /** ARM id of the resource that a template declares. @default not known */
  readonly armId?: string;
  /** Answers of Azure that the manifest needs. Its schema is checked when they are there. @default none */
  readonly answers?: readonly NeededAnswer[];
  /** As `GoalNode.isHeld`. */
  readonly isHeld?: true;
}

/** Kinds that a deployment may make: those of the operator that belong to a namespace, and ManagedSecrets. */
const allowed: ReadonlyMap<string, KindDefinition> = new Map(
  [...operatorKinds, ...machineKinds]
    .filter(({ namespaced }) => namespaced)
    .map((kind) => [`${kind.kind}.${kind.group}`, kind]),
);

/** Whether a manifest is of a kind that a deployment may make. */
export function plannableKind({ apiVersion, kind }: JsonObject): boolean {
  return allowed.has(`${String(kind).slice(0, 100)}.${groupOf(String(apiVersion).slice(0, 300))}`);
}

/**
 * The nodes of the manifests of one location in their order, each with its dependencies. Adds mistakes to `problems`: a
 * kind that is not allowed, another namespace, a member that the schema does not know, a name that is there twice, a
 * circle.
 */
export function goalNodes(
  location: string,
  namespace: string,
  manifests: readonly PlacedManifest[],
  problems: DeploymentProblem[],
): GoalNode[] {
  const found = new Map<
    string,
    { readonly placed: PlacedManifest; readonly kind: KindDefinition; readonly name: string }
  >();
  const manifestOf = new Map<string, JsonObject>();
  for (const placed of manifests) {
    const read = readManifest(placed, namespace, problems);
    if (!read) continue;
    const key = nodeKey(read.kind.group, read.kind.kind, read.name);
    if (found.has(key))
      problems.push({ path: `${placed.path}.metadata.name`, message: `${key} is there twice: rename one` });
    found.set(key, { placed, kind: read.kind, name: read.name });
    manifestOf.set(key, read.manifest);
  }
  const writers = new Map<string, string>();
  for (const [key, manifest] of manifestOf) for (const secret of exportsOf(manifest)) writers.set(secret, key);
  const nodes = [...found].map(([key, { placed, kind, name }]): GoalNode => {
    const manifest = manifestOf.get(key) as JsonObject;
    const before = new Set(placed.after ?? []);
    for (const reference of referencesOf(manifest)) before.add(writers.get(reference) ?? reference);
    before.delete(key);
    const { type } = manifest['spec'] as { type?: unknown };
    const armType = kind.kind === 'ArmResource' && typeof type === 'string' ? type : undefined;
    return {
      key,
      location,
      group: kind.group,
      kind: kind.kind,
      name,
      pipeline: pipelineOf(kind.group, kind.kind, armType),
      manifest,
      hash: jsonHash(manifest),
      dependsOn: [...before].filter((each) => found.has(each)).sort(),
      ...(placed.armId !== undefined && { armId: placed.armId }),
      ...(placed.answers && { answers: placed.answers }),
      ...(placed.isHeld && { isHeld: true }),
    };
  });
  reportCycle(nodes, found, problems);
  return nodes;
}

function readManifest(
  { path, manifest, answers }: PlacedManifest,
  namespace: string,
  problems: DeploymentProblem[],
): { readonly kind: KindDefinition; readonly name: string; readonly manifest: JsonObject } | undefined {
  const refuse = (where: string, message: string) => {
    problems.push({ path: `${path}${where}`, message });
    return undefined;
  };
  if (!isObject(manifest)) return refuse('', 'A manifest must be an object');
  const { apiVersion, kind: kindName, metadata, spec, ...others } = manifest;
  const kind = allowed.get(`${String(kindName).slice(0, 100)}.${groupOf(String(apiVersion).slice(0, 300))}`);
  if (!kind)
    return refuse(
      '.kind',
      `${quoted(kindName)} of ${quoted(apiVersion)} is no kind of the operator that belongs to a namespace: docs/reference/kinds.md lists them`,
    );
  const [other] = Object.keys(others);
  if (other !== undefined) return refuse(`.${other}`, `${quoted(other)} cannot be set by a deployment: remove it`);
  if (!isObject(metadata)) return refuse('.metadata', 'A manifest needs metadata with a name');
  const { name, namespace: own, labels, annotations, ...more } = metadata;
  if (own !== undefined && own !== namespace)
    return refuse(
      '.metadata.namespace',
      `A deployment makes objects in its own namespace only: remove it, or write ${namespace}`,
    );
  const [extra] = Object.keys(more);
  if (extra !== undefined)
    return refuse(`.metadata.${extra}`, 'Only name, namespace, labels and annotations can be set here: remove it');
  if (!areTexts(labels)) return refuse('.metadata.labels', 'labels must be an object of strings');
  if (!areTexts(annotations)) return refuse('.metadata.annotations', 'annotations must be an object of strings');
  const clean = {
    apiVersion,
    kind: kindName,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  };
  const wrong = answers ? [] : validate(kind, clean, { strict: true });
  for (const { path: at, expected, got } of wrong.slice(0, 10))
    problems.push({
      path: `${path}.${at}`,
      message: `expected ${expected}, got ${isSecret(at) ? 'something else' : got}`,
    });
  return wrong.length > 0 ? undefined : { kind, name: name as string, manifest: clean };
}

/** No message may show a password that somebody wrote in place of a reference to a Secret. */
function isSecret(path: string): boolean {
  return path.split(/[.[\]]/).some((part) => isSecretText(part, 'text'));
}

function areTexts(value: unknown): value is Readonly<Record<string, string>> | undefined {
  return value === undefined || (isObject(value) && Object.values(value).every((each) => typeof each === 'string'));
}

function reportCycle(
  nodes: readonly GoalNode[],
  found: ReadonlyMap<string, { readonly placed: PlacedManifest }>,
  problems: DeploymentProblem[],
): void {
  const edges = new Map(nodes.map(({ key, dependsOn }) => [key, dependsOn]));
  const cycle = findCycle(edges.keys(), (key) => edges.get(key) ?? []);
  if (!cycle) return;
  const chain = cycle.length > 10 ? [...cycle.slice(0, 9), '…'] : cycle;
  const path = found.get(cycle[0] as string)?.placed.path ?? 'template';
  problems.push({ path, message: `These wait for each other: ${chain.join(' -> ')}: remove one of the references` });
}

/** Adds a problem for each object that more than one location makes. */
export function reportShared(
  nodes: readonly Pick<GoalNode, 'key' | 'location'>[],
  problems: DeploymentProblem[],
): void {
  const first = new Map<string, string>();
  for (const { key, location } of nodes) {
    const other = first.get(key);
    if (other === undefined) first.set(key, location);
    else if (problems.length < 100)
      problems.push({
        path: 'template',
        message: `${key} is made in ${other} and in ${location}: put \${location} into its name`,
      });
  }
}
