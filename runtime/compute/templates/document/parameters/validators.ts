import { charactersOfStep, evaluateExpression } from '../../evaluation/evaluate.ts';
import type { Environment, Run } from '../../evaluation/scope.ts';
import { type Expression, isExpression, parseExpression } from '../../expressions/syntax.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { quoted, TemplateError } from '../../problems.ts';
import type { TemplateValue } from '../../values/value.ts';
import { infoOf, revealSecrets } from '../../values/value-info.ts';
import type { TypeProblem } from './constraints.ts';

/** Whether a value satisfies a lambda, by the text of the lambda. Throws TemplateError. */
export type Satisfies = (lambda: string, value: TemplateValue) => boolean;

/** Evaluates the lambdas of `validate`, which see the functions of the template and the value alone. */
export function satisfiesIn(environment: () => Environment, run: Run): Satisfies {
  const parsed = new Map<string, Rule>();
  return (text, value) => {
    const rule = parsed.get(text) ?? parseRule(text, run);
    parsed.set(text, rule);
    const lambdaVariables = new Map([[rule.variable, value]]);
    const place = 'default of a parameter' as const;
    const scope = { environment: environment(), place, loops: new Map(), loop: undefined, lambdaVariables };
    const holds = revealSecrets(evaluateExpression(rule.body, scope, run));
    if (typeof holds === 'boolean') return holds;
    throw new TemplateError('Evaluation', 'A `validate` lambda must return a Boolean');
  };
}

/** A lambda of `validate`: its variable in lower case, and what must hold. */
interface Rule {
  readonly variable: string;
  readonly body: Expression;
}

function parseRule(text: string, { budget }: Run): Rule {
  budget.step(Math.ceil(text.length / charactersOfStep));
  const lambda = isExpression(text) ? parseExpression(text) : undefined;
  const [name, body] = lambda?.kind === 'call' && lambda.name.toLowerCase() === 'lambda' ? lambda.args : [];
  if (name?.kind === 'literal' && typeof name.value === 'string' && body !== undefined)
    return { variable: name.value.toLowerCase(), body };
  throw new TemplateError(
    'Structure',
    `Expected \`validate\` to have a lambda with one variable, got ${quoted(text.slice(0, 100))}`,
  );
}

/** Which rules of `validate` a value breaks: lambdas, each with a message. A value with parts that are not known breaks none. */
export function validatorProblems(
  value: TemplateValue,
  node: JsonNode,
  path: string,
  satisfies: Satisfies | undefined,
): TypeProblem[] {
  const rules = memberOf(node, 'validate');
  const { unknown, reference } = infoOf(value);
  if (rules?.kind !== 'array' || !satisfies || unknown || reference) return [];
  return rules.items.flatMap((rule, index) => {
    if (index % 2 !== 0 || rule.kind !== 'string' || satisfies(rule.value, value)) return [];
    const message = rules.items[index + 1];
    return [{ path, text: `violates a rule: ${message?.kind === 'string' ? message.value : quoted(rule.value)}` }];
  });
}
