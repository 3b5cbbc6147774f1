import type { AzureNames } from '../../api/arm/key-vault-outputs.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { serviceDomains } from '../../azure/clouds.ts';
import type { Credential, CredentialDeps } from '../../azure/identity/credential.ts';
import { KeyVault } from '../../azure/key-vault/client.ts';
import { vaultUrl } from '../../azure/key-vault/vault-names.ts';
import type { VaultOptions } from '../../azure/key-vault/vault-requests.ts';
import type { CloudEnvironment } from '../../azure/types.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';

/** Milliseconds that a vault may need to delete or recover a secret before the run fails and is tried again. */
const maxStateWaitMs = 10_000;

/** The reconcile run that a vault is opened for. */
export type VaultContext = Required<Pick<VaultOptions, 'correlationId' | 'onRequest'>>;

/** Opens vaults with the credential of the object that writes into them. */
export class Vaults {
  /** Name or URL of the vault for objects that name none. */
  readonly operatorVault: string | undefined;
  readonly #deps: Pick<CredentialDeps, 'dispatcher'>;
  readonly #clock: Clock;
  readonly #mayWrite: () => void;

  /** `mayWrite` throws once the operator may write no more. */
  constructor(deps: Pick<CredentialDeps, 'dispatcher'>, clock: Clock, mayWrite: () => void, operatorVault?: string) {
    this.operatorVault = operatorVault;
    this.#mayWrite = mayWrite;
    this.#deps = deps;
    this.#clock = clock;
  }

  /** Whether a vault is the operator's own, into which all namespaces that scopes bound may write. */
  isOperatorVault({ host }: URL, { cloud }: Credential): boolean {
    return this.operatorVault !== undefined && vaultUrl(this.operatorVault, cloud).host === host;
  }

  /**
   * The vault for one run, with the run's correlation id. Throws AZ_TERMINAL for a URL outside of the cloud's own
   * vault domain, because values and tokens would go there.
   */
  open(vault: string, { cloud, authorizer, tenantId }: Credential, run: VaultContext): KeyVault {
    const url = vaultUrlIn(cloud, vault);
    return new KeyVault({
      vault: url.href,
      cloud,
      authorizer,
      dispatcher: this.#deps.dispatcher,
      clock: this.#clock,
      mayWrite: this.#mayWrite,
      maxStateWaitMs,
      shareReadTokens: true,
      ...run,
      ...(tenantId !== undefined && { presumeTenant: tenantId }),
    });
  }
}

/** The URL of a vault in this cloud. Throws AZ_TERMINAL for any other host. */
export function vaultUrlIn(cloud: CloudEnvironment, vault: string): URL {
  const url = vaultUrl(vault, cloud);
  const domain = `.${cloud.keyVaultDnsSuffix.toLowerCase()}`;
  if (url.host.endsWith(domain) && !url.host.slice(0, -domain.length).includes('.')) return url;
  throw new AzimuthError('AZ_TERMINAL', `${url.host} is no vault of ${cloud.name}: those are named <vault>${domain}`);
}

/** Name of the vault with this ARM id. Throws AZ_TERMINAL for an ARM id of another type. */
export function vaultNameOf(armId: string): string {
  const parsed = tryParseResourceId(armId);
  if (parsed?.type.toLowerCase() === 'microsoft.keyvault/vaults') return parsed.name;
  throw new AzimuthError('AZ_TERMINAL', `operatorSpec.keyVault.vaultReference is ${armId}, which is no Key Vault`);
}

/** The variable `azure` in the CEL of v1's keys. */
export function azureNames(resourceId: string, cloud: CloudEnvironment): AzureNames {
  const segments = resourceId.split('/').filter(Boolean);
  const pairs = segments.flatMap((segment, index) => {
    const next = segments[index + 1];
    return next === undefined ? [] : [[segment.toLowerCase(), next] as const];
  });
  const { storage, sql } = serviceDomains(cloud);
  return { name: segments.at(-1) ?? '', names: Object.fromEntries(pairs), storageDomain: storage, sqlDomain: sql };
}
