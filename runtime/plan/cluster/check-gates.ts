import { resourceOf } from '../../api/kinds.ts';
import {
  type FeatureApprovalSpec,
  type FeatureRegistrationSpec,
  type FeatureRegistrationStatus,
  featureApproval,
  featureRegistration,
} from '../../api/machines/features.ts';
import type { KindDefinition } from '../../api/types.ts';
import { validate } from '../../api/validate.ts';
import { isObject } from '../../base/json.ts';
import { someOf } from '../../base/text/some-of.ts';
import type { PlanProblem } from '../../compute/plan/change.ts';
import { type GatedObject, gateProblems } from '../../compute/plan/gate-problems.ts';
import { listAll } from '../../kube/client/paginate.ts';
import { isForbidden, isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';

type Registration = KubeObject & { readonly spec: FeatureRegistrationSpec };
type Approval = KubeObject & { readonly spec: FeatureApprovalSpec };

/** How gates are checked. */
export interface GateCheckOptions {
  /** Manifests of the files: FeatureRegistrations and FeatureApprovals among them count as applied. */
  readonly documents: readonly unknown[];
  /** The feature that opens managed secrets, as the operator has it. */
  readonly feature: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

/**
 * Problems of objects behind a closed gate, and notes about skipped checks. Reads the FeatureRegistrations and
 * FeatureApprovals of the cluster where an object has a gate at all. Throws where the API server does not answer.
 */
export async function checkGates(
  client: KubeClient,
  gated: readonly GatedObject[],
  options: GateCheckOptions,
): Promise<{ readonly problems: readonly PlanProblem[]; readonly notes: readonly string[] }> {
  if (gated.length === 0) return { problems: [], notes: [] };
  const { documents, feature, now, signal } = options;
  const registrations = await readAll(client, featureRegistration, documents, signal);
  const approvals = await readAll(client, featureApproval, documents, signal);
  if (typeof registrations === 'string' || typeof approvals === 'string') {
    const kind = typeof registrations === 'string' ? registrations : approvals;
    const note = `you may not list ${kind}: the gates of managed secrets are not checked for ${someOf(gated.map(({ key }) => key))}`;
    return { problems: [], notes: [note] };
  }
  const ready = registrations.map(({ metadata, spec, status, isPlanned }) => ({
    metadata,
    spec: spec as Registration['spec'],
    ready: isPlanned || isReady(status as FeatureRegistrationStatus | undefined),
  }));
  const byRegistration = Map.groupBy(approvals as readonly Approval[], ({ spec }) => spec.for.name);
  const gates = { registrations: () => ready, approvals: (name: string) => byRegistration.get(name) ?? [] };
  const open = gated.filter(({ subscriptions }) => subscriptions.includes(undefined)).map(({ key }) => key);
  const note = `the gates of managed secrets are not checked for ${someOf(open)}: the subscription is not known before an apply`;
  return { problems: gateProblems(gated, feature, gates, now), notes: open.length > 0 ? [note] : [] };
}

type Found = KubeObject & { readonly isPlanned?: boolean };

/** The objects of a kind, those of the files in place of the cluster's; the kind's name where they may not be listed. */
async function readAll(
  client: KubeClient,
  kind: KindDefinition,
  documents: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<readonly Found[] | string> {
  const found = new Map<string, Found>();
  try {
    const { items } = await listAll(client, resourceOf(kind), { ...(signal && { signal }) });
    for (const item of items) found.set(item.metadata.name, item);
  } catch (error) {
    if (isForbidden(error)) return `${kind.kind}s`;
    // Without its definition there is none.
    if (!isNotFound(error)) throw error;
  }
  for (const document of documents) {
    if (!isObject(document) || document['kind'] !== kind.kind || validate(kind, document).length > 0) continue;
    const planned = document as unknown as KubeObject;
    const { name } = planned.metadata;
    if (typeof name !== 'string') continue;
    const present = found.get(name);
    found.set(name, present ? { ...present, spec: planned['spec'] } : { ...planned, isPlanned: true });
  }
  return [...found.values()];
}

function isReady(status: FeatureRegistrationStatus | undefined): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}
