import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AzimuthError } from '../../../base/errors.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../kube/client/types.ts';

/**
 * The part of a kubelet that the demonstration needs: turns the first container of a pod, or of a workload's template,
 * into the arguments, environment and files of a local process. Writes volumes of Secrets, tokens, config maps and pod fields
 * below `directory`, and rewrites environment values that point into a volume.
 */
export interface LocalContainer {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path on this machine of a path in the container. */
  hostPath(path: string): string;
}

const core = (plural: string, kind: string): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});
/** Secrets, as the client addresses them. */
export const secrets = core('secrets', 'Secret');
/** ConfigMaps, as the client addresses them. */
export const configMaps = core('configmaps', 'ConfigMap');
/** ServiceAccounts, as the client addresses them. */
export const serviceAccounts = core('serviceaccounts', 'ServiceAccount');

/** The node name of the demonstration's pods. */
export interface LocalNode {
  readonly name: string;
  readonly ip: string;
}

/** @throws AzimuthError AZ_REFERENCE_MISSING when a Secret or ConfigMap that the container needs is missing. */
export async function resolveContainer(
  client: KubeClient,
  workload: KubeObject,
  directory: string,
  node?: LocalNode,
): Promise<LocalContainer> {
  const { namespace = 'default', name } = workload.metadata;
  const spec = podSpecOf(workload);
  const container = spec.containers[0];
  const fields: Record<string, string> = {
    'metadata.name': workload.kind === 'Pod' ? name : `${name}-local`,
    'metadata.namespace': namespace,
    'spec.serviceAccountName': spec.serviceAccountName ?? 'default',
    ...(node && { 'spec.nodeName': node.name, 'status.hostIP': node.ip }),
  };
  const data = async (type: ResourceType, reference: { name: string; optional?: boolean }) => {
    const object = await client.tryGet(type, { namespace, name: reference.name });
    if (object) return decode(object);
    if (reference.optional) return {};
    throw new AzimuthError('AZ_REFERENCE_MISSING', `${type.kind} ${namespace}/${reference.name} does not exist yet`);
  };
  const key = (values: Record<string, string>, reference: { name: string; key: string; optional?: boolean }) => {
    const value = values[reference.key];
    if (value !== undefined || reference.optional) return value;
    throw new AzimuthError('AZ_REFERENCE_MISSING', `${namespace}/${reference.name} has no key ${reference.key} yet`);
  };

  const env: Record<string, string> = {};
  for (const { secretRef, configMapRef, prefix = '' } of container.envFrom ?? []) {
    const values = secretRef ? await data(secrets, secretRef) : await data(configMaps, configMapRef);
    for (const [entry, value] of Object.entries(values)) env[prefix + entry] = value;
  }
  for (const { name: variable, value, valueFrom } of container.env ?? []) {
    const resolved =
      value ??
      (valueFrom?.fieldRef && fields[valueFrom.fieldRef.fieldPath]) ??
      (valueFrom?.secretKeyRef && key(await data(secrets, valueFrom.secretKeyRef), valueFrom.secretKeyRef)) ??
      (valueFrom?.configMapKeyRef && key(await data(configMaps, valueFrom.configMapKeyRef), valueFrom.configMapKeyRef));
    if (resolved !== undefined) env[variable] = resolved;
  }

  const mounts: { name: string; mountPath: string }[] = container.volumeMounts ?? [];
  const hostPath = (path: string) =>
    mounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
      ? join(directory, path)
      : path;
  for (const { name: volume, mountPath } of mounts) {
    const { projected, secret } = spec.volumes?.find((each: { name: string }) => each.name === volume) ?? {};
    for (const source of secret ? [{ secret }] : (projected?.sources ?? [])) {
      for (const [path, content] of await files(source)) {
        const target = hostPath(`${mountPath}/${path}`);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, content, { mode: 0o600 });
      }
    }
  }
  for (const [variable, value] of Object.entries(env)) env[variable] = hostPath(value);
  const expanded = (words: readonly string[] = []) =>
    words.map((word) => word.replaceAll(/\$\(([A-Z_]\w*)\)/gi, (reference, variable) => env[variable] ?? reference));
  return { command: expanded(container.command), args: expanded(container.args), env, hostPath };

  // biome-ignore lint/suspicious/noExplicitAny: a source of a projected volume, one of several shapes
  async function files(source: any): Promise<[path: string, content: string][]> {
    if (source.serviceAccountToken) {
      const { path, audience, expirationSeconds } = source.serviceAccountToken;
      const account = { namespace, name: fields['spec.serviceAccountName'] as string };
      const answer = await client.createSubresource<{ status: { token: string } }>(serviceAccounts, account, 'token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds, ...(audience ? { audiences: [audience] } : {}) },
      });
      return [[path, answer.status.token]];
    }
    if (source.secret) return Object.entries(await data(secrets, { ...source.secret, name: source.secret.secretName }));
    if (source.configMap) {
      const values = await data(configMaps, { ...source.configMap, optional: true });
      return (source.configMap.items ?? [])
        .filter((item: { key: string }) => values[item.key] !== undefined)
        .map((item: { key: string; path: string }) => [item.path, values[item.key]]);
    }
    return (source.downwardAPI?.items ?? []).map((item: { path: string; fieldRef: { fieldPath: string } }) => [
      item.path,
      fields[item.fieldRef.fieldPath] ?? '',
    ]);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the API server checks the fields that are read
type PodSpec = any;

/** The pod spec of a workload's template, or of the pod itself. */
export function podSpecOf(workload: KubeObject): PodSpec {
  return workload['spec'].template?.spec ?? workload['spec'];
}

function decode(object: KubeObject): Record<string, string> {
  const values: Record<string, string> = object['data'] ?? {};
  if (object.kind !== 'Secret') return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]),
  );
}
