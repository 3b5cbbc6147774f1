// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface AvailabilitySetSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  platformFaultDomainCount?: number;
  /** @default Azure's own value */
  platformUpdateDomainCount?: number;
  /** @default Azure's own value */
  proximityPlacementGroup?: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  /** @default Azure's own value */
  scheduledEventsPolicy?: {
    scheduledEventsAdditionalPublishingTargets?: {
      eventGridAndResourceGraph?: {
        enable?: boolean;
      };
    };
    userInitiatedReboot?: {
      automaticallyApprove?: boolean;
    };
    userInitiatedRedeploy?: {
      automaticallyApprove?: boolean;
    };
  };
  /**
   * Pricing tier.
   * @default Azure's own value
   */
  sku?: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /**
     * Name of the pricing tier.
     * @default Azure's own value
     */
    name?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: string;
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AvailabilitySet {
  spec: AvailabilitySetSpec;
  status?: ArmStatus;
}
