/**
 * Permissions of each program in the cluster. The synthesized RBAC is made from this, and the cluster tests run the
 * programs with it, so a permission that is missing shows as a failure and one that is needless as dead data here.
 */
export { mostWatchedNamespaces } from '../../base/flags/watched-namespaces.ts';
export * from './operator-permissions.ts';
export * from './pod-identity-permissions.ts';
export type { Permissions, PolicyRule } from './policy-rule.ts';
export * from './secrets-permissions.ts';
export * from './volumes-permissions.ts';
