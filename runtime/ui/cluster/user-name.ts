import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

const reviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
};

/**
 * The name of the client's user. An API server before 1.28 does not answer that (404), and an administrator can forbid it
 * (403): then undefined. A token that the API server refuses is a KubeStatusError with 401.
 */
export async function userName(client: KubeClient): Promise<string | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: reviews.kind, metadata: {} };
  try {
    const { status } = await client.create(reviews, review as KubeObject);
    return status?.userInfo?.username;
  } catch (error) {
    if (error instanceof KubeStatusError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}
