// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, CredentialsSpec, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ServerSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  administratorLogin?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  administratorLoginPassword?: SecretKeyReference;
  /** @default Azure's own value */
  administrators?: {
    /**
     * Always `ActiveDirectory`.
     * @default Azure's own value
     */
    administratorType?: 'ActiveDirectory';
    azureADOnlyAuthentication?: boolean;
    login?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `login`.
     * @default Azure's own value
     */
    loginFromConfig?: ConfigMapKeyReference;
    principalType?: 'Application' | 'Group' | 'User';
    /**
     * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
     * @default Azure's own value
     */
    sid?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `sid`.
     * @default Azure's own value
     */
    sidFromConfig?: ConfigMapKeyReference;
    /**
     * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
     * @default Azure's own value
     */
    tenantId?: string;
    /**
     * A value of a ConfigMap of this namespace, in place of `tenantId`.
     * @default Azure's own value
     */
    tenantIdFromConfig?: ConfigMapKeyReference;
  };
  /**
   * Whether the server is new or restores a deleted one of its name.
   * @default Azure's own value
   */
  createMode?: 'Normal' | 'Restore';
  /**
   * Pattern: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`.
   * @default Azure's own value
   */
  federatedClientId?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Which managed identities it uses: its own, user-assigned ones, or both.
     * @default Azure's own value
     */
    type?: 'None' | 'SystemAssigned' | 'SystemAssigned,UserAssigned' | 'UserAssigned';
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
   * Whether clients can connect by IPv6.
   * @default Azure's own value
   */
  isIPv6Enabled?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  keyId?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  minimalTlsVersion?: string;
  /**
   * By construct or ARM id: UserAssignedIdentity.
   * @default Azure's own value
   */
  primaryUserAssignedIdentityReference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
  /** @default Azure's own value */
  publicNetworkAccess?: 'Disabled' | 'Enabled' | 'SecuredByPerimeter';
  /** @default Azure's own value */
  restrictOutboundNetworkAccess?: 'Disabled' | 'Enabled';
  /**
   * How long the server can be restored after its deletion, in days.
   * @default Azure's own value
   */
  retentionDays?: number;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  version?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'fullyQualifiedDomainName', 'username' | 'password' | 'fullyQualifiedUsername' | 'azureSqlServerName' | 'fullyQualifiedServerName'> & CredentialsSpec;
}

export interface Server {
  spec: ServerSpec;
  status?: ArmStatus;
}
