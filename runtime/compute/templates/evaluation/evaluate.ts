import { SecretValue } from '../../../base/secret-value.ts';
import { type Expression, isEscaped, isExpression, literalText, parseExpression } from '../expressions/syntax.ts';
import { type Call, deferred, type TemplateFunction } from '../functions/function-spec.ts';
import { findFunction, isContextFree, nearestFunction } from '../functions/function-table.ts';
import { nodeValue } from '../functions/node-value.ts';
import type { JsonNode } from '../json/json-node.ts';
import { quoted, TemplateError } from '../problems.ts';
import {
  isFromSecrets,
  isTemplateArray,
  isTemplateObject,
  SecretExpression,
  secretOf,
  type TemplateObject,
  type TemplateValue,
  templateObject,
  Unknown,
} from '../values/value.ts';
import { infoOf, revealSecrets, waitsFor, withoutWideIntegers } from '../values/value-info.ts';
import { asksWhetherEmpty, readsShape } from './over-secrets.ts';
import type { Run, Scope } from './scope.ts';

/** Characters of texts and arguments that cost one step. */
export const charactersOfStep = 16;

/** The value of a string of the template: of an expression, or the text itself. Throws TemplateError. */
export function evaluateText(text: string, scope: Scope, run: Run): TemplateValue {
  run.budget.step();
  const { escapes } = scope.environment;
  if (escapes && isEscaped(text))
    return evaluateText(literalText(text), { ...scope, environment: escapes.next() }, run);
  if (!isExpression(text)) return literalText(text);
  run.budget.step(Math.ceil(text.length / charactersOfStep));
  return writable(evaluateExpression(parseExpression(text), scope, run), scope);
}

/** The value of a whole string or number. Throws TemplateError for an integer that JSON cannot hold exactly. */
export function writable(value: TemplateValue, { place }: Scope): TemplateValue {
  return place === 'body of a resource' || place === 'output' ? withoutWideIntegers(value) : value;
}

/** The value of a parsed expression. Throws TemplateError. */
export function evaluateExpression(expression: Expression, scope: Scope, run: Run): TemplateValue {
  run.budget.step();
  return run.budget.nested(() => evaluatePart(expression, scope, run));
}

function evaluatePart(expression: Expression, scope: Scope, run: Run): TemplateValue {
  if (expression.kind === 'literal') return expression.value;
  const again = (later: unknown) => evaluateExpression(expression, scope, later as Run);
  if (expression.kind === 'access') {
    let value = evaluateExpression(expression.base, scope, run);
    for (const member of expression.members) {
      const key = typeof member === 'string' ? member : evaluateExpression(member, scope, run);
      value = access(value, key, expression.text, again, run);
    }
    return value;
  }
  const evaluateIn = (part: Expression, within: Scope) => evaluateExpression(part, within, run);
  const call: Call = { name: expression.name, text: expression.text, scope, run, again, evaluateIn };
  const result = expression.namespace === undefined ? callBuiltIn(expression, call) : callOwn(expression, call);
  const { size } = infoOf(result);
  if (typeof result === 'string') run.budget.produce(size);
  return result;
}

type CallExpression = Extract<Expression, { kind: 'call' }>;

function callBuiltIn({ name, args }: CallExpression, call: Call): TemplateValue {
  const spec = findFunction(name);
  if (!spec) {
    const near = nearestFunction(name.slice(0, 60));
    const hint = near === undefined ? 'docs/reference/templates.md lists those that are' : `did you mean '${near}'?`;
    throw new TemplateError('Unsupported', `The template function '${name.slice(0, 60)}' is not supported: ${hint}`);
  }
  checkCall(spec, args.length, call);
  const { scope, run } = call;
  if (spec.kind === 'lazy')
    return spec.evaluate(
      args.map((arg) => () => evaluateExpression(arg, scope, run)),
      call,
    );
  if (spec.kind === 'syntax') return spec.evaluate(args, call);
  const values = args.map((arg) => evaluateExpression(arg, scope, run));
  const result = spec.kind === 'passes' ? spec.evaluate(values, call) : apply(spec, values, call);
  if (typeof result === 'object' && result !== null && !values.includes(result)) chargeNew(result, run);
  return result;
}

/** A new object costs its own members; parts that it shares with others cost nothing. */
function chargeNew(value: TemplateValue, run: Run): void {
  if (isTemplateArray(value)) run.budget.step(Math.ceil(value.length / 8));
  else if (isTemplateObject(value)) run.budget.step(Math.ceil(Object.keys(value).length / 8));
}

function checkCall(spec: TemplateFunction, count: number, call: Call): void {
  const [least, most = Number.POSITIVE_INFINITY] = spec.arity;
  if (count < least || count > most) {
    const wanted =
      least === most ? `${least}` : `${least} ${most === Number.POSITIVE_INFINITY ? 'or more' : `to ${most}`}`;
    throw new TemplateError('Evaluation', `The function '${call.name}' takes ${wanted} arguments, and got ${count}`);
  }
  if (spec.places && !spec.places.includes(call.scope.place)) {
    const azure = `The template function '${call.name.toUpperCase()}' is not expected at this location`;
    const message = `${azure}, ${withArticle(call.scope.place)}: it may stand in ${spec.places.map(withArticle).join(', or ')}`;
    throw new TemplateError('Evaluation', message);
  }
}

function withArticle(place: string): string {
  if (place.startsWith('body of')) return `the ${place}`;
  return /^[aeiou]/.test(place) ? `an ${place}` : `a ${place}`;
}

/** Calls a function of plain values: unknown arguments make an unknown result, secret ones a secret result. */
function apply(
  spec: TemplateFunction & { kind?: 'plain' },
  values: readonly TemplateValue[],
  call: Call,
): TemplateValue {
  const infos = values.map(infoOf);
  const size = infos.reduce((sum, info) => sum + info.size, 0);
  call.run.budget.step(Math.ceil(size / charactersOfStep));
  const hasSpecial = infos.some(({ reference, secret, unknown }) => reference || secret || unknown);
  if (!hasSpecial || readsShape(call.name, values, call.run.budget)) return spec.evaluate(values, call);
  const isUnknown = infos.some(({ unknown }) => unknown);
  if (infos.some(({ reference }) => reference)) {
    if (!isUnknown && asksWhetherEmpty(call.name, values)) return false;
    if (isContextFree(call.name)) return deferred(values, call);
    const message = `The function '${call.name}' needs more than its arguments, so it cannot take a value that the operator reads later`;
    throw new TemplateError('ManagedSecret', message);
  }
  const isSecret = infos.some(({ secret }) => secret);
  if (isUnknown) {
    return new Unknown(call.text, values.flatMap(waitsFor), call.again, { isSecret });
  }
  try {
    const result = spec.evaluate(values.map(revealSecrets), call);
    return asksWhetherEmpty(call.name, values) ? result : secretOf(result);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError(
      error.problem,
      `The function '${call.name}' fails; the reason is not shown, as a value is a secret`,
    );
  }
}

/** Calls a function of the template: its parameters are the arguments, and it sees nothing else. */
function callOwn({ namespace = '', name, args }: CallExpression, call: Call): TemplateValue {
  const { scope, run } = call;
  const shown = `${namespace}.${name}`.slice(0, 120);
  const own = scope.environment.userFunction(namespace, name);
  if (!own) {
    throw new TemplateError(
      'Evaluation',
      `The template function '${shown}' is not valid: define it under functions, outside of functions`,
    );
  }
  if (own.parameters.length !== args.length) {
    const message = `The function '${shown}' takes ${own.parameters.length} arguments, and got ${args.length}`;
    throw new TemplateError('Evaluation', message);
  }
  const values = new Map<string, TemplateValue>();
  for (const [index, { name: parameter, problem }] of own.parameters.entries()) {
    const value = evaluateExpression(args[index] as Expression, scope, run);
    const wrong = problem(value);
    if (wrong !== undefined)
      throw new TemplateError('Evaluation', `The function '${shown}' got a wrong value: ${wrong}`);
    values.set(parameter.toLowerCase(), value);
  }
  const environment = {
    ...environmentOf(scope),
    parameter: (wanted: string) => {
      const value = values.get(wanted.toLowerCase());
      if (value !== undefined) return value;
      throw new TemplateError('Evaluation', `The function '${shown}' has no parameter ${quoted(wanted)}`);
    },
    userFunction: own.mayCall ? scope.environment.userFunction.bind(scope.environment) : () => undefined,
  };
  return evaluateNode(
    own.value,
    { environment, place: 'function of the template', loops: new Map(), loop: undefined },
    run,
  );
}

function environmentOf({ environment }: Scope) {
  return {
    variable: (name: string) => environment.variable(name),
    reference: environment.reference.bind(environment),
    references: environment.references.bind(environment),
    resourceInfo: environment.resourceInfo.bind(environment),
    deployment: environment.deployment.bind(environment),
    context: environment.context,
  };
}

/** A member or an item of a value. Throws TemplateError for one that does not exist. */
function access(
  value: TemplateValue,
  key: TemplateValue,
  text: string,
  again: (run: unknown) => TemplateValue,
  run: Run,
): TemplateValue {
  run.budget.step();
  if (value instanceof Unknown || key instanceof Unknown) {
    const isSecret = infoOf(value).secret || infoOf(key).secret;
    return new Unknown(text, [...waitsFor(value), ...waitsFor(key)], again, { isSecret });
  }
  if (value instanceof SecretValue || key instanceof SecretValue) {
    try {
      return secretOf(access(revealSecrets(value), revealSecrets(key), text, again, run));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw new TemplateError(
        'Evaluation',
        `${quoted(text)} does not exist; the reason is not shown, as a value is a secret`,
      );
    }
  }
  if (isFromSecrets(value)) return new SecretExpression(undefined, [value, key]);
  if (isTemplateArray(value)) return item(value, key, text);
  if (!isTemplateObject(value) || typeof key !== 'string') {
    throw new TemplateError('Evaluation', `${quoted(text)} takes a member of a value that has none`);
  }
  if (Object.hasOwn(value, key)) return member(value, key, run);
  const names = Object.keys(value);
  run.budget.step(Math.ceil(names.length / 8));
  const lower = key.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === lower);
  if (found !== undefined) return member(value, found, run);
  const some = names.slice(0, 20).map((name) => name.slice(0, 60));
  const message = `The language expression property ${quoted(key)} doesn't exist, available properties are '${some.join(', ')}'`;
  throw new TemplateError('Evaluation', message, { near: [key, names] });
}

function member(value: TemplateObject, name: string, run: Run): TemplateValue {
  const found = value[name] as TemplateValue;
  run.reads?.read(value, name, found);
  return found;
}

function item(items: readonly TemplateValue[], key: TemplateValue, text: string): TemplateValue {
  const found = typeof key === 'number' && Number.isInteger(key) ? items[key] : undefined;
  if (found !== undefined) return found;
  const message = `${quoted(text)} takes ${typeof key === 'number' ? `item ${key}` : 'a member'} of an array of ${items.length} items`;
  throw new TemplateError('Evaluation', message);
}

/** The value of a node whose strings are expressions, without copy loops. Throws TemplateError for the first problem. */
export function evaluateNode(node: JsonNode, scope: Scope, run: Run): TemplateValue {
  run.budget.position = node;
  run.budget.step();
  if (node.kind === 'string') return evaluateText(node.value, scope, run);
  if (node.kind === 'array') return node.items.map((each) => evaluateNode(each, scope, run));
  if (node.kind !== 'object') return nodeValue(node);
  return templateObject([...node.members].map(([name, member]) => [name, evaluateNode(member, scope, run)]));
}
