// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface WorkspacesBigDataPoolSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  autoPause?: {
    delayInMinutes?: number;
    enabled?: boolean;
  };
  /** @default Azure's own value */
  autoScale?: {
    enabled?: boolean;
    maxNodeCount?: number;
    minNodeCount?: number;
  };
  /** @default Azure's own value */
  cacheSize?: number;
  /** @default Azure's own value */
  customLibraries?: ({
    containerName?: string;
    name?: string;
    path?: string;
    type?: string;
  })[];
  /** @default Azure's own value */
  defaultSparkLogFolder?: string;
  /** @default Azure's own value */
  dynamicExecutorAllocation?: {
    enabled?: boolean;
    maxExecutors?: number;
    minExecutors?: number;
  };
  /**
   * Whether the pool tunes the settings of Spark by itself.
   * @default Azure's own value
   */
  isAutotuneEnabled?: boolean;
  /** @default Azure's own value */
  isComputeIsolationEnabled?: boolean;
  /** @default Azure's own value */
  libraryRequirements?: {
    content?: string;
    filename?: string;
  };
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  nodeCount?: number;
  /** @default Azure's own value */
  nodeSize?: 'Large' | 'Medium' | 'None' | 'Small' | 'XLarge' | 'XXLarge' | 'XXXLarge';
  /** @default Azure's own value */
  nodeSizeFamily?: 'HardwareAcceleratedFPGA' | 'HardwareAcceleratedGPU' | 'MemoryOptimized' | 'None';
  /** @default Azure's own value */
  provisioningState?: string;
  /** @default Azure's own value */
  sessionLevelPackagesEnabled?: boolean;
  /** @default Azure's own value */
  sparkConfigProperties?: {
    configurationType?: 'Artifact' | 'File';
    content?: string;
    filename?: string;
  };
  /** @default Azure's own value */
  sparkEventsFolder?: string;
  /** @default Azure's own value */
  sparkVersion?: string;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The Workspace that it is in, by construct or ARM id. */
  owner: KnownOwner<'synapse.azure.com/Workspace'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface WorkspacesBigDataPool {
  spec: WorkspacesBigDataPoolSpec;
  status?: ArmStatus;
}
