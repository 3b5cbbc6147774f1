// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ServersFailoverGroupSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  databasesReferences?: (ArmReference<'sql.azure.com/ServersDatabase'>)[];
  partnerServers: ({
    /** By construct or ARM id: Server. */
    reference: ArmReference<'sql.azure.com/Server'>;
  })[];
  /** @default Azure's own value */
  readOnlyEndpoint?: {
    failoverPolicy?: 'Disabled' | 'Enabled';
    /**
     * By construct or ARM id: Server.
     * @default Azure's own value
     */
    targetServerReference?: ArmReference<'sql.azure.com/Server'>;
  };
  readWriteEndpoint: {
    failoverPolicy: 'Automatic' | 'Manual';
    failoverWithDataLossGracePeriodMinutes?: number;
  };
  /**
   * Whether the secondary serves reads (Geo) or only stands by (Standby).
   * @default Azure's own value
   */
  secondaryType?: 'Geo' | 'Standby';
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The Server that it is in, by construct or ARM id. */
  owner: KnownOwner<'sql.azure.com/Server'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never, 'azureSqlPrimaryServer' | 'readWriteListenerEndpoint' | 'azureSqlSecondaryServer' | 'readOnlyListenerEndpoint'>;
}

export interface ServersFailoverGroup {
  spec: ServersFailoverGroupSpec;
  status?: ArmStatus;
}
