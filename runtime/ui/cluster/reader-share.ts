import { decodeJwt } from 'jose';
import { KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import { readerOf } from './access.ts';

const reviews: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
};

/** Whose requests count together. */
export interface ReaderShare {
  /** One user may have many tokens: each pod of a service account has its own. */
  readonly user: string;
  /** Of a service account its namespace, in which one person can make many accounts; else the user. */
  readonly share: string;
}

/**
 * The user of a token. Throws KubeStatusError with 401 for a token that the API server refuses. An API server before 1.28
 * has no answer (404), and an administrator can forbid it (403): it has accepted the token all the same, so that the
 * token's own claims count.
 */
export async function readerShare(client: KubeClient, token: string, signal?: AbortSignal): Promise<ReaderShare> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: reviews.kind, metadata: {} };
  try {
    const { status } = await client.create(reviews, review as KubeObject, signal ? { signal } : {});
    return shareOf(status?.userInfo?.username ?? readerOf(token));
  } catch (error) {
    if (error instanceof KubeStatusError && (error.status === 404 || error.status === 403))
      return shareOf(subjectOf(token) ?? readerOf(token));
    throw error;
  }
}

function shareOf(user: string): ReaderShare {
  const [, namespace] = /^system:serviceaccount:([^:]{1,63}):/.exec(user) ?? [];
  return { user, share: namespace === undefined ? user : `namespace ${namespace}` };
}

function subjectOf(token: string): string | undefined {
  try {
    return decodeJwt(token).sub;
  } catch {
    return undefined;
  }
}
