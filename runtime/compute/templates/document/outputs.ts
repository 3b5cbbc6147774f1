import type { Run, Scope } from '../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { DecidedLater, type Problems, quoted, TemplateError } from '../problems.ts';
import { secretOf, type TemplateValue } from '../values/value.ts';
import { revealSecrets } from '../values/value-info.ts';
import { isSecureType, type Types, typesOf } from './parameters/types.ts';
import { satisfiesIn } from './parameters/validators.ts';
import { attempt, evaluateTree, isDecidedLater, loopItems, withLoop } from './tree.ts';

/** An output: its type, and its value with unknown parts. */
export interface ExpandedOutput {
  readonly type: string;
  readonly value: TemplateValue;
}

/** The outputs of a template, those with a false condition left out. Problems are reported. */
export function evaluateOutputs(
  template: JsonNode,
  around: Pick<Scope, 'environment' | 'loops' | 'loop'>,
  run: Run,
  problems: Problems,
): Readonly<Record<string, ExpandedOutput>> {
  const section = memberOf(template, 'outputs');
  const types = typesOf(
    template,
    satisfiesIn(() => around.environment, run),
  );
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
    const output = attempt(node, problems, () => outputOf(name, node, scope, { run, problems, types }));
    if (output) made[name] = output;
  }
  return made;
}

function outputOf(
  name: string,
  node: JsonNode,
  scope: Scope,
  { run, problems, types }: { readonly run: Run; readonly problems: Problems; readonly types: Types },
): ExpandedOutput | undefined {
  const type = types.nameOf(node);
  const copy = memberOf(node, 'copy');
  const content = memberOf(node, 'value') ?? memberOf(copy, 'input');
  if (!content) throw new TemplateError('Structure', `The output ${quoted(name)} needs a type and a value`);
  const member = memberOf(node, 'condition');
  const early: Scope = { ...scope, place: 'value that must be known before the deployment' };
  const condition = revealSecrets((member && evaluateTree(member, early, run, undefined)) ?? true);
  if (isDecidedLater(condition)) throw new DecidedLater('condition of an output', condition);
  if (typeof condition !== 'boolean')
    throw new TemplateError('Structure', 'The condition of an output must be a bool that is known');
  if (!condition) return undefined;
  const before = problems.failures;
  const place = { scope, run, report: problems };
  const value: TemplateValue = copy
    ? loopItems(copy, content, place, (index) => withLoop(scope, '', index, true))
    : evaluateTree(content, scope, run, problems);
  if (problems.failures > before) return undefined;
  const [wrong] = types.problems(value, node, name);
  if (wrong) throw new TemplateError('Structure', `The output ${quoted(wrong.path)} ${wrong.text}`);
  return { type, value: isSecureType(type) && value !== null ? secretOf(value) : types.secured(value, node) };
}
