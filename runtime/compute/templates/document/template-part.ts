import type { Environment } from '../evaluation/scope.ts';
import { nodeValue } from '../functions/node-value.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { type DecidedLater, TemplateError } from '../problems.ts';
import { type TemplateObject, type TemplateValue, templateObject } from '../values/value.ts';
import { NestedDeployment, type OwnScope, type ScopeChoice } from './deployments/nested-deployment.ts';
import type { Instance, PartScope, Shared, TemplatePart } from './instance.ts';
import { type Declaring, declareResources } from './instances.ts';
import { declareParameters } from './parameters/parameters.ts';
import { typesOf } from './parameters/types.ts';
import { declareFunctions } from './parameters/user-functions.ts';
import { satisfiesIn } from './parameters/validators.ts';
import { Registry } from './registry.ts';
import { resourceInfoOf } from './resource-info.ts';
import { isSymbolic } from './sections.ts';
import { declareVariables } from './variables.ts';

/** Evaluates parameters and variables of a template, and declares its resources. Problems are reported. */
export function declarePart(
  node: JsonNode,
  choice: ScopeChoice,
  shared: Shared,
  { depth, link }: { readonly depth: number; readonly link: string } = { depth: 0, link: '' },
): TemplatePart {
  let registry: Registry | undefined;
  const section = memberOf(node, 'resources');
  const known: Known = { depth, registry: () => registry, info: resourceInfoOf(section, () => declaring) };
  const scope =
    choice.kind === 'outer' ? outerScope(node, choice, shared, known) : checkedScope(node, choice, shared, known);
  const target = choice.kind === 'outer' ? choice.target : choice.values.scope;
  const instances: Instance[] = [];
  const loops = new Set<string>();
  const absent = new Map<string, Error>();
  const undecided: DecidedLater[] = [];
  const declaring: Declaring = {
    ...shared,
    scope,
    isSymbolic: isSymbolic(node),
    target,
    loops,
    absent,
    undecided,
    found: instances,
    nest: (instance, goesTo) =>
      new NestedDeployment(instance, {
        shared,
        depth: depth + 1,
        isSymbolic: isSymbolic(node),
        target: goesTo,
        link,
        declare: (inner, innerScope, innerLink) =>
          declarePart(inner, innerScope, shared, { depth: depth + 1, link: innerLink }),
      }),
  };
  declareResources(section, declaring);
  const declared = new Registry(instances, { shared, target, loops, absent });
  registry = declared;
  const isUndecided = undecided.length > 0;
  return { node, scope, instances, isUndecided, dependencies: (text) => declared.dependencies(text) };
}

/** What the environment of a template needs to know of it. */
interface Known {
  /** Levels of deployments around it. */
  readonly depth: number;
  readonly registry: () => Registry | undefined;
  readonly info: (name: string) => TemplateObject;
}

/** The scope of the template around it. Texts that are escaped for that one are evaluated in its own. */
function outerScope(
  node: JsonNode,
  { scope, own }: Extract<ScopeChoice, { kind: 'outer' }>,
  shared: Shared,
  known: Known,
): PartScope {
  let last: Environment | undefined;
  const environment: Environment = followedBy(scope.environment, () => {
    last ??= ownScope(node, own(), shared, { ...known, texts: () => environment }).environment;
    return last;
  });
  return { ...scope, environment };
}

/** An environment, with another one for the texts that are escaped for all of its own. */
function followedBy(environment: Environment, last: () => Environment): Environment {
  const { escapes } = environment;
  const next = () => (escapes ? followedBy(escapes.next(), last) : last());
  return { ...environment, escapes: { count: (escapes?.count ?? 0) + 1, next } };
}

/** The own scope of a template, all of whose parameters and variables are evaluated. */
function checkedScope(
  node: JsonNode,
  { escapes, ...own }: Extract<ScopeChoice, { kind: 'own' }>,
  shared: Shared,
  known: Known,
): PartScope {
  const { environment, checkAll } = ownScope(node, own, shared, { ...known, escapes });
  checkAll();
  return { environment, loops: new Map(), loop: undefined };
}

/** `texts` is the environment of the texts of parameters and variables, where it is another one. */
function ownScope(
  node: JsonNode,
  { values, given }: OwnScope,
  { run, problems }: Shared,
  {
    depth,
    registry,
    info,
    escapes = 0,
    texts,
  }: Known & { readonly escapes?: number; readonly texts?: () => Environment },
): { readonly environment: Environment; readonly checkAll: () => void } {
  const types = typesOf(
    node,
    satisfiesIn(() => around(), run),
  );
  const functions = declareFunctions(memberOf(node, 'functions'), types, problems);
  let shown: TemplateObject | undefined;
  const plain: Environment = {
    parameter: (name) => parameters.get(name),
    variable: (name) => variables.get(name),
    userFunction: (namespace, name) => functions.get(`${namespace}.${name}`.toLowerCase()),
    reference: (name, hasVersion, current) => {
      const known = registry();
      if (!known) throw new TemplateError('Evaluation', 'Resources are not known here yet');
      return known.reference(name, hasVersion, current);
    },
    references: (name, current) => registry()?.references(name, current) ?? [],
    resourceInfo: info,
    deployment: () => {
      shown ??= deploymentOf(values.deployment, node, [...given.keys()], (name) => parameters.get(name));
      return shown;
    },
    context: values,
  };
  // A template around it of the outer scope has the texts of this one evaluated before.
  const environment = Array.from({ length: escapes }).reduce<Environment>(
    (made) => followedBy(made, () => plain),
    plain,
  );
  const around = texts ?? (() => environment);
  const parameters = declareParameters(memberOf(node, 'parameters'), given, around, run, problems, types, depth > 0);
  const variables = declareVariables(memberOf(node, 'variables'), around, run, problems);
  const checkAll = () => {
    parameters.checkAll();
    variables.checkAll();
  };
  return { environment, checkAll };
}

/** The value of `deployment()`, with the template and the parameters that were given. */
function deploymentOf(
  deployment: TemplateObject,
  node: JsonNode,
  given: readonly string[],
  parameter: (name: string) => TemplateValue,
): TemplateObject {
  const declared = given.filter((name) => memberOf(memberOf(node, 'parameters'), name));
  const parameters = templateObject(declared.map((name) => [name, templateObject([['value', parameter(name)]])]));
  const properties = Object.entries(deployment['properties'] as TemplateObject);
  return templateObject([
    ...Object.entries(deployment),
    ['properties', templateObject([...properties, ['template', nodeValue(node)], ['parameters', parameters]])],
  ]);
}
