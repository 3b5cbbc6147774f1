import { maxExpressionLength, maxExpressions } from '../../api/common-schemas.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { someOf } from '../../base/text/some-of.ts';
import { newestVersion } from '../manifests/any-type.ts';
import type { TemplateManifest, TemplateSecret } from '../manifests/template-manifest.ts';
import { deployerId } from '../templates/document/context.ts';
import type { ExpandedTemplate } from '../templates/expand-template.ts';
import { firstOf, type TemplateProblem } from '../templates/problems.ts';
import { Unknown } from '../templates/values/value.ts';
import { type ArmGoal, type ArmObjects, armObjects } from './arm-objects.ts';
import type { PlacedManifest } from './goal-nodes.ts';
import { type NeededAnswer, withMarkers } from './open-values.ts';
import { nodeKey } from './references.ts';
import type { ListedSecrets } from './secrets/listed-secrets.ts';
import { isLiteral } from './secrets/literal-secrets.ts';
import type { DeploymentProblem } from './substitute.ts';

/** Resources of an ARM template about which answers of Azure decide. */
export interface UndecidedResource extends DeploymentProblem {
  /** ARM id, with expressions in the place of names. */
  readonly id: string;
  /** The answers that decide. */
  readonly needed: readonly NeededAnswer[];
  /** Whether it needs `deployer()`, which only the operator knows. */
  readonly needsDeployer?: true;
}

/** The manifests of an ARM template. */
export interface ArmManifests {
  readonly placed: PlacedManifest[];
  readonly undecided: readonly UndecidedResource[];
}

/** The manifests of an ARM template. Their names end with the location, so that locations do not share an object. */
export function armManifests(goal: ArmGoal, problems: DeploymentProblem[]): ArmManifests {
  const { resources, manifests, listed, problems: found, undecided, versions } = armObjects(goal, problems);
  report(found, problems);
  if (problems.length > 0) return { placed: [], undecided: [] };
  const keys = keysOf(manifests);
  const answerOf = answerFinder({ resources, manifests });
  const held = new Set(resources.flatMap(({ id, isHeld }) => (isHeld ? id : [])));
  return {
    placed: manifests.map((manifest) => {
      const made = placed(manifest, { keys, answerOf, listed, problems });
      return held.has(manifest.id) ? { ...made, isHeld: true } : made;
    }),
    undecided: undecided.map((part) => {
      const ids = part.waitsFor.filter((id) => id !== deployerId);
      const needed = ids.map((id) => answerOf(id) ?? outside(id, versions));
      const needsDeployer = ids.length < part.waitsFor.length && ({ needsDeployer: true } as const);
      return { id: part.id, path: at(part), message: undecidedText(part), needed, ...needsDeployer };
    }),
  };
}

const keysOf = (manifests: ArmObjects['manifests']) =>
  new Map(manifests.map(({ id, definition, object }) => [id, keyOf(definition, object.metadata.name)]));

/** Finds the answer about a resource by its ARM id; undefined for one that is not of the template. */
export function answerFinder({ resources, manifests }: Pick<ArmObjects, 'resources' | 'manifests'>) {
  const keys = new Map([...keysOf(manifests)].map(([id, key]) => [id.toLowerCase(), key]));
  const versions = new Map(
    resources.map(({ id, type, apiVersion = newestVersion(type) }) => [id.toLowerCase(), apiVersion ?? '']),
  );
  return (id: string): NeededAnswer | undefined => {
    const key = keys.get(id.toLowerCase());
    return key === undefined ? undefined : { id, key, apiVersion: versions.get(id.toLowerCase()) ?? '' };
  };
}

/** The answer about a resource that is not of the template. */
function outside(id: string, versions: ArmObjects['versions']): NeededAnswer {
  const { type = '' } = tryParseResourceId(id) ?? {};
  return { id, key: '', apiVersion: versions.get(id.toLowerCase()) ?? newestVersion(type) ?? '' };
}

/** `its name is decided when ID answers`, for a sentence about a resource. */
export function undecidedText({ what, expression, waitsFor }: ExpandedTemplate['undecided'][number]): string {
  return `the ${what} is decided when ${firstOf(waitsFor)} answers: [${expression.slice(0, 200)}]`;
}

/** Inputs that all manifests of one template share. */
interface Shared {
  /** Of the objects, by ARM id. */
  readonly keys: ReadonlyMap<string, string>;
  readonly answerOf: (id: string) => NeededAnswer | undefined;
  readonly listed: ListedSecrets;
  readonly problems: DeploymentProblem[];
}

const keyOf = ({ group, kind }: { readonly group: string; readonly kind: string }, name: string) =>
  nodeKey(group, kind, name);

function placed(
  { id: armId, object, secrets, dependsOn, waitsFor, position }: TemplateManifest,
  { keys, answerOf, listed, problems }: Shared,
): PlacedManifest {
  const path = `template.arm.json ${position.path}`;
  const answers = waitsFor.flatMap((id) => {
    if (id === deployerId) return [];
    const answer = answerOf(id);
    if (answer) return [answer];
    const message = `The body needs an answer of Azure about ${id}, which is no resource of the template: a deployment reads answers about its own resources only`;
    problems.push({ path: at(position), message });
    return [];
  });
  for (const secret of secrets) {
    if (!listed.written.has(secret.name))
      problems.push({ path: at(position), message: unwritten(secret, listed.refused.has(secret.name)) });
  }
  const { apiVersion, kind, metadata, spec } = object;
  const after = [...dependsOn.flatMap((id) => keys.get(id) ?? []), ...answers.map(({ key }) => key)];
  const manifest = { apiVersion, kind, metadata: { name: metadata.name }, spec: withMarkers(spec) };
  return { path, manifest, after, armId, ...(waitsFor.length > 0 && { answers }) };
}

/** Why a Secret cannot be written. A value of the template would be known to all readers of the deployment. */
function unwritten(secret: TemplateSecret, isComputed: boolean): string {
  const { data, plain } = secret;
  const list = Object.values(data).find((value) => value instanceof Unknown);
  if (list || isComputed) {
    const text = list ? `The answer of ${list.expression}` : 'A value that is computed from what Azure lists';
    return `${text} is a secret, which a deployment does not read: pass on the value itself of one resource of the template, or let operatorSpec.secrets of an object write it into a Secret, and give a parameter {"secret": {"name", "key"}}; a certificate of a machine is {"managedSecret": "name"}`;
  }
  if (isLiteral(secret))
    return `${someOf(plain)}: the field takes a Secret, and the values stand in the template. Shorten them to ${maxExpressionLength} characters, let the resource depend on another one of the template, whose object writes the Secret (${maxExpressions} values at most), or give parameters {"secret": {"name", "key"}} of one Secret with these keys`;
  const fix = 'give a secure parameter {"secret": {"name", "key"}}, and pass it on unchanged';
  if (plain.length > 0 && plain.length === Object.keys(data).length)
    return `${plain.join(', ')} stands in the template for all readers: ${fix}`;
  return `The value of a secure parameter would stand in the deployment for all readers: ${fix}`;
}

/** Adds the problems of a template, with their places in it. */
export function report(found: readonly TemplateProblem[], problems: DeploymentProblem[]): void {
  for (const problem of found) problems.push({ path: at(problem), message: problem.message });
}

function at({ path, line, column }: Pick<TemplateProblem, 'path' | 'line' | 'column'>): string {
  return line === 0 ? path || 'template.arm.json' : `template.arm.json line ${line}, column ${column} (${path})`;
}
