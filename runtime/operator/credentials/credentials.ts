import { annotations, namespaceCredential, reasons } from '../../arm-kinds/names.ts';
import { annotationOf } from '../../arm-kinds/policy.ts';
import type { Credential, CredentialDeps } from '../../azure/identity/credential.ts';
import { authorizerFromSecret } from '../../azure/identity/credential-from-secret.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Edge, Wait } from '../../engine/index.ts';
import type { Cache, WatchedCache } from '../../kube/cache/types.ts';
import { secretsType } from '../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';
import type { CredentialOf } from '../objects/acquisition.ts';
import { nodeId } from '../objects/node-id.ts';
import type { CredentialFinalizers } from './in-use-finalizer.ts';

/** The credential of an object, and the graph edges and waits of that choice. */
export interface ChosenCredential {
  /** Undefined while its Secret is missing. */
  readonly credential: Credential | undefined;
  /** `namespace/name` of the Secret, or `global`. */
  readonly source: string;
  readonly edges: readonly Edge[];
  readonly waits: readonly Wait[];
  /** The operator's own credential, or one with the operator's identity: the namespace has no secret for it. */
  readonly usesOperatorCredential: boolean;
  readonly credentialOf: CredentialOf;
}

/** Characters of all Secrets whose credentials stay in memory; a usual one has 300, a certificate 5,000. */
const mostKept = 8 * 1024 * 1024;

/** How the Secret of a credential is kept while objects use it. */
export type SecretHold = Pick<CredentialFinalizers, 'ensure' | 'isGone'>;

/** Chooses the credential of an object: that of its annotation, else of its namespace, else the operator's own. */
export class Credentials {
  readonly #client: KubeClient;
  readonly #global: Credential;
  readonly #deps: CredentialDeps;
  /** The names of all Secrets, without content. */
  readonly #secrets: Cache;
  readonly #finalizers: SecretHold;
  /**
   * By the name of the Secret, weighed by its characters, and shared out by namespace: opening a PKCS#12 file takes as
   * long as the rest of a reconcile run.
   */
  readonly #known = new SharedLru<{ readonly version: string; readonly credential: Credential }>(mostKept);

  constructor(
    client: KubeClient,
    global: Credential,
    deps: CredentialDeps,
    secrets: WatchedCache,
    finalizers: SecretHold,
  ) {
    // The content of a Secret is dropped when the Secret is deleted.
    secrets.onChange((change) => {
      if (change.type !== 'deleted') return;
      const { namespace, name } = change.old.metadata;
      this.#known.delete(`${namespace}/${name}`);
    });
    this.#finalizers = finalizers;
    this.#client = client;
    this.#global = global;
    this.#deps = deps;
    this.#secrets = secrets;
  }

  /** The edge to the Secret that the choice depends on. */
  edgeOf(object: KubeObject): Edge {
    const { namespace = '' } = object.metadata;
    const name = annotationOf(object, annotations.credentialFrom) ?? namespaceCredential;
    return { kind: 'secret', to: nodeId('', 'Secret', { namespace, name }) };
  }

  /** Throws AZ_CONFIG_INVALID naming Secret and key if the Secret has no valid credential. */
  async credentialFor(object: KubeObject, signal: AbortSignal): Promise<ChosenCredential> {
    const { metadata } = object;
    const { namespace = '', annotations: objectAnnotations } = metadata;
    const named = annotationOf(object, annotations.credentialFrom);
    if (named?.includes('/')) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `Expected the annotation ${annotations.credentialFrom} to name a Secret of the same namespace, got \`${named}\``,
      );
    }
    const shared = { namespace, name: namespaceCredential };
    const name = named ?? namespaceCredential;
    const edge = this.edgeOf(object);
    const source = `${namespace}/${name}`;
    const global: ChosenCredential = {
      credential: this.#global,
      source: 'global',
      edges: [edge],
      waits: [],
      usesOperatorCredential: true,
      credentialOf: 'operator',
    };
    const missing = (message: string): ChosenCredential => {
      const wait: Wait = { kind: 'secret', node: edge.to, reason: reasons.secretNotFound, message };
      return {
        credential: undefined,
        source,
        edges: [edge],
        waits: [wait],
        usesOperatorCredential: false,
        credentialOf: 'namespace',
      };
    };
    const without = (): ChosenCredential => {
      this.#known.delete(source);
      if (named !== undefined) return missing(`Secret ${name}, which is to hold the credential, does not exist`);
      // Another credential may not see the resource, which would then count as deleted.
      const madeWith = objectAnnotations?.[annotations.credential] ?? '';
      if (metadata.deletionTimestamp === undefined || madeWith !== source) return global;
      return missing(
        `The resource was made with the credential in Secret ${name}, which does not exist: make it again, or set ${annotations.reconcilePolicy} to detach-on-delete`,
      );
    };
    // Before the first request to Azure, reads past the cache: it may lack a Secret that was applied with the object.
    const used = objectAnnotations?.[annotations.resourceId] !== undefined;
    if (named === undefined && used && !this.#secrets.get(shared)) return without();
    const secret = await this.#client.tryGet(secretsType, { namespace, name }, signal);
    if (!secret || (await this.#finalizers.isGone(secret, signal))) return without();
    const credential = this.#credentialIn(secret, source);
    await this.#finalizers.ensure(secret, signal);
    const usesOperatorCredential = credential.ambient === true;
    const sameCloud = credential.cloud.resourceManagerEndpoint === this.#global.cloud.resourceManagerEndpoint;
    const credentialOf = !sameCloud ? 'other-cloud' : usesOperatorCredential ? 'operator' : 'namespace';
    return { credential, source, edges: [edge], waits: [], usesOperatorCredential, credentialOf };
  }

  /** One credential for each content of the Secret; it requests a new token for each use. */
  #credentialIn(secret: KubeObject, source: string): Credential {
    const { namespace = '', uid, resourceVersion } = secret.metadata;
    const version = `${uid}/${resourceVersion}`;
    const knownCredential = this.#known.get(source);
    if (knownCredential?.version === version) return knownCredential.credential;
    const data = (secret['data'] ?? {}) as Record<string, string>;
    const credential = authorizerFromSecret(data, this.#deps, { source });
    const characters = Object.values(data).reduce((sum, { length }) => sum + length, 0);
    this.#known.set(source, { version, credential }, namespace, Math.max(characters, 1024));
    return credential;
  }
}
