import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';

export const core = (plural: string, kind: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
export const rbac = (plural: string, kind: string, namespaced = true): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export const namespaces = core('namespaces', 'Namespace', false);
export const configMaps = core('configmaps', 'ConfigMap');
export const secrets = core('secrets', 'Secret');
export const serviceAccounts = core('serviceaccounts', 'ServiceAccount');
export const roles = rbac('roles', 'Role');
export const roleBindings = rbac('rolebindings', 'RoleBinding');
export const clusterRoles = rbac('clusterroles', 'ClusterRole', false);
export const clusterRoleBindings = rbac('clusterrolebindings', 'ClusterRoleBinding', false);
export const deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
export const customResourceDefinitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/** A custom type of its own group, so that runs side by side do not meet. */
export function widgetType(group: string): ResourceType {
  return { group, version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
}

/** Its definition: a required size, a default, an enum, an open map and a status subresource. */
export function widgetDefinition(type: ResourceType): KubeObject {
  const text = { type: 'string' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${type.plural}.${type.group}` },
    spec: {
      group: type.group,
      scope: 'Namespaced',
      names: { plural: type.plural, singular: 'widget', kind: type.kind, listKind: 'WidgetList' },
      versions: [
        {
          name: type.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  required: ['size'],
                  properties: {
                    size: { type: 'integer', minimum: 1 },
                    color: { ...text, enum: ['red', 'blue'], default: 'red' },
                    notes: { type: 'object', additionalProperties: text },
                  },
                },
                status: { type: 'object', properties: { phase: text } },
              },
            },
          },
        },
      ],
    },
  };
}
