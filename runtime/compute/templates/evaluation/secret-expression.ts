/** The text of values that are made of Secrets, and their values once the Secrets are read. */
import { SecretValue } from '../../../base/secret-value.ts';
import { type Expression, isExpression, parseExpression } from '../expressions/syntax.ts';
import { isContextFree } from '../functions/function-table.ts';
import { TemplateError } from '../problems.ts';
import type { Budget } from '../values/budget.ts';
import {
  fromJson,
  isSourceReference,
  isTemplateArray,
  isTemplateObject,
  SecretExpression,
  type SourceReference,
  type TemplateValue,
  Unknown,
} from '../values/value.ts';
import { revealSecrets, withoutWideIntegers } from '../values/value-info.ts';
import { evaluateExpression } from './evaluate.ts';
import type { Environment, Run } from './scope.ts';

/** A value that an expression is made of: of a Secret, or a secret without one yet. */
export type SecretSource = SourceReference | SecretValue<TemplateValue>;

/** The expression with its brackets, and the sources of `parameters('secret0')` and so on, each once. */
export function textOfSecret(value: TemplateValue): {
  readonly expression: string;
  readonly sources: readonly SecretSource[];
} {
  const sources: SecretSource[] = [];
  const parameter = (source: SecretSource): string => {
    const isSame = (each: SecretSource) =>
      each === source ||
      (isSourceReference(each) && isSourceReference(source) && JSON.stringify(each) === JSON.stringify(source));
    let index = sources.findIndex(isSame);
    if (index < 0) index = sources.push(source) - 1;
    return `parameters('secret${index}')`;
  };
  const text = (part: TemplateValue): string => {
    if (isSourceReference(part)) return parameter(part);
    if (part instanceof SecretValue) {
      const open = part.reveal() as TemplateValue;
      if (typeof open === 'string') return parameter(part);
      return open === null ? 'null()' : `json(${parameter(part)})`;
    }
    if (part instanceof SecretExpression) {
      const args = part.args.map(text);
      return part.function === undefined ? `${args[0]}[${args[1]}]` : `${part.function}(${args.join(', ')})`;
    }
    if (part === null || typeof part === 'boolean') return `${part}()`;
    if (typeof part === 'string') return `'${part.replaceAll("'", "''")}'`;
    if (typeof part === 'number' || typeof part === 'bigint') return numberText(part);
    if (isTemplateArray(part)) return `createArray(${part.map(text).join(', ')})`;
    if (isTemplateObject(part)) {
      const members = Object.entries(part).map(([name, member]) => `${text(name)}, ${text(member)}`);
      return `createObject(${members.join(', ')})`;
    }
    throw new TemplateError(
      'Secret',
      'The value is made of a Secret and of a reference of another kind: use one of them',
    );
  };
  return { expression: `[${text(value)}]`, sources };
}

function numberText(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : `json('${value}')`;
}

/**
 * The value of such a text. Only functions that depend on their arguments alone may stand in it. Throws TemplateError, and
 * TemplateStop when the budget is used up; no message has a part of a secret.
 */
export function valueOfSecret(expression: string, secrets: readonly unknown[], budget: Budget): unknown {
  if (!isExpression(expression)) throw new TemplateError('Expression', 'An expression over Secrets stands in brackets');
  const parsed = parseExpression(expression);
  checkCalls(parsed);
  const none = () => {
    throw new TemplateError('Evaluation', 'Only parameters of secrets may stand here');
  };
  const environment: Environment = {
    parameter: (name) => {
      const value = secrets[Number(/^secret(\d{1,3})$/i.exec(name)?.[1] ?? Number.NaN)];
      return value === undefined ? none() : new SecretValue<TemplateValue>(read(value));
    },
    variable: none,
    userFunction: () => undefined,
    reference: none,
    references: none,
    resourceInfo: none,
    deployment: none,
    // No function that reads it may stand in the text.
    context: undefined as never,
  };
  const run: Run = { budget, known: new Map(), edges: new Set() };
  const scope = { environment, place: 'body of a resource', loops: new Map(), loop: undefined } as const;
  const value = evaluateExpression(parsed, scope, run);
  return value instanceof Unknown ? none() : withoutWideIntegers(revealSecrets(value));
}

function checkCalls(expression: Expression): void {
  if (expression.kind === 'access') {
    checkCalls(expression.base);
    for (const member of expression.members) if (typeof member !== 'string') checkCalls(member);
  }
  if (expression.kind !== 'call') return;
  const isParameter = expression.name.toLowerCase() === 'parameters';
  if (expression.namespace !== undefined || !(isParameter || isContextFree(expression.name))) {
    const message = `The function '${expression.name.slice(0, 60)}' may not stand in an expression over Secrets`;
    throw new TemplateError('Unsupported', message);
  }
  for (const each of expression.args) checkCalls(each);
}

function read(value: unknown): TemplateValue {
  try {
    return fromJson(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TemplateError('Evaluation', `A value is refused: ${error.message}`);
  }
}
