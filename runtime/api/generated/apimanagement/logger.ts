// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretMapReference } from '../../common-schemas.ts';

export interface LoggerSpec {
  /**
   * Name in Azure. At most 256 characters. Pattern: `^[^*#&+:<>?]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * All values of a Secret of this namespace.
   * @default Azure's own value
   */
  credentials?: SecretMapReference;
  /**
   * At most 256 characters.
   * @default Azure's own value
   */
  description?: string;
  /** @default Azure's own value */
  isBuffered?: boolean;
  loggerType: 'applicationInsights' | 'azureEventHub' | 'azureMonitor';
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  resourceReference?: ArmReference;
  /** The Service that it is in, by construct or ARM id. */
  owner: KnownOwner<'apimanagement.azure.com/Service'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Logger {
  spec: LoggerSpec;
  status?: ArmStatus;
}
