import { canonicalJson, isObject, type JsonObject } from '../../base/json.ts';
import { nodeKey } from '../../compute/deployments/references.ts';
import type { PlanObservation } from '../../compute/plan/observation.ts';
import { isDeployment } from '../../compute/plan/plan-units.ts';

/** The manifests of a plan as an apply would leave them. */
export interface MergedManifests {
  readonly manifests: readonly unknown[];
  readonly notes: readonly string[];
}

/**
 * The manifests with the specs that the API server would store for their ComputeDeployments: an apply leaves fields in place
 * that other managers have set, such as a location that the file does not have. Undefined where none differs.
 */
export function mergedDeployments(
  manifests: readonly unknown[],
  { applied }: PlanObservation,
  namespace: string,
): MergedManifests | undefined {
  const notes: string[] = [];
  const merged = manifests.map((manifest) => {
    const metadata = isObject(manifest) && isDeployment(manifest) ? manifest['metadata'] : undefined;
    if (!isObject(metadata)) return manifest;
    const key = nodeKey('azimuth.dev', 'ComputeDeployment', String(metadata['name']));
    const own = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : namespace;
    const stored = applied?.(own, key);
    const { spec } = manifest as JsonObject;
    if (!stored || 'refused' in stored || canonicalJson(stored['spec']) === canonicalJson(spec)) return manifest;
    notes.push(`${key}: the plan counts what other field managers have set beside the manifest`);
    return { ...(manifest as JsonObject), spec: stored['spec'] };
  });
  return notes.length > 0 ? { manifests: merged, notes } : undefined;
}
