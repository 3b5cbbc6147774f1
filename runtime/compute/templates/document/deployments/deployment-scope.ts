import { TemplateError } from '../../problems.ts';

/** Where a deployment goes. */
export type ScopeKind = 'resource group' | 'subscription' | 'management group' | 'tenant';

/** A scope of deployments, with the id below which its resources are. */
export interface DeploymentScope {
  readonly kind: ScopeKind;
  /** '' for the tenant. */
  readonly id: string;
  readonly subscriptionId?: string;
  readonly resourceGroup?: string;
  readonly managementGroup?: string;
}

/** The scope of a resource group. */
export function groupScope(subscriptionId: string, resourceGroup: string): DeploymentScope {
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  return { kind: 'resource group', id, subscriptionId, resourceGroup };
}

/** The scope of a subscription. */
export function subscriptionScope(subscriptionId: string): DeploymentScope {
  return { kind: 'subscription', id: `/subscriptions/${subscriptionId}`, subscriptionId };
}

/** The scope of a management group. */
export function managementGroupScope(managementGroup: string): DeploymentScope {
  const id = `/providers/Microsoft.Management/managementGroups/${managementGroup}`;
  return { kind: 'management group', id, managementGroup };
}

/** The scope of the tenant. */
export const tenantScope: DeploymentScope = { kind: 'tenant', id: '' };

const forms: readonly (readonly [form: RegExp, scope: (first: string, second: string) => DeploymentScope])[] = [
  [/^\/$/, () => tenantScope],
  [/^\/subscriptions\/([^/]{1,100})\/resourcegroups\/([^/]{1,100})$/i, groupScope],
  [/^\/subscriptions\/([^/]{1,100})$/i, subscriptionScope],
  [/^(?:\/?providers\/|\/)?Microsoft\.Management\/managementGroups\/([^/]{1,100})$/i, managementGroupScope],
];

/** The scope that the member `scope` of a deployment names. Throws TemplateError for a text that is none. */
export function scopeOf(text: string): DeploymentScope {
  for (const [form, scope] of forms) {
    const [, first = '', second = ''] = form.exec(text) ?? [];
    if (form.test(text)) return scope(first, second);
  }
  const message = `The scope of a deployment is /, Microsoft.Management/managementGroups/NAME or the id of a subscription or resource group, and is '${text.slice(0, 200)}'`;
  throw new TemplateError('Structure', message);
}

const schemas: Readonly<Record<string, ScopeKind>> = {
  deploymenttemplate: 'resource group',
  subscriptiondeploymenttemplate: 'subscription',
  managementgroupdeploymenttemplate: 'management group',
  tenantdeploymenttemplate: 'tenant',
};

/** The kind of scope that a template is for, by its `$schema`; undefined for another schema. */
export function scopeOfSchema(schema: string): ScopeKind | undefined {
  const name = /\/([A-Za-z]{1,60})\.json#?$/.exec(schema)?.[1]?.toLowerCase();
  return name !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}
