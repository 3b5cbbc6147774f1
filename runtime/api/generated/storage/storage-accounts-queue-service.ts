// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsQueueServiceSpec {
  /** @default Azure's own value */
  cors?: {
    /** @default sent as null */
    corsRules?: ({
      allowedHeaders: string[];
      allowedMethods: ('CONNECT' | 'DELETE' | 'GET' | 'HEAD' | 'MERGE' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT' | 'TRACE')[];
      allowedOrigins: string[];
      exposedHeaders: string[];
      maxAgeInSeconds: number;
    })[];
  };
  /** The StorageAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsQueueService {
  spec: StorageAccountsQueueServiceSpec;
  status?: ArmStatus;
}
