import type { Run, Scope } from '../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { type Problems, quoted, TemplateError } from '../problems.ts';
import { secretOf, type TemplateValue, typeOf } from '../values/value.ts';
import { hasType, isSecureType } from './parameters.ts';
import { attempt, evaluateTree, loopCount, withLoop } from './tree.ts';

/** An output: its type, and its value with unknown parts. */
export interface ExpandedOutput {
  readonly type: string;
  readonly value: TemplateValue;
}

/** The outputs of a template, those with a false condition left out. Problems are reported. */
export function evaluateOutputs(
  section: JsonNode | undefined,
  around: Pick<Scope, 'environment' | 'loops' | 'loop'>,
  run: Run,
  problems: Problems,
): Readonly<Record<string, ExpandedOutput>> {
  const made: Record<string, ExpandedOutput> = Object.create(null);
  if (section?.kind !== 'object') return made;
  if (section.members.size > templateLimits.outputs) {
    problems.add(
      'Limit',
      section,
      `The template has ${section.members.size} outputs, at most ${templateLimits.outputs} are allowed`,
    );
  }
  const scope: Scope = { ...around, place: 'output' };
  for (const [name, node] of section.members) {
    const output = attempt(node, problems, () => outputOf(name, node, scope, run, problems));
    if (output) made[name] = output;
  }
  return made;
}

function outputOf(
  name: string,
  node: JsonNode,
  scope: Scope,
  run: Run,
  problems: Problems,
): ExpandedOutput | undefined {
  const type = memberOf(node, 'type');
  const copy = memberOf(node, 'copy');
  const content = memberOf(node, 'value') ?? memberOf(copy, 'input');
  if (type?.kind !== 'string' || !content)
    throw new TemplateError('Structure', `The output ${quoted(name)} needs a type and a value`);
  const condition = memberOf(node, 'condition');
  const early: Scope = { ...scope, place: 'value that must be known before the deployment' };
  if (condition && evaluateTree(condition, early, run, undefined) === false) return undefined;
  const before = problems.list.length;
  let value: TemplateValue;
  if (copy) {
    const count = loopCount(memberOf(copy, 'count'), scope, run);
    value = Array.from({ length: count }, (_, index) =>
      evaluateTree(content, withLoop(scope, '', index, true), run, problems),
    );
  } else value = evaluateTree(content, scope, run, problems);
  if (problems.list.length > before) return undefined;
  if (!hasType(value, type.value)) {
    throw new TemplateError(
      'Structure',
      `The output ${quoted(name)} has type ${typeOf(value)}, and must have type ${type.value}`,
    );
  }
  return { type: type.value, value: isSecureType(type.value) ? secretOf(value) : value };
}
