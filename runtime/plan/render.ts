import { escaped } from '../base/text/printable.ts';
import { toYaml } from '../base/text/to-yaml.ts';
import type { Plan } from '../compute/plan/change.ts';
import type { PlanForm } from './config.ts';
import { renderMermaid, renderSvg } from './render-graph.ts';
import { renderText } from './render-text.ts';

/** The plan in a form for people or programs. */
export function renderPlan(plan: Plan, form: PlanForm, options: { readonly colours: boolean }): string {
  switch (form) {
    case 'json':
      return escaped(JSON.stringify(dataOf(plan), undefined, 2));
    case 'yaml':
      return toYaml(dataOf(plan));
    case 'name':
      return changesOf(plan)
        .map(({ key }) => nameOf(key))
        .join('\n');
    case 'mermaid':
      return renderMermaid(plan);
    case 'svg':
      return renderSvg(plan);
    default:
      return renderText(plan, options);
  }
}

/** As kubectl names it: `virtualmachine.compute.azure.com/web`. */
const nameOf = (key: string) => key.replace(/^[^/]*/, (kind) => kind.toLowerCase());

const changesOf = ({ changes }: Plan) => changes.filter(({ action }) => action !== 'None');

/** The answer of a what-if of Azure stands beside the members of the plan. */
const dataOf = ({ whatIf, ...rest }: Plan) => ({ ...rest, ...whatIf });

/** Whether applying the manifests would change something. */
export function hasChanges(plan: Plan): boolean {
  return changesOf(plan).length > 0;
}
