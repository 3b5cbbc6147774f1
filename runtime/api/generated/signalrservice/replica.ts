// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface ReplicaSpec {
  /**
   * Name in Azure. 3 to 63 characters. Pattern: `^[a-zA-Z][a-zA-Z0-9-]{1,61}[a-zA-Z0-9]$`.
   * @default metadata.name
   */
  azureName?: string;
  /** Azure region, such as westeurope. */
  location: string;
  /**
   * Whether new connections are routed to the endpoint of this region; existing ones continue.
   * @default Azure's own value
   */
  regionEndpointEnabled?: string;
  /** @default Azure's own value */
  resourceStopped?: string;
  /** Pricing tier. */
  sku: {
    /**
     * Number of units.
     * @default Azure's own value
     */
    capacity?: number;
    /** Name of the pricing tier. */
    name: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Free' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The SignalR that it is in, by construct or ARM id. */
  owner: KnownOwner<'signalrservice.azure.com/SignalR'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Replica {
  spec: ReplicaSpec;
  status?: ArmStatus;
}
