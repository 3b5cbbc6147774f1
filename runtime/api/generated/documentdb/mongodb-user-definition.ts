// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface MongodbUserDefinitionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  customData?: string;
  /** @default Azure's own value */
  databaseName?: string;
  /** @default Azure's own value */
  mechanisms?: string;
  /**
   * A value of a Secret of this namespace: an export of another resource, or name and key.
   * @default Azure's own value
   */
  password?: SecretKeyReference;
  /** @default Azure's own value */
  roles?: ({
    db?: string;
    role?: string;
  })[];
  /** @default Azure's own value */
  userName?: string;
  /** The DatabaseAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/DatabaseAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MongodbUserDefinition {
  spec: MongodbUserDefinitionSpec;
  status?: ArmStatus;
}
