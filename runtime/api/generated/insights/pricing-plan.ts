// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface PricingPlanSpec {
  /** @default Azure's own value */
  cap?: number;
  /**
   * Plan by which the telemetry is billed.
   * @default Azure's own value
   */
  planType?: string;
  /** @default Azure's own value */
  stopSendNotificationWhenHitCap?: boolean;
  /** @default Azure's own value */
  stopSendNotificationWhenHitThreshold?: boolean;
  /** @default Azure's own value */
  warningThreshold?: number;
  /** The Component that it is in, by construct or ARM id. */
  owner: KnownOwner<'insights.azure.com/Component'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface PricingPlan {
  spec: PricingPlanSpec;
  status?: ArmStatus;
}
