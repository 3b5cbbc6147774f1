import { expectReview } from '../../kube/client/expected.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

const reviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};

/**
 * Whether the client's user may list and watch a kind, in one namespace or in all. Asked before and during a watch: an
 * API server does not end a watch whose user has lost the right to it. Throws AZ_KUBE_ANSWER for an answer without a
 * decision.
 */
export async function mayWatch(
  client: KubeClient,
  { group, plural }: ResourceType,
  namespace: string | undefined,
): Promise<boolean> {
  const answers = await Promise.all(
    ['list', 'watch'].map(async (verb) => {
      const resourceAttributes = { group, resource: plural, verb, ...(namespace !== undefined && { namespace }) };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: reviews.kind, spec: { resourceAttributes } };
      const answer = await client.create(reviews, { ...review, metadata: {} } as unknown as KubeObject);
      return expectReview(answer)['allowed'] === true;
    }),
  );
  return answers.every(Boolean);
}
