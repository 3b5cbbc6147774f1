import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

const POLL_MS = 100;
const ESTABLISHED_LIMIT_MS = 120_000;

/** CustomResourceDefinitions, as the client addresses them. */
export const customResourceDefinitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};

/**
 * The objects of YAML files, in order, with `${name}` replaced by the value of that name.
 *
 * @throws AzimuthError AZ_CONFIG_INVALID naming the file and YAML's own complaint
 */
export async function readManifests(
  files: readonly string[],
  values: Readonly<Record<string, string>> = {},
): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const document of parseAllDocuments(text.replaceAll(/\$\{(\w+)\}/g, (all, name) => values[name] ?? all))) {
      const [problem] = document.errors;
      if (problem) throw new AzimuthError('AZ_CONFIG_INVALID', `${file}: ${problem.message}`);
      const object = document.toJS() as KubeObject | null;
      if (object) objects.push(object);
    }
  }
  return objects;
}

/** Applies manifests as `kubectl apply --server-side` does, finding kinds in the server's discovery. */
export class Applier {
  readonly #client: KubeClient;
  readonly #types = new Map<string, Map<string, ResourceType>>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async apply(object: KubeObject): Promise<KubeObject> {
    const type = await this.typeOf(object);
    return this.#client.apply(type, object, { fieldManager: 'azimuth-demo' });
  }

  /** @throws AzimuthError AZ_KIND_UNKNOWN when the server does not serve the kind */
  async typeOf({ apiVersion, kind }: KubeObject): Promise<ResourceType> {
    let types = this.#types.get(apiVersion);
    if (!types?.has(kind)) {
      types = await this.#discover(apiVersion);
      this.#types.set(apiVersion, types);
    }
    const type = types.get(kind);
    if (!type) throw new AzimuthError('AZ_KIND_UNKNOWN', `The API server has no kind ${kind} in ${apiVersion}`);
    return type;
  }

  async #discover(apiVersion: string): Promise<Map<string, ResourceType>> {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { resources } = await this.#client.raw<{ resources: { name: string; kind: string; namespaced: boolean }[] }>(
      path,
    );
    return new Map(
      resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced }) => [kind, { group, version, plural: name, kind, namespaced }]),
    );
  }
}

/** Waits until the API server serves the definitions of these names. */
export async function definitionsEstablished(client: KubeClient, names: readonly string[]): Promise<void> {
  const deadline = performance.now() + ESTABLISHED_LIMIT_MS;
  for (const name of names) {
    for (;;) {
      const definition = await client.get(customResourceDefinitions, { name });
      const conditions: { type: string; status: string; message?: string }[] = definition['status']?.conditions ?? [];
      if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) break;
      if (performance.now() > deadline) {
        const reasons = conditions.map(({ type, status, message = '' }) => `${type}=${status} ${message}`).join('; ');
        throw new AzimuthError('AZ_KUBE_STATUS', `The definition ${name} was not established in time: ${reasons}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
