import type { Environment, Run } from '../evaluation/scope.ts';
import { type JsonNode, memberOf } from '../json/json-node.ts';
import { templateLimits } from '../limits.ts';
import { AlreadyReported, type Problems } from '../problems.ts';
import type { TemplateValue } from '../values/value.ts';
import { Declarations } from './declarations.ts';
import { evaluateTree, loopItems, withLoop } from './tree.ts';

/** The variables of a template; the member `copy` makes arrays of them. Each is evaluated once, at its first use. */
export function declareVariables(
  section: JsonNode | undefined,
  environment: () => Environment,
  run: Run,
  problems: Problems,
): Declarations {
  const nodes = new Map<string, JsonNode>();
  const loops = new Map<JsonNode, string>();
  for (const [name, node] of section?.kind === 'object' ? section.members : []) {
    if (name.toLowerCase() !== 'copy' || node.kind !== 'array') nodes.set(name, node);
    else {
      for (const loop of node.items) {
        const loopName = memberOf(loop, 'name');
        if (loopName?.kind !== 'string') problems.add('Structure', loop, 'A copy loop needs a name, which is a string');
        else nodes.set(loopName.value, loop);
        if (loopName?.kind === 'string') loops.set(loop, loopName.value);
      }
    }
  }
  if (nodes.size > templateLimits.variables && section) {
    const message = `The template has ${nodes.size} variables, at most ${templateLimits.variables} are allowed: use objects`;
    problems.add('Limit', section, message);
  }
  return new Declarations('variable', nodes, problems, (_, node) => {
    const scope = { environment: environment(), place: 'variable', loops: new Map(), loop: undefined } as const;
    const before = problems.failures;
    const name = loops.get(node);
    let value: TemplateValue;
    if (name === undefined) value = evaluateTree(node, scope, run, problems);
    else
      value = loopItems(node, 'input', { scope, run, report: problems }, (index) => withLoop(scope, name, index, true));
    if (problems.failures > before) throw new AlreadyReported();
    return value;
  });
}
