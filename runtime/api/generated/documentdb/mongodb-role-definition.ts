// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface MongodbRoleDefinitionSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  databaseName?: string;
  /** @default Azure's own value */
  privileges?: ({
    actions?: string[];
    resource?: {
      collection?: string;
      db?: string;
    };
  })[];
  /** @default Azure's own value */
  roleName?: string;
  /** @default Azure's own value */
  roles?: ({
    db?: string;
    role?: string;
  })[];
  /** @default Azure's own value */
  type?: 'BuiltInRole' | 'CustomRole';
  /** The DatabaseAccount that it is in, by construct or ARM id. */
  owner: KnownOwner<'documentdb.azure.com/DatabaseAccount'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface MongodbRoleDefinition {
  spec: MongodbRoleDefinitionSpec;
  status?: ArmStatus;
}
