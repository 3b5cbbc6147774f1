import type { Rule } from '../access/rbac.ts';
import type { Unstructured } from '../model/types.ts';
import { internalWrite } from '../model/write-request.ts';
import type { Objects } from '../storage/objects.ts';
import { systemNamespaces } from './namespaces.ts';

const group = 'rbac.authorization.k8s.io';
const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const ordinary: Rule[] = [
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'events',
      'persistentvolumeclaims',
      'pods',
      'secrets',
      'serviceaccounts',
      'services',
    ],
    verbs: [...read, ...write],
  },
  { apiGroups: [''], resources: ['pods/log', 'pods/status', 'namespaces'], verbs: read },
  { apiGroups: [''], resources: ['serviceaccounts/token', 'pods/eviction'], verbs: ['create'] },
  {
    apiGroups: ['apps'],
    resources: [
      'daemonsets',
      'deployments',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
    verbs: [...read, ...write],
  },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: [...read, ...write] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: [...read, ...write] },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies', 'ingresses'], verbs: [...read, ...write] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...read, ...write] },
];
const readOnly = ordinary
  .filter((rule) => rule.verbs.includes('get'))
  .map((rule) => ({ ...rule, resources: rule.resources?.filter((one) => one !== 'secrets'), verbs: read }));
const discoveryPaths = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

/** The user-facing and discovery roles of every cluster (a subset of Kubernetes' default roles). */
const clusterRoles: Readonly<Record<string, readonly Rule[]>> = {
  'cluster-admin': [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ],
  admin: [
    ...ordinary,
    { apiGroups: [group], resources: ['roles', 'rolebindings'], verbs: [...read, ...write] },
    { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
  ],
  edit: ordinary,
  view: readOnly,
  'system:discovery': [{ nonResourceURLs: discoveryPaths, verbs: ['get'] }],
  'system:public-info-viewer': [
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ],
  'system:basic-user': [
    {
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      verbs: ['create'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ],
  'system:service-account-issuer-discovery': [
    { nonResourceURLs: ['/.well-known/openid-configuration', '/openid/v1/jwks'], verbs: ['get'] },
  ],
};

/** Cluster role to the groups it is bound to. The issuer's keys are public: the embedded Entra ID reads them. */
const bindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:discovery': ['system:authenticated'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:basic-user': ['system:authenticated'],
  'system:service-account-issuer-discovery': ['system:authenticated', 'system:unauthenticated'],
};

/** Creates the objects that every cluster has from the beginning, where they are missing. */
export function bootstrap(objects: Objects): void {
  const ensure = (groupName: string, plural: string, name: string, rest: Unstructured) => {
    const resource = objects.registry.get(groupName, 'v1', plural);
    if (!resource || objects.store.get(resource.bucket, name)) return;
    objects.create(resource, '', { metadata: { name }, ...rest }, internalWrite);
  };
  for (const name of systemNamespaces) ensure('', 'namespaces', name, {});
  for (const [name, rules] of Object.entries(clusterRoles)) ensure(group, 'clusterroles', name, { rules });
  for (const [name, groups] of Object.entries(bindings)) {
    ensure(group, 'clusterrolebindings', name, {
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: groups.map((one) => ({ kind: 'Group', apiGroup: group, name: one })),
    });
  }
  for (const [name, value] of [
    ['system-cluster-critical', 2_000_000_000],
    ['system-node-critical', 2_000_001_000],
  ] as const) {
    ensure('scheduling.k8s.io', 'priorityclasses', name, { value });
  }
}
