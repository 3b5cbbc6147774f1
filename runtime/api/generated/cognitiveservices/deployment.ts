// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, ConfigMapKeyReference, KnownOwner } from '../../common-schemas.ts';

export interface DeploymentSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /**
   * Properties of the resource.
   * @default Azure's own value
   */
  properties?: {
    /** @default Azure's own value */
    capacitySettings?: {
      /**
       * At least 0.
       * @default Azure's own value
       */
      designatedCapacity?: number;
      /**
       * At least 0.
       * @default Azure's own value
       */
      priority?: number;
    };
    /** @default Azure's own value */
    model?: {
      format?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `format`.
       * @default Azure's own value
       */
      formatFromConfig?: ConfigMapKeyReference;
      name?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `name`.
       * @default Azure's own value
       */
      nameFromConfig?: ConfigMapKeyReference;
      publisher?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `publisher`.
       * @default Azure's own value
       */
      publisherFromConfig?: ConfigMapKeyReference;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      sourceAccountReference?: ArmReference;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      sourceReference?: ArmReference;
      version?: string;
      /**
       * A value of a ConfigMap of this namespace, in place of `version`.
       * @default Azure's own value
       */
      versionFromConfig?: ConfigMapKeyReference;
    };
    /** @default Azure's own value */
    parentDeploymentName?: string;
    /** @default Azure's own value */
    raiPolicyName?: string;
    /** @default Azure's own value */
    scaleSettings?: {
      capacity?: number;
      scaleType?: 'Manual' | 'Standard';
    };
    /** @default Azure's own value */
    spilloverDeploymentName?: string;
    /** @default Azure's own value */
    versionUpgradeOption?: 'NoAutoUpgrade' | 'OnceCurrentVersionExpired' | 'OnceNewDefaultVersionAvailable';
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
     * Family of the hardware, where the service has several.
     * @default Azure's own value
     */
    family?: string;
    /** Name of the pricing tier. */
    name: string;
    /**
     * Size, where the name does not tell it.
     * @default Azure's own value
     */
    size?: string;
    /**
     * Tier, where the name does not tell it.
     * @default Azure's own value
     */
    tier?: 'Basic' | 'Enterprise' | 'Free' | 'Premium' | 'Standard';
  };
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** The Account that it is in, by construct or ARM id. */
  owner: KnownOwner<'cognitiveservices.azure.com/Account'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface Deployment {
  spec: DeploymentSpec;
  status?: ArmStatus;
}
