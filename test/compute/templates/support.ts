import type { TemplateContext } from '../../../runtime/compute/templates/document/context.ts';
import { groupScope } from '../../../runtime/compute/templates/document/deployments/deployment-scope.ts';
import { evaluateText } from '../../../runtime/compute/templates/evaluation/evaluate.ts';
import type { Environment, KnownAnswer, Place, Run } from '../../../runtime/compute/templates/evaluation/scope.ts';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { TemplateError } from '../../../runtime/compute/templates/problems.ts';
import { Budget } from '../../../runtime/compute/templates/values/budget.ts';
import { fromJson, type TemplateObject, type TemplateValue } from '../../../runtime/compute/templates/values/value.ts';

export const subscriptionId = '00000000-0000-0000-0000-000000000000';
export const groupId = `/subscriptions/${subscriptionId}/resourceGroups/rg`;

export const context: TemplateContext = {
  subscription: { subscriptionId, tenantId: 't' },
  resourceGroup: { name: 'rg', location: 'westeurope' },
  deployment: { name: 'd' },
  now: 0,
  newGuid: () => 'g',
};

/** The deployment of the public templates and of the cases of the language. */
export const caseContext: TemplateContext = {
  subscription: { subscriptionId, tenantId: '11111111-1111-1111-1111-111111111111' },
  managementGroup: { name: 'mg1' },
  resourceGroup: { name: 'rg1', location: 'westeurope' },
  deployment: { name: 'main' },
  now: 0,
  newGuid: () => '22222222-2222-2222-2222-222222222222',
};

export const $schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';

/** Expands a template of these parts. */
export const expand = (parts: object, parameters: TemplateContext['parameters'] = {}) =>
  expandTemplate(JSON.stringify({ $schema, contentVersion: '1.0.0.0', resources: [], ...parts }), {
    ...context,
    parameters,
  });
/** A run with answers by ARM id. */
export function run(known: Readonly<Record<string, KnownAnswer>> = {}): Run {
  const answers = new Map(Object.entries(known).map(([id, answer]) => [id.toLowerCase(), answer]));
  return { budget: new Budget(), known: answers, edges: new Set() };
}

/** What expressions see: these parameters, and any id or name as a resource. */
export function environment(parameters: Readonly<Record<string, TemplateValue>> = {}): Environment {
  return {
    parameter: (name) => {
      const value = parameters[name];
      if (value === undefined) throw new TemplateError('Evaluation', `no parameter ${name}`);
      return value;
    },
    variable: (name) => `variable ${name}`,
    userFunction: () => undefined,
    references: () => [],
    resourceInfo: (name) => fromJson({ name }) as TemplateObject,
    reference: (name) => ({ kind: 'resource', id: `${groupId}/providers/X/a/${name}` }),
    deployment: () => fromJson({ name: 'd' }) as TemplateObject,
    context: {
      subscriptionId,
      scope: groupScope(subscriptionId, 'rg'),
      root: { resourceGroup: { name: 'rg', location: 'westeurope' }, subscriptionId, displayName: subscriptionId },
      managementGroup: undefined,
      resourceGroup: fromJson({ id: groupId, name: 'rg', location: 'westeurope' }) as TemplateObject,
      subscription: fromJson({ id: `/subscriptions/${subscriptionId}`, subscriptionId }) as TemplateObject,
      tenant: fromJson({ tenantId: 't' }) as TemplateObject,
      deployment: fromJson({ name: 'd' }) as TemplateObject,
      deployer: fromJson({ tenantId: 't', userPrincipalName: '' }) as TemplateObject,
      environment: fromJson({ name: 'AzureCloud' }) as TemplateObject,
      now: Date.UTC(2024, 0, 2, 3, 4, 5),
      newGuid: () => '11111111-1111-1111-1111-111111111111',
    },
  };
}

/** The value of an expression; throws TemplateError or TemplateStop. */
export function evaluate(
  text: string,
  parameters: Readonly<Record<string, TemplateValue>> = {},
  place: Place = 'body of a resource',
  inRun: Run = run(),
): TemplateValue {
  const scope = { environment: environment(parameters), place, loops: new Map([['l', 3]]), loop: 'l' };
  return evaluateText(text, scope, inRun);
}
