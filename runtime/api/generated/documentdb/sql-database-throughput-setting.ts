// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SqlDatabaseThroughputSettingSpec {
  /**
   * Azure region, such as westeurope.
   * @default Azure's own value
   */
  location?: string;
  resource: {
    autoscaleSettings?: {
      autoUpgradePolicy?: {
        throughputPolicy?: {
          incrementPercent?: number;
          isEnabled?: boolean;
        };
      };
      maxThroughput: number;
    };
    throughput?: number;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The SqlDatabase that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/SqlDatabase'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface SqlDatabaseThroughputSetting {
  spec: SqlDatabaseThroughputSettingSpec;
  status?: ArmStatus;
}
