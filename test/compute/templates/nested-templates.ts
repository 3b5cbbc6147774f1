/** Templates with deployments inside. */
import type { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { $schema } from './support.ts';

export const short = (id: string) => id.split('/').at(-1);
export const edges = ({ resources }: ReturnType<typeof expandTemplate>) =>
  Object.fromEntries(resources.map(({ name, dependsOn }) => [name, dependsOn.map(short)]));
export const resource = (name: string, more: object = {}) => ({ type: 'X/r', apiVersion: '1', name, ...more });
export const template = (parts: object) => ({ $schema, contentVersion: '1.0.0.0', resources: [], ...parts });

/** A deployment inside of a template, whose template has these parts. */
export const deployment = (
  name: string,
  parts: object,
  { properties = {}, ...more }: Record<string, unknown> = {},
) => ({
  type: 'Microsoft.Resources/deployments',
  apiVersion: '2022-09-01',
  name,
  ...more,
  properties: { mode: 'Incremental', template: template(parts), ...(properties as object) },
});
export const inner = (parameters: object = {}) => ({ expressionEvaluationOptions: { scope: 'inner' }, parameters });
