import { maxTemplateLength, shorterTemplate } from '../api/deployments/compute-deployment.ts';
import { someOf } from '../base/text/some-of.ts';
import type { Plan, PlannedChange } from '../compute/plan/change.ts';
import { isGated } from '../compute/plan/gate-problems.ts';
import { isMachineNode } from '../compute/plan/machine-problems.ts';
import { offline } from '../compute/plan/observation.ts';
import { planChanges } from '../compute/plan/plan-changes.ts';
import { type PlanUnits, planUnits } from '../compute/plan/plan-units.ts';
import { withWhatIf } from '../compute/plan/what-if.ts';
import type { AzureAccess } from './azure/read-azure.ts';
import type { PlanDocument } from './read-documents.ts';

/** Inputs of a plan beside its documents, and the access to Azure. */
export interface PlanOptions {
  /** Namespace of manifests that name none. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly fieldManager: string;
  readonly signal?: AbortSignal;
  /** Where Azure is read. @default Azure is not compared */
  readonly azure?: AzureAccess;
  /** The feature that opens managed secrets, as the operator has it. @default azimuth.dev/ManagedSecrets */
  readonly feature?: string;
}

/** The plan without a cluster: checks, and everything as new. */
export function offlinePlan(documents: readonly PlanDocument[], options: PlanOptions): Plan {
  const units = planUnits(manifestsOf(documents), contextOf(documents, options));
  const plan = planChanges(units, offline);
  const gated = units.units.flatMap(({ nodes }) => nodes.filter(isGated)).map(({ key }) => key);
  const note = `the gates of managed secrets are not checked for ${someOf(gated)}: no cluster is read`;
  const notes = [
    ...plan.notes,
    ...lengthNotes(documents),
    ...(gated.length > 0 ? [note] : []),
    ...uncheckedQuota(plan, units),
  ];
  return withWhatIf({ ...plan, notes }, units.units, offline);
}

/** The manifests of documents. */
export const manifestsOf = (documents: readonly PlanDocument[]) => documents.map(({ manifest }) => manifest);
/** The context of the documents' units. */
export const contextOf = (documents: readonly PlanDocument[], { namespace, now }: PlanOptions) => ({
  namespace,
  now,
  places: documents.map(({ place }) => place),
  isTemplate: documents.map(({ templateLength }) => templateLength !== undefined),
});

/** A sentence about each template that is longer than a ComputeDeployment takes. */
export function lengthNotes(documents: readonly PlanDocument[]): string[] {
  return documents.flatMap(({ place, templateLength = 0 }) => {
    if (templateLength <= maxTemplateLength) return [];
    const fix = `an object takes ${maxTemplateLength}: before it is applied, ${shorterTemplate}`;
    return `${place}: the template has ${templateLength} characters, and ${fix}`;
  });
}

/** A sentence about the machines whose quota nobody has read. */
export function uncheckedQuota({ changes }: Plan, { units }: PlanUnits): string[] {
  const machines = new Set(
    units.flatMap(({ namespace, nodes }) => nodes.filter(isMachineNode).map(({ key }) => `${namespace} ${key}`)),
  );
  const isWritten = ({ namespace, key, action }: PlannedChange) =>
    action !== 'None' && action !== 'Delete' && machines.has(`${namespace} ${key}`);
  const written = changes.filter(isWritten).map(({ key }) => key);
  return written.length > 0 ? [`the quota for ${someOf(written)} is not checked: --live reads it from Azure`] : [];
}
