import { armResource } from '../../../api/arm/arm-resource.ts';
import { resourceOf } from '../../../api/kinds.ts';
import { namespaceCredential } from '../../../arm-kinds/names.ts';
import { tryCloudOfRegistry } from '../../../azure/clouds.ts';
import type { Credential } from '../../../azure/identity/credential.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import type { CredentialScopes } from '../../credentials/scopes.ts';
import type { ChildAccess } from '../child-access.ts';
import type { AcrTokens } from './acr-tokens.ts';
import type { PrivateToken, RegistryPlace } from './registry-tokens.ts';

/** Dependencies of `RegistryCredentials`. */
export interface RegistryCredentialsDeps {
  /** Of namespaces, without a hold on their Secrets. */
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  readonly scopes: Pick<CredentialScopes, 'bounds'>;
  readonly access: Pick<ChildAccess, 'check'>;
  readonly tokens: Pick<AcrTokens, 'obtain' | 'forget'>;
}

/**
 * Tokens of private registries with the credential of the namespace of a deployment. Never with the operator's own: no rule
 * says which registries a namespace may read with that. The right to create an ArmResource decides about the credential,
 * as it does for answers of Azure. Only registries of Azure Container Registry, in the cloud of the credential, get it.
 */
export class RegistryCredentials {
  readonly #deps: RegistryCredentialsDeps;

  constructor(deps: RegistryCredentialsDeps) {
    this.#deps = deps;
  }

  /** The tokens of one read of an artefact. */
  tokensFor(deployment: KubeObject): PrivateToken {
    const { tokens } = this.#deps;
    const { namespace = '' } = deployment.metadata;
    let credential: Credential | undefined;
    return {
      obtain: async (place, signal) => {
        credential = await this.#credentialFor(deployment, place, signal);
        return credential && (await tokens.obtain(place, credential, signal));
      },
      failRefused: (place) => {
        if (!credential) return;
        tokens.forget(place, credential);
        const what = `${place.registry.host} refuses ${place.repository} to the credential of the namespace ${namespace}`;
        throw refused(`${what}: give its identity the role AcrPull on the registry, and check that it has the digest`);
      },
    };
  }

  async #credentialFor(
    deployment: KubeObject,
    { registry, repository }: RegistryPlace,
    signal: AbortSignal,
  ): Promise<Credential | undefined> {
    const { access, credentials, scopes } = this.#deps;
    const { apiVersion, kind, metadata } = deployment;
    const { namespace = '', name } = metadata;
    const cloud = tryCloudOfRegistry(registry.hostname);
    if (cloud === undefined) return undefined;
    const reader: KubeObject = { apiVersion, kind, metadata: { namespace, name } };
    await access.check(deployment, { verb: 'create', type: resourceOf(armResource), name }, signal);
    const { credential, source, usesOperatorCredential } = await credentials.credentialFor(reader, signal);
    const what = `${registry.host} gives ${repository} to nobody without a credential`;
    if (!credential || source === 'global')
      throw refused(
        `${what}: give the namespace ${namespace} one in the Secret ${namespaceCredential}, whose identity has the role AcrPull on the registry`,
      );
    if (usesOperatorCredential && scopes.bounds(reader))
      throw refused(
        `${what}, and ${source} has the operator's identity: put a client secret or certificate into it, of an identity with the role AcrPull on the registry`,
      );
    if (credential.cloud.name !== cloud)
      throw refused(`${what}, and ${source} is for ${credential.cloud.name}, not for ${cloud}`);
    return credential;
  }
}

const refused = (message: string) => new AzimuthError('AZ_TERMINAL', message);
