// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, SecretMapReference } from '../../common-schemas.ts';

export interface ExtensionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  aksAssignedIdentity?: {
    type?: 'SystemAssigned' | 'UserAssigned';
  };
  /** @default Azure's own value */
  autoUpgradeMinorVersion?: boolean;
  /**
   * All values of a Secret of this namespace.
   * @default Azure's own value
   */
  configurationProtectedSettings?: SecretMapReference;
  /** @default Azure's own value */
  configurationSettings?: Record<string, string>;
  /** @default Azure's own value */
  extensionType?: string;
  /**
   * The managed identities that the resource itself uses.
   * @default Azure's own value
   */
  identity?: {
    /**
     * Always `SystemAssigned`.
     * @default Azure's own value
     */
    type?: 'SystemAssigned';
  };
  /** @default Azure's own value */
  plan?: {
    name: string;
    product: string;
    promotionCode?: string;
    publisher: string;
    version?: string;
  };
  /** @default Azure's own value */
  releaseTrain?: string;
  /** @default Azure's own value */
  scope?: {
    cluster?: {
      releaseNamespace?: string;
    };
    namespace?: {
      targetNamespace?: string;
    };
  };
  /** @default Azure's own value */
  statuses?: ({
    code?: string;
    displayStatus?: string;
    level?: 'Error' | 'Information' | 'Warning';
    message?: string;
    time?: string;
  })[];
  /**
   * Only in v1api20230501.
   * @default Azure's own value
   */
  systemData?: {
    createdAt?: string;
    createdBy?: string;
    createdByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
    lastModifiedAt?: string;
    lastModifiedBy?: string;
    lastModifiedByType?: 'Application' | 'Key' | 'ManagedIdentity' | 'User';
  };
  /** @default Azure's own value */
  version?: string;
  /** The resource that it extends, by construct or ARM id. */
  owner: ArmReference;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, 'principalId'>;
}

export interface Extension {
  spec: ExtensionSpec;
  status?: ArmStatus;
}
