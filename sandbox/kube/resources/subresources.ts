import type { TokenIssuer } from '../access/tokens.ts';
import type { Resource } from '../model/resource.ts';
import { badRequest, conflict, invalid, invalidValue, notFound } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import type { Target, WriteContext } from '../model/write-request.ts';
import { rfc3339 } from '../storage/metadata.ts';
import type { Objects } from '../storage/objects.ts';
import { evaluateJsonPath } from '../tables/json-path.ts';

const tokenKind = { group: 'authentication.k8s.io', plural: 'tokenrequests', kind: 'TokenRequest' };

/** TokenRequest: a signed token for a service account. It lives ten minutes at least, an hour by default. */
export async function requestToken(
  objects: Objects,
  issuer: TokenIssuer,
  target: Target,
  body: Unstructured,
): Promise<Unstructured> {
  const account = objects.get(target);
  const { namespace } = target;
  const asked = body['spec'] ?? {};
  const seconds = asked.expirationSeconds ?? 3600;
  const lifetimeField = 'spec.expirationSeconds';
  if (!Number.isInteger(seconds) || seconds < 600)
    throw invalid(tokenKind, '', [
      invalidValue(lifetimeField, seconds, 'may not specify a duration less than 10 minutes'),
    ]);
  if (seconds > 2 ** 32)
    throw invalid(tokenKind, '', [
      invalidValue(lifetimeField, seconds, 'may not specify a duration larger than 2^32 seconds'),
    ]);
  const audiences: string[] = asked.audiences?.length ? asked.audiences : [issuer.issuer];
  const claims: Unstructured = {
    namespace,
    serviceaccount: { name: target.name, uid: account['metadata'].uid },
  };
  const bound = asked.boundObjectRef;
  if (bound) {
    const plural = { Pod: 'pods', Secret: 'secrets' }[String(bound.kind)];
    if (!plural || bound.apiVersion !== 'v1')
      throw badRequest(`cannot bind token to object of type ${bound.apiVersion ?? ''}, Kind=${bound.kind ?? ''}`);
    const found = objects.store.get(plural, `${namespace}/${bound.name}`);
    if (!found) throw notFound({ group: '', plural, kind: bound.kind }, bound.name ?? '');
    if (bound.uid && bound.uid !== found['metadata'].uid)
      throw conflict(
        { group: '', plural, kind: bound.kind },
        bound.name,
        `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    const account = found['spec']?.serviceAccountName;
    if (plural === 'pods' && account !== target.name)
      throw badRequest(
        `cannot bind token for serviceaccount "${target.name}" to pod running with different serviceaccount name.`,
      );
    claims[String(bound.kind).toLowerCase()] = { name: bound.name, uid: found['metadata'].uid };
  }
  const { token, expiresAt } = await issuer.issue(
    {
      sub: `system:serviceaccount:${namespace}:${target.name}`,
      aud: audiences,
      'kubernetes.io': claims as never,
    },
    seconds,
  );
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: target.name, namespace, creationTimestamp: objects.now() },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: bound ?? null },
    status: { token, expirationTimestamp: rfc3339(expiresAt) },
  };
}

/** Binding: gives a Pod its node, once. */
export function bindPod(objects: Objects, target: Target, body: Unstructured): Unstructured {
  const pod = objects.get(target);
  const node = body['target']?.name;
  if (!node)
    throw invalid({ group: '', plural: 'bindings', kind: 'Binding' }, target.name, [
      invalidValue('target.name', '', 'must be set'),
    ]);
  if (pod['spec']?.nodeName)
    throw conflict(
      target.resource,
      target.name,
      `pod ${target.name} is already assigned to node "${pod['spec'].nodeName}"`,
    );
  objects.modify(target.resource.bucket, `${target.namespace}/${target.name}`, (object) => {
    object['spec'].nodeName = node;
    const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: objects.now() };
    const others = (object['status']?.conditions ?? []).filter(({ type }: Unstructured) => type !== 'PodScheduled');
    object['status'] = { ...object['status'], conditions: [...others, scheduled] };
  });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** Eviction: deletes the Pod. Budgets are not weighed: no controller computes their status here. */
export function evictPod(objects: Objects, target: Target, dryRun: boolean): Unstructured {
  objects.delete(target, { dryRun });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** `namespaces/<name>/finalize`: the only way to change spec.finalizers. */
export function finalizeNamespace(objects: Objects, target: Target, body: Unstructured): Unstructured {
  const current = objects.get(target);
  const { resourceVersion } = body['metadata'] ?? {};
  if (resourceVersion && resourceVersion !== current['metadata'].resourceVersion)
    throw conflict(
      target.resource,
      target.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  return (
    objects.modify('namespaces', target.name, (namespace) => {
      namespace['spec'] = { ...namespace['spec'], finalizers: body['spec']?.finalizers ?? [] };
    }) ?? current
  );
}

const scalePaths = (resource: Resource) =>
  resource.scale ?? {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: undefined,
  };

/** The Scale view of an object with replicas. */
export function scaleOf(resource: Resource, object: Unstructured): Unstructured {
  const paths = scalePaths(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object['metadata'];
  const labels = Object.entries(object['spec']?.selector?.matchLabels ?? {});
  const selector = paths.labelSelectorPath
    ? evaluateJsonPath(paths.labelSelectorPath, object)[0]
    : labels.map(([key, value]) => `${key}=${value}`).join(',');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: evaluateJsonPath(paths.specReplicasPath, object)[0] ?? 0 },
    status: { replicas: evaluateJsonPath(paths.statusReplicasPath, object)[0] ?? 0, selector },
  };
}

/** Writes the replicas of a Scale back into the object. */
export function rescale(objects: Objects, target: Target, scale: Unstructured, context: WriteContext): Unstructured {
  const replicas = scale['spec']?.replicas ?? 0;
  if (!Number.isInteger(replicas) || replicas < 0)
    throw invalid({ group: 'autoscaling', plural: 'scales', kind: 'Scale' }, target.name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  const members = scalePaths(target.resource).specReplicasPath.split('.').filter(Boolean);
  const body = members.reduceRight<unknown>((value, member) => ({ [member]: value }), replicas) as Unstructured;
  const { resourceVersion } = scale['metadata'] ?? {};
  if (resourceVersion) body['metadata'] = { resourceVersion };
  const object = objects.patch({ ...target, subresource: '' }, 'merge', body, context);
  return scaleOf(target.resource, object);
}
