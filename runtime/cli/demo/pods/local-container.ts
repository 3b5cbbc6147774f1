import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AzimuthError } from '../../../base/errors.ts';
import { configMapsType, secretsType, serviceAccountsType } from '../../../kube/client/core-types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../kube/client/types.ts';

/** A container as a local process. */
export interface LocalContainer {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The path on this machine of a path in the container. */
  hostPath(path: string): string;
}

/** The node name of the demonstration's pods. */
export interface LocalNode {
  readonly name: string;
  readonly ip: string;
}

/**
 * The part of a kubelet that the demonstration needs: turns the first container of a pod, or of a workload's template,
 * into the arguments, environment and files of a local process. Writes volumes of Secrets, tokens, config maps and pod fields
 * below `directory`, and rewrites environment values that point into a volume.
 *
 * @throws AzimuthError AZ_REFERENCE_MISSING when a Secret or ConfigMap that the container needs is missing.
 */
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
  const values = new ReferencedValues(client, namespace, fields);
  const env = await values.environment(container);
  const mounts: { name: string; mountPath: string }[] = container.volumeMounts ?? [];
  const hostPath = (path: string) =>
    mounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
      ? join(directory, path)
      : path;
  for (const { name: volume, mountPath } of mounts) {
    const { projected, secret } = spec.volumes?.find((each: { name: string }) => each.name === volume) ?? {};
    for (const source of secret ? [{ secret }] : (projected?.sources ?? [])) {
      for (const [path, content] of await values.files(source)) {
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
}

/** The values that the container of a pod names: of Secrets, ConfigMaps, tokens and fields of the pod. */
class ReferencedValues {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #fields: Readonly<Record<string, string>>;

  constructor(client: KubeClient, namespace: string, fields: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#namespace = namespace;
    this.#fields = fields;
  }

  /** The variables of a container, without the paths of this machine. */
  async environment(container: Container): Promise<Record<string, string>> {
    const env: Record<string, string> = {};
    for (const { secretRef, configMapRef, prefix = '' } of container.envFrom ?? []) {
      const values = secretRef
        ? await this.#data(secretsType, secretRef)
        : await this.#data(configMapsType, configMapRef);
      for (const [entry, value] of Object.entries(values)) env[prefix + entry] = value;
    }
    for (const { name: variable, value, valueFrom } of container.env ?? []) {
      const resolved =
        value ??
        (valueFrom?.fieldRef && this.#fields[valueFrom.fieldRef.fieldPath]) ??
        (valueFrom?.secretKeyRef && (await this.#key(secretsType, valueFrom.secretKeyRef))) ??
        (valueFrom?.configMapKeyRef && (await this.#key(configMapsType, valueFrom.configMapKeyRef)));
      if (resolved !== undefined) env[variable] = resolved;
    }
    return env;
  }

  /** The files of one source of a projected volume. */
  // biome-ignore lint/suspicious/noExplicitAny: a source of a projected volume, one of several shapes
  async files(source: any): Promise<[path: string, content: string][]> {
    const fields = this.#fields;
    if (source.serviceAccountToken) {
      const { path, audience, expirationSeconds } = source.serviceAccountToken;
      const account = { namespace: this.#namespace, name: fields['spec.serviceAccountName'] as string };
      const request = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds, ...(audience ? { audiences: [audience] } : {}) },
      };
      const answer: TokenAnswer = await this.#client.createSubresource(serviceAccountsType, account, 'token', request);
      return [[path, answer.status.token]];
    }
    if (source.secret) {
      return Object.entries(await this.#data(secretsType, { ...source.secret, name: source.secret.secretName }));
    }
    if (source.configMap) {
      const values = await this.#data(configMapsType, { ...source.configMap, optional: true });
      return (source.configMap.items ?? [])
        .filter((item: { key: string }) => values[item.key] !== undefined)
        .map((item: { key: string; path: string }) => [item.path, values[item.key]]);
    }
    return (source.downwardAPI?.items ?? []).map((item: { path: string; fieldRef: { fieldPath: string } }) => [
      item.path,
      fields[item.fieldRef.fieldPath] ?? '',
    ]);
  }

  async #data(type: ResourceType, { name, optional }: Reference): Promise<Record<string, string>> {
    const object = await this.#client.tryGet(type, { namespace: this.#namespace, name });
    if (object) return decode(object);
    if (optional) return {};
    throw new AzimuthError('AZ_REFERENCE_MISSING', `${type.kind} ${this.#namespace}/${name} does not exist yet`);
  }

  async #key(type: ResourceType, reference: Reference & { readonly key: string }): Promise<string | undefined> {
    const value = (await this.#data(type, reference))[reference.key];
    if (value !== undefined || reference.optional) return value;
    const message = `${this.#namespace}/${reference.name} has no key ${reference.key} yet`;
    throw new AzimuthError('AZ_REFERENCE_MISSING', message);
  }
}

/** A Secret or a ConfigMap, as a container names it. */
interface Reference {
  readonly name: string;
  readonly optional?: boolean;
}

interface TokenAnswer {
  readonly status: { readonly token: string };
}

// biome-ignore lint/suspicious/noExplicitAny: the API server checks the fields that are read
type Container = any;

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
