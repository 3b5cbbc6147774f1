// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface FactorySpec {
  /**
   * Name in Azure. 3 to 63 characters. Pattern: `^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties that have no field of their own, by name.
   * @default Azure's own value
   */
  additionalProperties?: Record<string, unknown>;
  /** @default Azure's own value */
  encryption?: {
    identity?: {
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      userAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    };
    keyName: string;
    keyVersion?: string;
    vaultBaseUrl: string;
  };
  /** @default Azure's own value */
  globalParameters?: Record<string, {
    type: 'Array' | 'Bool' | 'Float' | 'Int' | 'Object' | 'String';
    value: Record<string, unknown>;
  }>;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  purviewConfiguration?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    purviewResourceReference?: ArmReference;
  };
  /** @default Azure's own value */
  repoConfiguration?: {
    /**
     * The form whose `type` is `FactoryGitHubConfiguration`.
     * @default Azure's own value
     */
    factoryGitHubConfiguration?: {
      accountName: string;
      clientId?: string;
      clientSecret?: {
        byoaSecretAkvUrl?: string;
        byoaSecretName?: string;
      };
      collaborationBranch: string;
      disablePublish?: boolean;
      hostName?: string;
      lastCommitId?: string;
      repositoryName: string;
      rootFolder: string;
      /** Always `FactoryGitHubConfiguration`. */
      type: 'FactoryGitHubConfiguration';
    };
    /**
     * The form whose `type` is `FactoryVSTSConfiguration`.
     * @default Azure's own value
     */
    factoryVSTSConfiguration?: {
      accountName: string;
      collaborationBranch: string;
      disablePublish?: boolean;
      lastCommitId?: string;
      projectName: string;
      repositoryName: string;
      rootFolder: string;
      tenantId?: string;
      /** Always `FactoryVSTSConfiguration`. */
      type: 'FactoryVSTSConfiguration';
    };
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Factory {
  spec: FactorySpec;
  status?: ArmStatus;
}
