import { storedVersion } from '../../runtime/api/preferred-version.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';

/** Whether a condition of this type is True for the present generation. */
const isTrue = (type: string) =>
  `status.conditions.exists(c, c.type == '${type}' && c.status == 'True' && ` +
  '(!has(c.observedGeneration) || c.observedGeneration == metadata.generation))';

/** One entry of `healthCheckExprs` of a Kustomization of Flux: expressions in CEL over an object. */
export interface HealthCheckExpression {
  readonly apiVersion: string;
  readonly kind: string;
  readonly current: string;
  readonly failed: string;
}

/**
 * The health of each kind with conditions. Flux would otherwise take an object without conditions for ready, and a Ready
 * condition of an older generation for the present one. An object for which neither expression is true, or without any
 * status, is in progress.
 */
export function healthCheckExpressions(kinds: readonly KindDefinition[]): HealthCheckExpression[] {
  return kinds
    .filter(({ schema }) => 'conditions' in (schema.properties?.['status']?.properties ?? {}))
    .map((kind) => ({
      apiVersion: `${kind.group}/${storedVersion(kind)}`,
      kind: kind.kind,
      current: isTrue('Ready'),
      failed: isTrue('Stalled'),
    }));
}

/**
 * Two Kustomizations of Flux: the platform, and a folder with the objects of applications that waits until the platform is
 * ready.
 */
export function fluxKustomizations(kinds: readonly KindDefinition[]): object[] {
  const common = { interval: '1h', retryInterval: '1m', prune: true, wait: true };
  const sourceRef = { kind: 'GitRepository', name: 'flux-system' };
  return [
    kustomization('azimuth', { ...common, timeout: '10m', path: './dist', sourceRef }),
    kustomization('azure-resources', {
      ...common,
      dependsOn: [{ name: 'azimuth' }],
      timeout: '30m',
      path: './azure-resources',
      sourceRef,
      healthCheckExprs: healthCheckExpressions(kinds),
    }),
  ];
}

function kustomization(name: string, spec: object): object {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec,
  };
}
