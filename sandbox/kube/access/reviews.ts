import { badRequest, invalid, required } from '../model/status.ts';
import type { BuiltinType, Unstructured } from '../model/types.ts';
import type { User } from '../model/user.ts';
import type { Authenticator } from './authentication.ts';
import type { Attributes, Rbac } from './rbac.ts';

/** The caller of a review and the parts that answer it. */
export interface ReviewContext {
  readonly user: User;
  readonly rbac: Rbac;
  readonly authenticator: Authenticator;
  readonly namespace: string;
}

type Review = (body: Unstructured, context: ReviewContext) => Unstructured | Promise<Unstructured>;

function attributesOf(spec: Unstructured, kind: string): Attributes {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (!resourceAttributes === !nonResourceAttributes)
    throw invalid({ group: 'authorization.k8s.io', plural: '', kind }, '', [
      required(
        'spec.resourceAttributes',
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ]);
  if (nonResourceAttributes) return { verb: nonResourceAttributes.verb ?? '', path: nonResourceAttributes.path ?? '' };
  const { verb = '', group = '', resource = '', subresource = '', namespace = '', name = '' } = resourceAttributes;
  return { verb, group, plural: resource, subresource, namespace, name };
}

const decide = (user: User, attributes: Attributes, rbac: Rbac): Unstructured => ({
  allowed: rbac.allows(user, attributes),
});

const userOf = (spec: Unstructured): User => ({
  name: spec['user'] ?? '',
  uid: spec['uid'],
  groups: spec['groups'] ?? [],
  extra: spec['extra'],
});

function rulesReview(body: Unstructured, { user, rbac }: ReviewContext): Unstructured {
  const namespace = body['spec']?.namespace;
  if (!namespace) throw badRequest('no namespace on request');
  const masters = user.groups.includes('system:masters');
  const rules = masters
    ? [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ]
    : rbac.rulesFor(user, namespace);
  return {
    resourceRules: rules.filter((rule) => rule.resources?.length),
    nonResourceRules: rules.filter((rule) => rule.nonResourceURLs?.length),
    incomplete: false,
  };
}

async function tokenReview(body: Unstructured, { authenticator }: ReviewContext): Promise<Unstructured> {
  const { token = '', audiences } = body['spec'] ?? {};
  const found = await authenticator.byToken(token, audiences?.length ? audiences : undefined);
  if (!found) return { user: {}, error: 'invalid bearer token' };
  const { name, uid, groups, extra } = found.user;
  return { authenticated: true, user: { username: name, uid, groups, extra }, audiences: found.audiences };
}

/** Questions that are answered and not stored, by plural. */
export const reviews: Readonly<Record<string, Review>> = {
  selfsubjectaccessreviews: (body, { user, rbac }) =>
    decide(user, attributesOf(body['spec'] ?? {}, 'SelfSubjectAccessReview'), rbac),
  subjectaccessreviews: (body, { rbac }) =>
    decide(userOf(body['spec'] ?? {}), attributesOf(body['spec'] ?? {}, 'SubjectAccessReview'), rbac),
  localsubjectaccessreviews: (body, { rbac, namespace }) => {
    const attributes = attributesOf(body['spec'] ?? {}, 'LocalSubjectAccessReview');
    if ('path' in attributes || attributes.namespace !== namespace)
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: "${namespace}"`);
    return decide(userOf(body['spec']), attributes, rbac);
  },
  selfsubjectrulesreviews: rulesReview,
  tokenreviews: tokenReview,
  selfsubjectreviews: (_body, { user: { name, ...rest } }) => ({ userInfo: { username: name, ...rest } }),
};

/** `kubectl auth whoami`. Newer than the definitions the other kinds come from. */
export const selfSubjectReview: BuiltinType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  shortNames: [],
  namespaced: false,
  verbs: ['create'],
  subresources: [],
  schema: { type: 'object', properties: { status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
  preserveUnknown: true,
};
