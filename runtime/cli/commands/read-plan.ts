import type { CredentialSource } from '../../azure/credential-flag.ts';
import { openReader } from '../../azure/open-reader.ts';
import { type ObservedPlan, observePlan } from '../../plan/make-plan.ts';
import type { PlanDocument } from '../../plan/read-documents.ts';
import type { PlanBasis } from '../../plan/saved-plan.ts';
import type { Cluster } from './with-cluster.ts';

/** The plan of documents against a cluster, and against Azure where its basis says so. Writes nothing. */
export async function readPlan(
  { client, signal }: Cluster,
  documents: readonly PlanDocument[],
  { live, managedSecretsFeature: feature, ...basis }: PlanBasis,
  credential: CredentialSource,
): Promise<ObservedPlan> {
  const azure = live ? await openReader(credential, process.env, { signal }) : undefined;
  try {
    return await observePlan(client, documents, { ...basis, feature, signal, ...(azure && { azure }) });
  } finally {
    await azure?.close();
  }
}
