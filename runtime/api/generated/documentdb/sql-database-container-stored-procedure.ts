// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SqlDatabaseContainerStoredProcedureSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  /** @default Azure's own value */
  options?: {
    autoscaleSettings?: {
      maxThroughput?: number;
    };
    throughput?: number;
  };
  resource: {
    body?: string;
    id: string;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The SqlDatabaseContainer that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/SqlDatabaseContainer'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlDatabaseContainerStoredProcedure {
  spec: SqlDatabaseContainerStoredProcedureSpec;
  status?: ArmStatus;
}
