// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface AfdOriginGroupSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  healthProbeSettings?: {
    /**
     * 1 to 255.
     * @default Azure's own value
     */
    probeIntervalInSeconds?: number;
    probePath?: string;
    probeProtocol?: 'Http' | 'Https' | 'NotSet';
    probeRequestType?: 'GET' | 'HEAD' | 'NotSet';
  };
  /** @default Azure's own value */
  loadBalancingSettings?: {
    additionalLatencyInMilliseconds?: number;
    sampleSize?: number;
    successfulSamplesRequired?: number;
  };
  /** @default Azure's own value */
  sessionAffinityState?: 'Disabled' | 'Enabled';
  /**
   * 0 to 50.
   * @default Azure's own value
   */
  trafficRestorationTimeToHealedOrNewEndpointsInMinutes?: number;
  /** The Profile that it is in, by construct or ARM id. */
  owner: KnownOwner<'cdn.azure.com/Profile'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AfdOriginGroup {
  spec: AfdOriginGroupSpec;
  status?: ArmStatus;
}
