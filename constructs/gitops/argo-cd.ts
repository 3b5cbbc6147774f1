import { computeRun, runSeverity, runStates } from '../../runtime/api/deployments/compute-run.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';

/**
 * For objects with conditions. A condition of an older generation says nothing about the present spec. `without` is for an
 * object without a condition.
 */
const conditionsHealth = (without: string) => `local ready, stalled
for _, condition in ipairs((obj.status or {}).conditions or {}) do
  local generation = condition.observedGeneration or obj.metadata.generation
  if generation == obj.metadata.generation then
    if condition.type == "Ready" then ready = condition end
    if condition.type == "Stalled" then stalled = condition end
  end
end
if ready == nil then
  ${without}
end
local message = ready.message or ""
if message == "" then message = ready.reason or "" end
if ready.status == "True" then return { status = "Healthy", message = message } end
if (stalled and stalled.status == "True") or ready.severity == "Error" then
  return { status = "Degraded", message = message }
end
return { status = "Progressing", message = message }
`;

const waiting =
  'return { status = "Progressing", message = "Waiting for the controller to reconcile this generation" }';

/** For assignments, whose status has one word instead of conditions. */
const assignedHealth = `local state = (obj.status or {}).status or ""
if state == "Assigned" then return { status = "Healthy", message = state } end
return { status = "Progressing", message = state }
`;

/** For runs of releases whose runs had no conditions yet. */
const endedRun = () => {
  const listOf = (severity: 'Error' | undefined) =>
    runStates.flatMap((state) => (runSeverity[state] === severity ? [`${state} = true`] : [])).join(', ');
  return `local state = (obj.status or {}).state or ""
  local message = (obj.status or {}).message or state
  if ({ ${listOf(undefined)} })[state] then return { status = "Healthy", message = message } end
  if ({ ${listOf('Error')} })[state] then return { status = "Degraded", message = message } end
  ${waiting}`;
};

/**
 * The health check of a kind in Lua, as Argo CD runs it; undefined for kinds that have no state, which Argo CD shows as
 * healthy once they exist.
 */
export function healthCheck({ group, kind, schema }: KindDefinition): string | undefined {
  const status = schema.properties?.['status']?.properties ?? {};
  if (group === computeRun.group && kind === computeRun.kind) return conditionsHealth(endedRun());
  if ('conditions' in status) return conditionsHealth(waiting);
  return `${group}/${kind}` === 'aadpodidentity.k8s.io/AzureAssignedIdentity' ? assignedHealth : undefined;
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
