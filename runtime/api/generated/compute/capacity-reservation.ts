// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface CapacityReservationSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  scheduleProfile?: {
    end?: string;
    start?: string;
  };
  /** Pricing tier. */
  sku: {
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
  /** @default Azure's own value */
  zones?: string[];
  /** The CapacityReservationGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'compute.azure.com/CapacityReservationGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface CapacityReservation {
  spec: CapacityReservationSpec;
  status?: ArmStatus;
}
