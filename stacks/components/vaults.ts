import { Vault } from '@pulumi/azure-native/keyvault/index.js';
import * as pulumi from '@pulumi/pulumi';

/** Properties of `Vaults`. */
export interface VaultsArgs {
  readonly resourceGroupName: pulumi.Input<string>;
  /** The tenant whose tokens the vaults accept. */
  readonly tenantId: string;
  /** The region of each vault by the vault's name; the first is the home of ManagedSecrets. */
  readonly locations: Readonly<Record<string, string>>;
  /**
   * Days in which a deleted vault or secret can be restored: 7 to 90.
   *
   * @default 90
   */
  readonly retentionDays?: number | undefined;
  /**
   * Whether nobody can purge a deleted vault before `retentionDays`. Azure never switches it off again.
   *
   * @default true
   */
  readonly purgeProtection?: boolean | undefined;
  /**
   * Whether machines may take certificates out of the vaults when they are created (`enabledForDeployment`).
   *
   * @default false
   */
  readonly forMachines?: boolean | undefined;
}

const nameForm = /^[a-zA-Z](?!.*--)[a-zA-Z0-9-]{1,22}[a-zA-Z0-9]$/;

/**
 * Key Vaults whose access is decided by roles alone, one or more in each region.
 *
 * @throws where there is none, or a name is none that Azure takes
 */
export class Vaults extends pulumi.ComponentResource {
  /** ARM ids by name. */
  readonly ids: Readonly<Record<string, pulumi.Output<string>>>;
  /** URLs by name, such as https://shop.vault.azure.net/. */
  readonly uris: Readonly<Record<string, pulumi.Output<string>>>;

  constructor(name: string, args: VaultsArgs, options?: pulumi.ComponentResourceOptions) {
    super('azimuth:index:Vaults', name, {}, options);
    const { retentionDays = 90, purgeProtection = true, forMachines = false, tenantId, resourceGroupName } = args;
    const names = Object.keys(args.locations);
    const wrong = names.find((vault) => !nameForm.test(vault));
    if (names.length === 0 || wrong !== undefined) {
      const found = wrong === undefined ? 'none' : `\`${wrong}\``;
      throw new Error(`Expected vaults with names of 3 to 24 letters, digits and single hyphens, got ${found}`);
    }
    const vaults = Object.entries(args.locations).map(([vaultName, location]) => {
      const properties = {
        tenantId,
        sku: { family: 'A', name: 'standard' as const },
        enableRbacAuthorization: true,
        enabledForDeployment: forMachines,
        enableSoftDelete: true,
        softDeleteRetentionInDays: retentionDays,
        // Azure refuses `false`: the property is true or absent.
        ...(purgeProtection && { enablePurgeProtection: true }),
      };
      return [
        vaultName,
        new Vault(vaultName, { resourceGroupName, vaultName, location, properties }, { parent: this }),
      ] as const;
    });
    this.ids = Object.fromEntries(vaults.map(([vaultName, vault]) => [vaultName, vault.id]));
    this.uris = Object.fromEntries(
      vaults.map(([vaultName, vault]) => [vaultName, vault.properties.apply(({ vaultUri }) => vaultUri ?? '')]),
    );
    this.registerOutputs({ ids: this.ids, uris: this.uris });
  }
}
