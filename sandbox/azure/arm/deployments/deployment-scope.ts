/** The scope of a deployment: a resource group, a subscription, a management group or the tenant. */
export interface DeploymentScope {
  /** ARM id; '' for the tenant. */
  readonly id: string;
  readonly subscriptionId?: string;
  readonly resourceGroup?: string;
}

/** A request to a deployment, or to a resource of the same form such as a deployment stack. */
export interface DeploymentPath {
  readonly scope: DeploymentScope;
  /** '' for the collection. */
  readonly name: string;
  /** The segments after the name. */
  readonly rest: readonly string[];
}

/** The ARM type of deployments. */
export const deploymentType = 'Microsoft.Resources/deployments';

const scopeForm =
  /^(?:\/subscriptions\/([^/]+)(?:\/resourceGroups\/([^/]+))?|\/providers\/Microsoft\.Management\/managementGroups\/[^/]+)?$/i;

/** The scope with this ARM id; undefined where nothing can be deployed. */
export function scopeOf(id: string): DeploymentScope | undefined {
  const match = scopeForm.exec(id);
  if (!match) return undefined;
  const [, subscriptionId, resourceGroup] = match;
  return {
    id,
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(resourceGroup === undefined ? {} : { resourceGroup }),
  };
}

/**
 * The parts of a path of `Microsoft.Resources/<collection>`. The older form `resourceGroups/x/deployments` counts too.
 * Undefined for any other path.
 */
export function deploymentPath(segments: readonly string[], collection: string): DeploymentPath | undefined {
  const lower = segments.map((segment) => segment.toLowerCase());
  const at = lower.indexOf(collection.toLowerCase());
  if (at < 0) return undefined;
  const full = lower[at - 2] === 'providers' && lower[at - 1] === 'microsoft.resources';
  if (!full && !(at === 4 && lower[2] === 'resourcegroups')) return undefined;
  const before = segments.slice(0, full ? at - 2 : at);
  const scope = scopeOf(before.length === 0 ? '' : `/${before.join('/')}`);
  return scope && { scope, name: segments[at + 1] ?? '', rest: segments.slice(at + 2) };
}

/** The ARM id of a resource of Microsoft.Resources at a scope. */
export const idAt = (scope: DeploymentScope, type: string, name: string) => `${scope.id}/providers/${type}/${name}`;

/** The path of a resource of a template: `resourceId()` gives resource groups one that no request has. */
export const requestPath = (id: string) =>
  id.replace(/\/providers\/Microsoft\.Resources\/resourceGroups\//i, '/resourceGroups/');
