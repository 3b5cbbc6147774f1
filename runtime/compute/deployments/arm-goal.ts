import { createHash } from 'node:crypto';
import { type ExportExpression, maxExpressionLength, maxExpressions } from '../../api/common-schemas.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { someOf } from '../../base/text/some-of.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { newestVersion } from '../manifests/any-type.ts';
import { manifestsOf } from '../manifests/manifests.ts';
import { answersAtRequest, withAnswersAtRequest } from '../manifests/read-at-request.ts';
import type { TemplateManifest, TemplateSecret } from '../manifests/template-manifest.ts';
import type { ParameterInput } from '../templates/document/context.ts';
import type { KnownAnswer } from '../templates/evaluation/scope.ts';
import { type ExpandedTemplate, expandTemplate } from '../templates/expand-template.ts';
import type { TemplateProblem } from '../templates/problems.ts';
import { Unknown } from '../templates/values/value.ts';
import type { PlacedManifest } from './goal-nodes.ts';
import { type LinkedTemplates, linkedTemplate } from './linked-templates.ts';
import {
  hasListSource,
  type ListedSecrets,
  type ListProbe,
  listedSecrets,
  listProbes,
  noListedSecrets,
} from './listed-secrets.ts';
import { addLiteralSecrets, isLiteral } from './literal-secrets.ts';
import { type Answers, type NeededAnswer, withMarkers } from './open-values.ts';
import { nodeKey } from './references.ts';
import type { DeploymentProblem } from './substitute.ts';

/** Inputs from the cluster for the expansion of an ARM template. */
export interface TargetGroup {
  /** ARM id of the resource group of the location. */
  readonly groupId: string;
  /** Name of its object; undefined where the deployment names it by armId. */
  readonly groupName?: string;
  /** Tenant of the credential; '' where the operator does not know it. */
  readonly tenantId: string;
}

/** An ARM template of a deployment, in one location. */
export interface ArmGoal {
  readonly json: string;
  readonly location: string;
  readonly namespace: string;
  readonly deployment: string;
  /** By name: `{value}`, `{managedSecret}`, `{secret: {name, key}}`, or a reference to Key Vault. */
  readonly parameters: Readonly<JsonObject>;
  /** ISO 8601. */
  readonly at: string;
  readonly target: TargetGroup;
  /** Texts of the templates that links name, by path, URI or id. @default none */
  readonly linkedTemplates?: LinkedTemplates | undefined;
  /** Name, for a template of a management group. @default none */
  readonly managementGroup?: string | undefined;
  /** Azure's answers, as far as somebody has read them. @default none */
  readonly answers?: Answers;
  /** Begins the names of the objects. @default the location */
  readonly prefix?: string;
  /** What the values of `newGuid()` depend on. @default `at` and the location */
  readonly seed?: string;
}

/** Types of secure parameters, wherever a template declares them. */
const secureType = /secure(string|object)/i;

/** The objects of an ARM template, before a deployment looks at them. */
export interface ArmObjects {
  readonly resources: ExpandedTemplate['resources'];
  /** With the expressions that write `listed.written`. */
  readonly manifests: readonly TemplateManifest[];
  /** Secrets that the objects write themselves. */
  readonly listed: ListedSecrets;
  /** Of resources that have no manifest, or not in full. */
  readonly problems: readonly TemplateProblem[];
  /** Parts about which answers of Azure decide: they have no objects. */
  readonly undecided: ExpandedTemplate['undecided'];
}

/** The objects of an ARM template; `problems` gets what keeps all of them from being made. */
export function armObjects(goal: ArmGoal, problems: DeploymentProblem[]): ArmObjects {
  const { target, location, namespace, deployment, linkedTemplates = {}, managementGroup, prefix = location } = goal;
  const { seed = `${goal.at} ${location}` } = goal;
  const none: ArmObjects = { resources: [], manifests: [], listed: noListedSecrets(), problems: [], undecided: [] };
  const { subscriptionId, resourceGroup } = tryParseResourceId(target.groupId) ?? {};
  if (subscriptionId === undefined || resourceGroup === undefined) {
    problems.push({ path: 'template.arm.owner', message: 'The owner is no resource group: name a ResourceGroup' });
    return none;
  }
  const expanded = expandTemplate(goal.json, {
    subscription: { subscriptionId, tenantId: target.tenantId },
    resourceGroup: { name: resourceGroup, location },
    deployment: { name: deployment },
    parameters: inputs(goal.parameters, problems),
    linkedTemplate: (name) => linkedTemplate(name, linkedTemplates),
    ...(managementGroup !== undefined && { managementGroup: { name: managementGroup } }),
    now: Date.parse(goal.at),
    newGuid: guids(seed),
  });
  if (expanded.problems.length > 0 || problems.length > 0) return { ...none, problems: expanded.problems };
  const atRequest = answersAtRequest(expanded.resources, hasListSource);
  const resources = withAnswersAtRequest(expanded.resources, atRequest);
  const group = { group: 'resources.azure.com', kind: 'ResourceGroup', name: target.groupName ?? '' };
  const objects = target.groupName === undefined ? {} : { [target.groupId]: group };
  const probes = listProbes(resources);
  const make = (probe?: ListProbe) => {
    const isOpen = probe || goal.answers || Object.keys(atRequest).length > 0;
    const known = isOpen ? withLists(goal.answers ?? {}, probe?.answers ?? {}, atRequest) : undefined;
    return manifestsOf({ resources }, { namespace, prefix, objects, ...(known && { known }) });
  };
  const made = make(probes?.[0]);
  const listed = probes
    ? listedSecrets(
        probes,
        [made.manifests, make(probes[1]).manifests],
        ![goal.json, ...Object.values(linkedTemplates)].some((text) => secureType.test(text)),
      )
    : noListedSecrets();
  addLiteralSecrets(made.manifests, listed.expressions, listed.written);
  const manifests = made.manifests.map((manifest) => {
    const expressions = listed.expressions.get(manifest.id.toLowerCase());
    return expressions ? { ...manifest, object: withExpressions(manifest.object, expressions) } : manifest;
  });
  return { resources, manifests, listed, problems: made.problems, undecided: expanded.undecided };
}

/** Resources of an ARM template about which answers of Azure decide. */
export interface UndecidedResource extends DeploymentProblem {
  /** ARM id, with expressions in the place of names. */
  readonly id: string;
}

/** The manifests of an ARM template. */
export interface ArmManifests {
  readonly placed: PlacedManifest[];
  readonly undecided: readonly UndecidedResource[];
}

/** The manifests of an ARM template. Their names end with the location, so that locations do not share an object. */
export function armManifests(goal: ArmGoal, problems: DeploymentProblem[]): ArmManifests {
  const { resources, manifests, listed, problems: found, undecided } = armObjects(goal, problems);
  report(found, problems);
  if (problems.length > 0) return { placed: [], undecided: [] };
  const keys = new Map(manifests.map(({ id, definition, object }) => [id, keyOf(definition, object.metadata.name)]));
  const versions = new Map(
    resources.map(({ id, type, apiVersion = newestVersion(type) }) => [id.toLowerCase(), apiVersion ?? '']),
  );
  const answerOf = (id: string): NeededAnswer | undefined => {
    const own = manifests.find((each) => each.id.toLowerCase() === id.toLowerCase());
    const key = own && keys.get(own.id);
    return key === undefined ? undefined : { id, key, apiVersion: versions.get(id.toLowerCase()) ?? '' };
  };
  return {
    placed: manifests.map((manifest) => placed(manifest, { keys, answerOf, listed, problems })),
    undecided: undecided.map((part) => ({ id: part.id, path: at(part), message: undecidedText(part) })),
  };
}

/** `its name is decided when ID answers`, for a sentence about a resource. */
export function undecidedText({ what, expression, waitsFor }: ExpandedTemplate['undecided'][number]): string {
  return `the ${what} is decided when ${waitsFor.join(', ')} answers: [${expression.slice(0, 200)}]`;
}

/** Answers of Azure, with random answers of list functions, and those that are read later. */
function withLists(...all: readonly Answers[]): Record<string, KnownAnswer> {
  const known: Record<string, KnownAnswer> = {};
  for (const each of all)
    for (const [id, answer] of Object.entries(each))
      known[id.toLowerCase()] = { ...known[id.toLowerCase()], ...answer };
  return known;
}

function withExpressions(object: KubeObject, secretExpressions: readonly ExportExpression[]): KubeObject {
  const spec = object['spec'] as JsonObject;
  const own = isObject(spec['operatorSpec']) ? spec['operatorSpec'] : {};
  return { ...object, spec: { ...spec, operatorSpec: { ...own, secretExpressions: [...secretExpressions] } } };
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
  return { path, manifest, after, armId, ...(answers.length > 0 && { answers }) };
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

function inputs(parameters: Readonly<JsonObject>, problems: DeploymentProblem[]): Record<string, ParameterInput> {
  const given: Record<string, ParameterInput> = {};
  for (const [name, input] of Object.entries(parameters)) {
    const path = `parameters.${name.slice(0, 100)}`;
    const secret = isObject(input) ? input['secret'] : undefined;
    if (isObject(secret)) {
      const { name: secretName, key } = secret;
      const isReference = typeof secretName === 'string' && typeof key === 'string';
      if (isReference) given[name] = { secretKeyRef: { name: secretName, key } };
      else problems.push({ path, message: 'secret needs the name of a Secret of this namespace, and a key of it' });
    } else if (isObject(input) && ('value' in input || 'reference' in input || 'managedSecret' in input)) {
      given[name] = input as unknown as ParameterInput;
    } else {
      const message =
        'A parameter of an ARM template has the form of a parameters file: {value}, {managedSecret}, or {secret: {name, key}}';
      problems.push({ path, message });
    }
  }
  return given;
}

/** GUIDs that depend on the seed alone: each expansion of a goal gives the same. */
function guids(seed: string): () => string {
  let count = 0;
  return () => {
    const hex = createHash('sha256').update(`${seed} ${count++}`).digest('hex');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  };
}

function report(found: readonly TemplateProblem[], problems: DeploymentProblem[]): void {
  for (const problem of found) problems.push({ path: at(problem), message: problem.message });
}

function at({ path, line, column }: Pick<TemplateProblem, 'path' | 'line' | 'column'>): string {
  return line === 0 ? path || 'template.arm.json' : `template.arm.json line ${line}, column ${column} (${path})`;
}
