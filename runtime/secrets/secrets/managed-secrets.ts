import { kindOf, resourceOf } from '../../api/kinds.ts';
import type { ManagedSecretSpec } from '../../api/machines/managed-secret-spec.ts';
import { tryParseDuration } from '../../base/duration.ts';
import { normalizeTexts } from '../../base/text/normalize.ts';
import { type SecretOwner, vaultSecretName } from '../../compute/managed-secrets/vault-tags.ts';
import type { ReflectorOptions } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The resource type of ManagedSecrets. */
export const managedSecretType = resourceOf(kindOf('azimuth.dev', 'ManagedSecret'));

/** The part of a ManagedSecret that the endpoint reads; never its status, which tenants write. */
export type EndpointSecret = KubeObject & {
  readonly spec: Pick<
    ManagedSecretSpec,
    'kind' | 'home' | 'regions' | 'consumers' | 'maxStaleness' | 'pinnedVersion' | 'rollout' | 'vaultSecretName'
  >;
};

/** The watch of ManagedSecrets, of these namespaces or all. */
export function managedSecretWatch(namespaces: readonly string[]): ReflectorOptions<EndpointSecret> {
  return {
    type: managedSecretType,
    project({ apiVersion, kind, metadata, spec }) {
      const { namespace, name, uid, resourceVersion, generation, deletionTimestamp } = metadata;
      const { kind: what, home, regions, consumers, maxStaleness, pinnedVersion, rollout, vaultSecretName } = spec;
      return {
        apiVersion,
        kind,
        metadata: {
          namespace,
          name,
          uid,
          resourceVersion,
          generation,
          ...(deletionTimestamp && { deletionTimestamp }),
        },
        spec: normalizeTexts({
          kind: what,
          home,
          regions,
          consumers,
          maxStaleness,
          pinnedVersion,
          rollout,
          vaultSecretName,
        }),
      } as EndpointSecret;
    },
    ...(namespaces.length > 0 && { namespaces }),
  };
}

/** The name of a secret among all: `<namespace>/<name>`. */
export function keyOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** The owner that the tags of a vault's versions must name. */
export function ownerOf({ metadata: { namespace = '', name, uid = '' } }: KubeObject): SecretOwner {
  return { namespace, name, uid };
}

/** The name of its secret in every vault. */
export function nameInVault(object: EndpointSecret): string {
  return vaultSecretName(ownerOf(object), object.spec.vaultSecretName);
}

const defaultStaleness = 168 * 3_600_000;

/** The greatest age of a value that machines get, in milliseconds. */
export function maxStalenessOf({ spec: { maxStaleness } }: EndpointSecret): number {
  return (maxStaleness === undefined ? undefined : tryParseDuration(maxStaleness)) ?? defaultStaleness;
}

/** Whether the endpoint keeps it in memory: somebody may read it, and a vault has it. */
export function isServed({ metadata, spec }: EndpointSecret): boolean {
  return metadata.deletionTimestamp === undefined && (spec.consumers?.length ?? 0) > 0 && spec.home !== undefined;
}
