import { createHash } from 'node:crypto';
import type { ExportExpression } from '../../api/common-schemas.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { manifestsOf } from '../manifests/manifests.ts';
import { answersAtRequest, withAnswersAtRequest } from '../manifests/read-at-request.ts';
import type { TemplateManifest } from '../manifests/template-manifest.ts';
import type { ParameterInput, TemplateContext } from '../templates/document/context.ts';
import { parameterTypes } from '../templates/document/parameters/secure-parameters.ts';
import type { KnownAnswer } from '../templates/evaluation/scope.ts';
import { type ExpandedResource, type ExpandedTemplate, expandTemplate } from '../templates/expand-template.ts';
import { Problems, type TemplateProblem } from '../templates/problems.ts';
import type { AnswerReads } from '../templates/values/answer-reads.ts';
import { Unknown } from '../templates/values/value.ts';
import { mapValueOf, typedValue } from './inputs/config-map-values.ts';
import { type LinkedTemplates, linkedTemplate } from './linked-templates.ts';
import type { Answers } from './open-values.ts';
import {
  hasListSource,
  type ListedSecrets,
  type ListProbe,
  listedSecrets,
  listProbes,
  noListedSecrets,
} from './secrets/listed-secrets.ts';
import { addLiteralSecrets } from './secrets/literal-secrets.ts';
import type { DeploymentProblem } from './substitute.ts';

/** Inputs from the cluster for the expansion of an ARM template. */
export interface TargetGroup {
  /** ARM id of the resource group of the location. */
  readonly groupId: string;
  /** Name of its object; undefined where the deployment names it by armId. */
  readonly groupName?: string;
  /** Tenant of the credential; '' where the operator does not know it. */
  readonly tenantId: string;
  /** Set in a plan, which does not know the operator's credential. @default undefined: `ArmGoal.deployer` counts */
  readonly deployer?: 'known after apply';
}

/** An ARM template of a deployment, in one location. */
export interface ArmGoal {
  readonly json: string;
  readonly location: string;
  readonly namespace: string;
  readonly deployment: string;
  /** By name: `{value}`, `{managedSecret}`, `{secret: {name, key}}`, `{configMap: {name, key, text}}`, or a reference to Key Vault. */
  readonly parameters: Readonly<JsonObject>;
  /** ISO 8601. */
  readonly at: string;
  /** The value of `deployer()`. @default not known */
  readonly deployer?: TemplateContext['deployer'];
  readonly target: TargetGroup;
  /** Texts of the templates that links name, by path, URI or id. @default none */
  readonly linkedTemplates?: LinkedTemplates | undefined;
  /** Name, for a template of a management group. @default none */
  readonly managementGroup?: string | undefined;
  /** Azure's answers, as far as somebody has read them. @default none */
  readonly answers?: Answers;
  /** Answers that decide names and counts too. @default none */
  readonly decided?: Answers;
  /** Gets the parts of `decided` that the expansion reads. @default not collected */
  readonly reads?: AnswerReads;
  /** Begins the names of the objects. @default the location */
  readonly prefix?: string;
  /** What the values of `newGuid()` depend on. @default `at` and the location */
  readonly seed?: string;
}

/** Types of secure parameters, wherever a template declares them. */
const secureType = /secure(string|object)/i;

/** The objects of an ARM template, before a deployment checks them. */
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
  readonly versions: ExpandedTemplate['versions'];
  /** As far as they are known without Azure's answers. */
  readonly outputs: ExpandedTemplate['outputs'];
}

/** The objects of an ARM template; `problems` gets what keeps all of them from being made. */
export function armObjects(goal: ArmGoal, problems: DeploymentProblem[]): ArmObjects {
  const expanded = expandedGoal(goal, problems);
  const none: ArmObjects = {
    resources: [],
    manifests: [],
    listed: noListedSecrets(),
    problems: [],
    undecided: [],
    versions: new Map(),
    outputs: {},
  };
  if (!expanded || expanded.problems.length > 0 || problems.length > 0)
    return { ...none, problems: expanded?.problems ?? [] };
  const found = new Problems();
  const atRequest = answersAtRequest(expanded.resources, hasListSource);
  const resources = withAnswersAtRequest(expanded.resources, atRequest, found);
  const made = objectsOf(resources, atRequest, goal);
  // What no object can write as a Secret, the operator reads when it sends the body.
  const rest = new Set(made.manifests.filter((each) => isRefused(each, made.listed)).map(({ id }) => id));
  const lists = Object.fromEntries(resources.flatMap(({ waitsFor }) => waitsFor.map((id) => [id, { readAtRequest }])));
  const all = resources.flatMap((each) => (rest.has(each.id) ? withAnswersAtRequest([each], lists, found) : [each]));
  const { manifests, listed, problems: last } = rest.size === 0 ? made : objectsOf(all, atRequest, goal);
  const { undecided, versions, outputs } = expanded;
  return { resources: all, manifests, listed, problems: [...found.list, ...last], undecided, versions, outputs };
}

const readAtRequest = 'lists' as const;

const isRefused = ({ secrets }: TemplateManifest, { refused, written }: ListedSecrets): boolean =>
  secrets.some(
    ({ name, data }) =>
      refused.has(name) || (!written.has(name) && Object.values(data).some((value) => value instanceof Unknown)),
  );

/** The resources of the goal; undefined, with a problem, for one without a group. */
function expandedGoal(goal: ArmGoal, problems: DeploymentProblem[]): ExpandedTemplate | undefined {
  const { target, location, linkedTemplates = {}, managementGroup, deployer, decided, reads } = goal;
  const { seed = `${goal.at} ${location}` } = goal;
  const { subscriptionId, resourceGroup } = tryParseResourceId(target.groupId) ?? {};
  if (subscriptionId === undefined || resourceGroup === undefined) {
    problems.push({ path: 'template.arm.owner', message: 'The owner is no resource group: name a ResourceGroup' });
    return undefined;
  }
  return expandTemplate(goal.json, {
    subscription: { subscriptionId, tenantId: target.tenantId },
    resourceGroup: { name: resourceGroup, location },
    deployment: { name: goal.deployment },
    parameters: inputs(goal.parameters, goal.json, problems),
    linkedTemplate: (name) => linkedTemplate(name, linkedTemplates),
    ...(managementGroup !== undefined && { managementGroup: { name: managementGroup } }),
    ...(deployer !== undefined && { deployer }),
    ...(decided && { known: decided }),
    ...(reads && { reads }),
    now: Date.parse(goal.at),
    newGuid: guids(seed),
  });
}

/** The objects of resources, with the Secrets that they write for each other. */
function objectsOf(
  resources: readonly ExpandedResource[],
  atRequest: Answers,
  { target, namespace, answers, json, linkedTemplates = {}, location, prefix = location }: ArmGoal,
): Pick<ArmObjects, 'manifests' | 'listed' | 'problems'> {
  const group = { group: 'resources.azure.com', kind: 'ResourceGroup', name: target.groupName ?? '' };
  const objects = target.groupName === undefined ? {} : { [target.groupId]: group };
  const probes = listProbes(resources);
  const make = (probe?: ListProbe) => {
    const isOpen = probe || answers || Object.keys(atRequest).length > 0;
    const known = isOpen ? withLists(answers ?? {}, probe?.answers ?? {}, atRequest) : undefined;
    return manifestsOf({ resources }, { namespace, prefix, objects, ...(known && { known }) });
  };
  const made = make(probes?.[0]);
  const isOpen = ![json, ...Object.values(linkedTemplates)].some((text) => secureType.test(text));
  const listed = probes
    ? listedSecrets(probes, [made.manifests, make(probes[1]).manifests], isOpen)
    : noListedSecrets();
  addLiteralSecrets(made.manifests, listed.expressions, listed.written);
  const manifests = made.manifests.map((manifest) => {
    const expressions = listed.expressions.get(manifest.id.toLowerCase());
    return expressions ? { ...manifest, object: withExpressions(manifest.object, expressions) } : manifest;
  });
  return { manifests, listed, problems: made.problems };
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

function inputs(
  parameters: Readonly<JsonObject>,
  json: string,
  problems: DeploymentProblem[],
): Record<string, ParameterInput> {
  const given: Record<string, ParameterInput> = {};
  const types = Object.values(parameters).some(mapValueOf) ? parameterTypes(json) : new Map<string, string>();
  for (const [name, input] of Object.entries(parameters)) {
    const path = `parameters.${name.slice(0, 100)}`;
    const secret = isObject(input) ? input['secret'] : undefined;
    if (isObject(secret)) {
      const { name: secretName, key } = secret;
      const isReference = typeof secretName === 'string' && typeof key === 'string';
      if (isReference) given[name] = { secretKeyRef: { name: secretName, key } };
      else problems.push({ path, message: 'secret needs the name of a Secret of this namespace, and a key of it' });
      continue;
    }
    const mapValue = mapValueOf(input);
    if (mapValue) {
      const typed = typedValue(mapValue, types.get(name.toLowerCase()));
      if ('value' in typed) given[name] = typed;
      else problems.push({ path, message: typed.problem });
    } else if (isObject(input) && ('value' in input || 'reference' in input || 'managedSecret' in input)) {
      given[name] = input as unknown as ParameterInput;
    } else {
      const message =
        'A parameter of an ARM template has the form of a parameters file: {value}, {managedSecret}, {secret: {name, key}}, or {configMap: {name, key}}';
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
