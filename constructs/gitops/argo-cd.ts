import type { KindDefinition } from '../../runtime/api/types.ts';

/** For objects with conditions. A condition of an older generation says nothing about the present spec. */
const conditionsHealth = `local ready, stalled
for _, condition in ipairs((obj.status or {}).conditions or {}) do
  local generation = condition.observedGeneration or obj.metadata.generation
  if generation == obj.metadata.generation then
    if condition.type == "Ready" then ready = condition end
    if condition.type == "Stalled" then stalled = condition end
  end
end
if ready == nil then
  return { status = "Progressing", message = "Waiting for the controller to reconcile this generation" }
end
local message = ready.message or ""
if message == "" then message = ready.reason or "" end
if ready.status == "True" then return { status = "Healthy", message = message } end
if (stalled and stalled.status == "True") or ready.severity == "Error" then
  return { status = "Degraded", message = message }
end
return { status = "Progressing", message = message }
`;

/** For objects whose status has one word instead of conditions. */
const wordHealth = (
  word: string,
  healthy: string,
  degraded: readonly string[],
) => `local state = (obj.status or {}).${word} or ""
if state == "${healthy}" then return { status = "Healthy", message = state } end
for _, bad in ipairs({ ${degraded.map((each) => `"${each}"`).join(', ')} }) do
  if state == bad then return { status = "Degraded", message = (obj.status or {}).message or state } end
end
return { status = "Progressing", message = state }
`;

const byKind: Readonly<Record<string, string>> = {
  'aadpodidentity.k8s.io/AzureAssignedIdentity': wordHealth('status', 'Assigned', []),
  'azimuth.dev/ComputeRun': wordHealth('state', 'Succeeded', ['Failed', 'Cancelled']),
};

/**
 * The health check of a kind in Lua, as Argo CD runs it; undefined for kinds that have no state, which Argo CD shows as
 * healthy once they exist.
 */
export function healthCheck({ group, kind, schema }: KindDefinition): string | undefined {
  const status = schema.properties?.['status']?.properties ?? {};
  return 'conditions' in status ? conditionsHealth : byKind[`${group}/${kind}`];
}

/** A ConfigMap that is merged into Argo CD's own: one key for each kind, so that it replaces nobody else's. */
export function argoCdConfig(kinds: readonly KindDefinition[]): object {
  const checks = kinds.flatMap((kind) => {
    const check = healthCheck(kind);
    return check === undefined ? [] : [[`resource.customizations.health.${kind.group}_${kind.kind}`, check] as const];
  });
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd' },
    data: Object.fromEntries(checks.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
