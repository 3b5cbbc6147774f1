import type { ArmReference } from '../../api/common-schemas.ts';
import { managedSecret } from '../../api/machines/managed-secret.ts';
import type { Edge } from '../../engine/index.ts';
import type { Readiness } from '../objects/conditions.ts';
import { nodeId } from '../objects/node-id.ts';
import { type ManagedSecretObject, specProblems } from './secret-object.ts';
import { nodeOfReference, placesOf } from './vaults/vault-places.ts';

/** The node of a ManagedSecret in the dependency graph, which machines have edges to. */
export function nodeOfSecret(namespace: string, name: string): string {
  return nodeId(managedSecret.group, managedSecret.kind, { namespace, name });
}

/** The edges to the objects that a ManagedSecret names, so that their changes enqueue it. */
export function edgesOfSecret(object: ManagedSecretObject): Edge[] {
  const { namespace = '' } = object.metadata;
  const { identity, resourceKey, certificate } = object.spec;
  const others = [identity?.owner, resourceKey?.resource].filter((each): each is ArmReference => each !== undefined);
  const references = [...placesOf(object).map(({ reference }) => reference), ...others];
  const edges = references.flatMap((reference): Edge[] => {
    const to = nodeOfReference(reference, namespace);
    return to === undefined ? [] : [{ kind: 'reference', to }];
  });
  const ca = certificate?.issuer?.caSecret?.name;
  if (ca !== undefined) edges.push({ kind: 'secret', to: nodeId('', 'Secret', { namespace, name: ca }) });
  return edges;
}

/** Why a spec cannot be followed; undefined for one that can. */
export function specFailure({ spec }: ManagedSecretObject): Readiness | undefined {
  const [problem, ...more] = specProblems(spec);
  if (!problem) return undefined;
  const message = [problem, ...more].map(({ path, message }) => `${path} ${message}`).join('; ');
  return { severity: 'Error', reason: problem.name, message };
}
