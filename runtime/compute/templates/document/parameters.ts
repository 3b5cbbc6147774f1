import { SecretValue } from '../../../base/secret-value.ts';
import type { Environment, Run } from '../evaluation/scope.ts';
import { sameAs } from '../functions/logic.ts';
import { nodeValue } from '../functions/node-value.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { AlreadyReported, nowhere, type Problems, quoted, TemplateError } from '../problems.ts';
import {
  isSecretReference,
  isTemplateArray,
  isTemplateObject,
  secretOf,
  type TemplateValue,
  typeOf,
  Unknown,
} from '../values/value.ts';
import { infoOf, revealSecrets } from '../values/value-info.ts';
import { Declarations } from './declarations.ts';
import { evaluateTree } from './tree.ts';

const types = ['string', 'securestring', 'int', 'bool', 'object', 'secureobject', 'array'] as const;
const constraints = ['minValue', 'maxValue', 'minLength', 'maxLength'] as const;
const known = new Set([
  'type',
  'defaultvalue',
  'allowedvalues',
  'metadata',
  ...constraints.map((name) => name.toLowerCase()),
]);

/** Whether a parameter or output of this type has a secret. */
export const isSecureType = (type: string): boolean => /^secure(?:string|object)$/i.test(type);

/** Whether a value has a type of the language; secrets by their hidden value, unknown values and references always. */
export function hasType(value: TemplateValue, type: string): boolean {
  const open = value instanceof SecretValue ? value.reveal() : value;
  if (open instanceof Unknown) return true;
  const wanted = type.toLowerCase();
  if (isSecretReference(open)) return /^(?:secure)?(?:string|object)$/.test(wanted);
  if (wanted === 'array') return isTemplateArray(open);
  if (wanted === 'object' || wanted === 'secureobject') return isTemplateObject(open);
  if (wanted === 'string' || wanted === 'securestring') return typeof open === 'string';
  return wanted === typeOf(open);
}

/** The parameters of a template: the values that are given, or the defaults. Each is evaluated once, when it is asked for. */
export function declareParameters(
  section: JsonNode | undefined,
  given: ReadonlyMap<string, TemplateValue>,
  environment: () => Environment,
  run: Run,
  problems: Problems,
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
      );
    }
  }
  if (nodes.size > templateLimits.parameters && section) {
    const message = `The template has ${nodes.size} parameters, at most ${templateLimits.parameters} are allowed: use objects`;
    problems.add('Limit', section, message);
  }
  const byLower = new Map([...given].map(([name, value]) => [name.toLowerCase(), value]));
  return new Declarations('parameter', nodes, problems, (name, node) =>
    parameterValue(name, node, byLower.get(name.toLowerCase()), environment(), run, problems),
  );
}

function parameterValue(
  name: string,
  node: JsonNode,
  given: TemplateValue | undefined,
  environment: Environment,
  run: Run,
  problems: Problems,
): TemplateValue {
  const type = declaredType(name, node, problems);
  let value = given;
  if (value === undefined) {
    const fallback = memberOf(node, 'defaultValue');
    if (!fallback) {
      throw new TemplateError(
        'Parameter',
        `The value for the template parameter ${quoted(name)} is not provided: give one`,
      );
    }
    const before = problems.list.length;
    const scope = { environment, place: 'default of a parameter', loops: new Map(), loop: undefined } as const;
    value = evaluateTree(fallback, scope, run, problems);
    if (problems.list.length > before) throw new AlreadyReported();
  }
  check(name, type, node, value, problems);
  return isSecureType(type) && !isSecretReference(value) ? secretOf(value) : value;
}

function declaredType(name: string, node: JsonNode, problems: Problems): string {
  const type = memberOf(node, 'type');
  const found = type?.kind === 'string' ? type.value.toLowerCase() : undefined;
  if (!types.some((each) => each === found)) {
    throw new TemplateError('Structure', `The parameter ${quoted(name)} needs a type: ${types.join(', ')}`);
  }
  for (const [member, at] of node.kind === 'object' ? node.members : []) {
    if (!known.has(member.toLowerCase())) {
      problems.add('Unsupported', at, `${quoted(member)} of a parameter is not supported: remove it`);
    }
  }
  return found as string;
}

/** Reports the constraints that a value breaks; the value of a secure parameter is in no message. */
function check(name: string, type: string, node: JsonNode, value: TemplateValue, problems: Problems): void {
  if (!hasType(value, type)) {
    const message = `The value of the parameter ${quoted(name)} has type ${typeOf(value)}, and must have type ${type}`;
    throw new TemplateError('Parameter', message);
  }
  const info = infoOf(value);
  if (info.unknown || info.reference) return;
  const open = revealSecrets(value);
  const allowed = memberOf(node, 'allowedValues');
  const same = sameAs(open);
  if (allowed?.kind === 'array' && !allowed.items.some((item) => same(nodeValue(item)))) {
    const values = allowed.items.slice(0, 50).map((item) => String(JSON.stringify(nodeValue(item))).slice(0, 100));
    const isSecret = info.secret || isSecureType(type);
    const provided = isSecret ? 'The provided value' : `The provided value ${quoted(String(JSON.stringify(open)))}`;
    const place = `for the template parameter ${quoted(name)} at line '${node.line}' and column '${node.column}' is not valid`;
    const why = 'The parameter value is not part of the allowed value(s)';
    problems.add('Parameter', node, `${provided} ${place}. ${why}${isSecret ? '' : `: '${values.join(',')}'`}.`);
    throw new AlreadyReported();
  }
  const length = typeof open === 'string' || isTemplateArray(open) ? open.length : undefined;
  for (const constraint of constraints) {
    const limit = memberOf(node, constraint);
    if (limit?.kind !== 'number') continue;
    const measured = constraint.endsWith('Length') ? length : typeof open === 'number' ? open : undefined;
    if (measured === undefined) continue;
    const isOutside = constraint.startsWith('min') ? measured < limit.value : measured > limit.value;
    if (!isOutside) continue;
    const shown = constraint.endsWith('Length') || !info.secret ? ` and is ${measured}` : '';
    const message = `The value of the parameter ${quoted(name)} is outside its ${constraint}, which is ${limit.value}${shown}`;
    problems.add('Parameter', node, message);
    throw new AlreadyReported();
  }
}
