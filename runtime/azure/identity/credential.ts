import { AzimuthError } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import type { Authorizer, CloudEnvironment } from '../types.ts';
import type { EntraDeps } from './entra-client.ts';
import type { Imds } from './imds.ts';

/** The path of the projected service account token, as in ASO's deployments. */
export const DEFAULT_TOKEN_FILE = '/var/run/secrets/tokens/azure-identity';

/** The parts that authorizers share, and the settings of credentials in Secrets. */
export interface CredentialDeps extends EntraDeps {
  readonly imds: Imds;
  /** Settings of credentials in Secrets; the settings of a call win. */
  readonly inSecrets?: Omit<SecretCredentialOptions, 'source'>;
}

/** An authorizer with its cloud, tenant and subscription. */
export interface Credential {
  readonly authorizer: Authorizer;
  readonly cloud: CloudEnvironment;
  readonly subscriptionId: string | undefined;
  readonly tenantId: string | undefined;
  readonly clientId: string | undefined;
  /**
   * The credential authenticates with a service account token, a file or the metadata endpoint of the program's own pod:
   * its client id alone is enough to use it.
   */
  readonly ambient?: boolean;
  /** Tenants besides `tenantId` in which the credential may ask for tokens; `*` = any. */
  readonly additionalTenants: readonly string[];
}

/** Options of a credential that a Secret of a namespace holds. */
export interface SecretCredentialOptions {
  /** `namespace/name`, for messages. */
  readonly source: string;
  /** Whether the Secret may choose a cloud of its own (ALLOW_MULTI_ENV_MANAGEMENT). @default false */
  readonly allowMultiEnvironment?: boolean;
  /**
   * Whether that cloud must be one of Azure's own. Otherwise the program calls, from inside the cluster, whatever server
   * a tenant names, and shows its answers. @default false
   */
  readonly onlyAzureClouds?: boolean;
  /** The service account token of the program's pod. @default DEFAULT_TOKEN_FILE */
  readonly tokenFile?: string;
  /** Directories of the files that Secrets may name (AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS). @default none */
  readonly identityFileDirectories?: readonly string[];
}

/**
 * Reports an unusable certificate as a failure to sign in, which the caller retries: the next try may find a complete
 * file.
 */
export function authFailures(authorizer: Authorizer): Authorizer {
  return {
    get description() {
      return authorizer.description;
    },
    getToken: (request) =>
      authorizer.getToken(request).catch((cause: unknown) => {
        if (!(cause instanceof AzimuthError && cause.code === 'AZ_CONFIG_INVALID')) throw cause;
        throw new AzimuthError('AZ_AUTH_FAILED', cause.message, { cause });
      }),
  };
}

/** The parts of a list that commas or semicolons separate. */
export function listOf(value: string | undefined): string[] {
  return (value ?? '').split(/[,;]/).flatMap((part) => normalizeText(part) || []);
}
