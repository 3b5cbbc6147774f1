import type { Environment, Run } from '../../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { templateLimits } from '../../limits.ts';
import { AlreadyReported, didYouMean, nowhere, type Problems, quoted, TemplateError } from '../../problems.ts';
import { isTemplateObject, type TemplateValue } from '../../values/value.ts';
import { Declarations } from '../declarations.ts';
import { evaluateTree } from '../tree.ts';
import { isSecureType, type Types } from './types.ts';

/** The parameters of a template: the values that are given, or the defaults. Each is evaluated once, when it is asked for. */
export function declareParameters(
  section: JsonNode | undefined,
  given: ReadonlyMap<string, TemplateValue>,
  environment: () => Environment,
  run: Run,
  problems: Problems,
  types: Types,
  isNested: boolean,
): Declarations {
  const nodes = section?.kind === 'object' ? section.members : new Map<string, JsonNode>();
  const declared = new Set([...nodes.keys()].map((name) => name.toLowerCase()));
  for (const name of given.keys()) {
    if (!declared.has(name.toLowerCase())) {
      const path = { ...nowhere, path: `parameters.${name.slice(0, 100)}` };
      problems.add(
        'Parameter',
        path,
        `The template has no parameter ${quoted(name)}: remove the value or correct its name`,
        { hint: () => didYouMean(name, nodes.keys()) },
      );
    }
  }
  if (nodes.size > templateLimits.parameters && section) {
    const message = `The template has ${nodes.size} parameters, at most ${templateLimits.parameters} are allowed: use objects`;
    problems.add('Limit', section, message);
  }
  const byLower = new Map([...given].map(([name, value]) => [name.toLowerCase(), value]));
  return new Declarations('parameter', nodes, problems, (name, node) =>
    parameterValue(name, node, byLower.get(name.toLowerCase()), environment(), { run, problems, types, isNested }),
  );
}

/** Parts of the evaluation of parameters. */
interface Evaluation {
  readonly run: Run;
  readonly problems: Problems;
  readonly types: Types;
  /** Of a deployment inside of a template: its values say themselves which parts are secrets. */
  readonly isNested: boolean;
}

function parameterValue(
  name: string,
  node: JsonNode,
  given: TemplateValue | undefined,
  environment: Environment,
  evaluation: Evaluation,
): TemplateValue {
  const { problems, types, isNested } = evaluation;
  const isNullable = types.isNullable(node);
  checkMembers(name, node, types, problems);
  const fallback = memberOf(node, 'defaultValue');
  let value = given === null && !isNullable && fallback ? undefined : given;
  if (value === undefined) {
    if (!fallback && !isNullable) {
      throw new TemplateError(
        'Parameter',
        `The value for the template parameter ${quoted(name)} is not provided: give one`,
      );
    }
    value = fallback ? defaultValue(fallback, environment, evaluation) : null;
  }
  // A literal null as the default is the value of a parameter that is left out, whatever its type.
  if (given === undefined && fallback?.kind === 'null') return null;
  const wrong = types.problems(value, node, name);
  for (const { path, text } of wrong) {
    problems.add('Parameter', node, `The value of the parameter ${quoted(path)} ${text}`);
  }
  if (wrong.length > 0) throw new AlreadyReported();
  // Other members of a secure object, such as the names of secrets, are names of resources in many modules.
  if (isNested && given !== undefined && isTemplateObject(value) && isSecureType(types.nameOf(node))) return value;
  // The template shows an empty default to all readers, so that it hides nothing of what it is merged with.
  if (given === undefined && isTemplateObject(value) && Object.keys(value).length === 0) return value;
  return types.secured(value, node);
}

function defaultValue(node: JsonNode, environment: Environment, { run, problems }: Evaluation): TemplateValue {
  const before = problems.failures;
  const scope = { environment, place: 'default of a parameter', loops: new Map(), loop: undefined } as const;
  const value = evaluateTree(node, scope, run, problems);
  if (problems.failures > before) throw new AlreadyReported();
  return value;
}

const parameterMembers = [
  ...['type', 'defaultValue', 'allowedValues', 'minValue', 'maxValue', 'minLength', 'maxLength', 'metadata'],
  ...['$ref', 'nullable', 'items', 'properties', 'additionalProperties', 'prefixItems', 'discriminator'],
  'validate',
];

/** Reports members that are not supported. */
function checkMembers(name: string, node: JsonNode, types: Types, problems: Problems): void {
  for (const [member, at] of types.unknownMembers(node, ['defaultvalue'])) {
    const needs = /^(?:\$ref|nullable|items|prefixItems|properties|additionalProperties|discriminator|validate)$/i.test(
      member,
    )
      ? 'needs languageVersion 2.0'
      : `is not supported: remove it${didYouMean(member, parameterMembers)}`;
    problems.add('Unsupported', at, `${quoted(member)} of the parameter ${quoted(name)} ${needs}`);
  }
}
