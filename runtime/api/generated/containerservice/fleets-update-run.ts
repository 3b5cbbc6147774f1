// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface FleetsUpdateRunSpec {
  /**
   * Name in Azure. 1 to 50 characters. Pattern: `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
   * @default metadata.name
   */
  azureName?: string;
  managedClusterUpdate: {
    nodeImageSelection?: {
      type: 'Consistent' | 'Custom' | 'Latest';
    };
    upgrade: {
      kubernetesVersion?: string;
      type: 'ControlPlaneOnly' | 'Full' | 'NodeImageOnly';
    };
  };
  /** @default Azure's own value */
  strategy?: {
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
  /**
   * By construct or ARM id: FleetsUpdateStrategy.
   * @default Azure's own value
   */
  updateStrategyReference?: ArmReference<'containerservice.azure.com/FleetsUpdateStrategy'>;
  /** The Fleet that it is in, by construct or ARM id. */
  owner: KnownOwner<'containerservice.azure.com/Fleet'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface FleetsUpdateRun {
  spec: FleetsUpdateRunSpec;
  status?: ArmStatus;
}
