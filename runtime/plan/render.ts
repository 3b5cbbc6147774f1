import { escaped } from '../base/text/printable.ts';
import type { Plan } from '../compute/plan/change.ts';
import type { PlanForm } from './config.ts';
import { renderMermaid, renderSvg } from './render-graph.ts';
import { renderText } from './render-text.ts';

/** The plan in a form for people or programs. */
export function renderPlan(plan: Plan, form: PlanForm, options: { readonly colours: boolean }): string {
  switch (form) {
    case 'json': {
      const { whatIf, ...rest } = plan;
      return escaped(JSON.stringify({ ...rest, ...whatIf }, undefined, 2));
    }
    case 'mermaid':
      return renderMermaid(plan);
    case 'svg':
      return renderSvg(plan);
    default:
      return renderText(plan, options);
  }
}

/** Whether applying the manifests would change something. */
export function hasChanges({ changes }: Plan): boolean {
  return changes.some(({ action }) => action !== 'None');
}
