// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface SnapshotSpec {
  /**
   * Name in Azure. Pattern: `^[^\x00-\x1F\x7F]+$`.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * What is unique in the snapshot: a key, or a key with its label.
   * @default Azure's own value
   */
  compositionType?: 'Key' | 'Key_Label';
  /** 1 to 3 items. */
  filters: ({
    /** Keys that the filter takes; a trailing asterisk takes all keys with that beginning. */
    key: string;
    /**
     * Label that the key-values must have.
     * @default Azure's own value
     */
    label?: string;
  })[];
  /**
   * 3600 to 7776000.
   * @default Azure's own value
   */
  retentionPeriod?: number;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ConfigurationStore that it is in, by construct or ARM id. */
  owner: KnownOwner<'appconfiguration.azure.com/ConfigurationStore'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Snapshot {
  spec: SnapshotSpec;
  status?: ArmStatus;
}
