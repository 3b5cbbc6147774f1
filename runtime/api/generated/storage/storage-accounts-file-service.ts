// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface StorageAccountsFileServiceSpec {
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
  /** @default Azure's own value */
  protocolSettings?: {
    nfs?: {
      encryptionInTransit?: {
        required?: boolean;
      };
    };
    smb?: {
      authenticationMethods?: string;
      channelEncryption?: string;
      encryptionInTransit?: {
        required?: boolean;
      };
      kerberosTicketEncryption?: string;
      multichannel?: {
        enabled?: boolean;
      };
      versions?: string;
    };
  };
  /** @default Azure's own value */
  shareDeleteRetentionPolicy?: {
    allowPermanentDelete?: boolean;
    /**
     * 1 to 365.
     * @default Azure's own value
     */
    days?: number;
    enabled?: boolean;
  };
  /** The StorageAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'storage.azure.com/StorageAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface StorageAccountsFileService {
  spec: StorageAccountsFileServiceSpec;
  status?: ArmStatus;
}
