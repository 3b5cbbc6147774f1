// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface FleetsUpdateStrategySpec {
  /**
   * Name in Azure. 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  strategy: {
    stages: ({
      afterStageWaitInSeconds?: number;
      /** @default sent as null */
      groups?: ({
        /** 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`. */
        name: string;
      })[];
      /** 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`. */
      name: string;
    })[];
  };
  /** The Fleet that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/Fleet'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FleetsUpdateStrategy {
  spec: FleetsUpdateStrategySpec;
  status?: ArmStatus;
}
