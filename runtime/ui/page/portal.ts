/**
 * The address of a resource in the Azure portal; undefined without a portal, and for a text that is no ARM id. The id is
 * a text of the cluster: it decides about the fragment only.
 */
export function portalAddress(portal: string, armId: string): string | undefined {
  const segments = armId.toWellFormed().split('/');
  if (portal === '' || !/^\/(subscriptions|providers)\/[^/]/i.test(armId)) return undefined;
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined;
  return `${portal}/#resource${segments.map(encodeURIComponent).join('/')}`;
}
