import { createHash } from 'node:crypto';
import { AzimuthError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { AllowedTargets, DocumentRequest } from '../targets/allowed-targets.ts';
import type { RegistryCredentials } from './registry-credentials.ts';
import { otherHosts, type RegistryRule } from './registry-rules.ts';
import { RegistryToken } from './registry-token.ts';

/** Characters of the templates of one artefact: Azure's limit. */
const maxCharacters = 4 * 1024 * 1024;
const maxManifestBytes = 1024 * 1024;
const maxFiles = 100;
const manifestTypes = 'application/vnd.oci.image.manifest.v1+json';
/** The annotation with the path of a layer's file, as ORAS writes it. */
const titleAnnotation = 'org.opencontainers.image.title';
const registryForm = /^[a-z0-9.-]{1,253}(:\d{1,5})?$/;
/** Each part begins with a letter or a digit: `..` would ask another path of the host. */
const repositoryForm = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;
const maxRepository = 255;
const digestForm = /^sha256:[0-9a-f]{64}$/;

interface Layer {
  readonly digest: string;
  readonly size: number;
  /** Path of the file. */
  readonly title: string;
}

/**
 * Templates from OCI artefacts, by digest. The reference is a tenant's: only registries of the operator's list are asked, by
 * HTTPS, and every byte has the digest that names it.
 */
export class OciTemplates {
  readonly #targets: Pick<AllowedTargets, 'document'>;
  readonly #rules: readonly RegistryRule[];
  readonly #credentials: Pick<RegistryCredentials, 'tokensFor'> | undefined;

  /** Without `credentials` all artefacts must be public. */
  constructor(
    targets: Pick<AllowedTargets, 'document'>,
    rules: readonly RegistryRule[],
    credentials?: Pick<RegistryCredentials, 'tokensFor'>,
  ) {
    this.#targets = targets;
    this.#rules = rules;
    this.#credentials = credentials;
  }

  /**
   * The texts of an artefact by path; one without a path has the last part of the repository's name. The credential of
   * the deployment that reads counts where the registry gives nothing without one. Rejects with AZ_TERMINAL for a
   * registry, digest or size that is refused, and with the failure of the connection.
   */
  async read(reference: string, signal: AbortSignal, reader?: KubeObject): Promise<Readonly<Record<string, string>>> {
    const [name = '', digest = ''] = reference.split('@');
    const slash = name.indexOf('/');
    const [registry, repository] = [name.slice(0, slash), name.slice(slash + 1)];
    const isRepository = repository.length <= maxRepository && repositoryForm.test(repository);
    const isReference = registryForm.test(registry) && isRepository && digestForm.test(digest);
    if (slash === -1 || !isReference) throw refused(`${reference} is not registry/repository@sha256:digest`);
    const from = `https://${registry}/v2/${repository}`;
    const others = otherHosts(new URL(from), this.#rules);
    const place = { registry: new URL(from), repository, others };
    const token = new RegistryToken(this.#targets, place, reader && this.#credentials?.tokensFor(reader));
    const request = { accept: manifestTypes, redirects: others, token };
    const whole = { ...request, maxBytes: maxManifestBytes };
    const manifest = await this.#verified(`${from}/manifests/${digest}`, digest, whole, signal);
    const layers = layersOf(manifest, repository);
    const size = layers.reduce((sum, each) => sum + each.size, 0);
    if (layers.length > maxFiles || !(size <= maxCharacters))
      throw refused(`${reference} has more than ${maxFiles} files or ${maxCharacters} bytes: split it`);
    const texts: Record<string, string> = {};
    for (const { title, digest: ofLayer, size: maxBytes } of layers)
      texts[title] = await this.#verified(`${from}/blobs/${ofLayer}`, ofLayer, { ...request, maxBytes }, signal);
    return texts;
  }

  async #verified(url: string, digest: string, request: DocumentRequest, signal: AbortSignal): Promise<string> {
    const text = await this.#targets.document(url, request, signal);
    const actual = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    if (actual !== digest) throw refused(`${url} is answered with the digest ${actual}`);
    return text;
  }
}

function layersOf(manifest: string, repository: string): readonly Layer[] {
  const { layers } = JSON.parse(manifest) as { layers?: unknown };
  return (Array.isArray(layers) ? layers : []).map((layer: unknown) => {
    const { digest, size, annotations } = isObject(layer) ? layer : {};
    const title = isObject(annotations) ? annotations[titleAnnotation] : undefined;
    const isLayer = digestForm.test(String(digest)) && Number.isInteger(size) && (size as number) >= 0;
    if (!isLayer) throw refused('a layer of the artefact has no SHA-256 digest or no size');
    const name = typeof title === 'string' ? title : (repository.split('/').at(-1) ?? '');
    return { digest: String(digest), size: size as number, title: name };
  });
}

const refused = (message: string) => new AzimuthError('AZ_TERMINAL', message);
