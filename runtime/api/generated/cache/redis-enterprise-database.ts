// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface RedisEnterpriseDatabaseSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Whether clients may sign in with access keys.
   * @default Azure's own value
   */
  accessKeysAuthentication?: 'Disabled' | 'Enabled';
  /** @default Azure's own value */
  clientProtocol?: 'Encrypted' | 'Plaintext';
  /** @default Azure's own value */
  clusteringPolicy?: 'EnterpriseCluster' | 'NoCluster' | 'OSSCluster';
  /**
   * Whether Azure waits with a new version of Redis until you ask for it.
   * @default Azure's own value
   */
  deferUpgrade?: 'Deferred' | 'NotDeferred';
  /** @default Azure's own value */
  evictionPolicy?: 'AllKeysLFU' | 'AllKeysLRU' | 'AllKeysRandom' | 'NoEviction' | 'VolatileLFU' | 'VolatileLRU' | 'VolatileRandom' | 'VolatileTTL';
  /** @default Azure's own value */
  geoReplication?: {
    groupNickname?: string;
    linkedDatabases?: ({
      /**
       * By construct or ARM id: RedisEnterpriseDatabase.
       * @default Azure's own value
       */
      reference?: ArmReference<'cache.azure.com/RedisEnterpriseDatabase'>;
    })[];
  };
  /** @default Azure's own value */
  modules?: ({
    args?: string;
    name: string;
  })[];
  /** @default Azure's own value */
  persistence?: {
    aofEnabled?: boolean;
    aofFrequency?: '1s' | 'always';
    rdbEnabled?: boolean;
    rdbFrequency?: '12h' | '1h' | '6h';
  };
  /** @default Azure's own value */
  port?: number;
  /** The RedisEnterprise that it is in, by construct or ARM id. */
  owner: KnownOwner<'cache.azure.com/RedisEnterprise'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<'primaryKey' | 'secondaryKey', never, 'primaryKey' | 'secondaryKey'>;
}

export interface RedisEnterpriseDatabase {
  spec: RedisEnterpriseDatabaseSpec;
  status?: ArmStatus;
}
