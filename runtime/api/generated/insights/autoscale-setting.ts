// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface AutoscaleSettingSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  enabled?: boolean;
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  name?: string;
  /** @default Azure's own value */
  notifications?: ({
    email?: {
      customEmails?: string[];
      sendToSubscriptionAdministrator?: boolean;
      sendToSubscriptionCoAdministrators?: boolean;
    };
    /** Always `Scale`. */
    operation: 'Scale';
    webhooks?: ({
      properties?: Record<string, string>;
      serviceUri?: string;
      /**
       * A value of a Secret of this namespace: an export of another resource, or name and key.
       * @default Azure's own value
       */
      serviceUriFromSecret?: SecretKeyReference;
    })[];
  })[];
  /** @default Azure's own value */
  predictiveAutoscalePolicy?: {
    scaleLookAheadTime?: string;
    scaleMode: 'Disabled' | 'Enabled' | 'ForecastOnly';
  };
  /** At most 20 items. */
  profiles: ({
    capacity: {
      default: string;
      maximum: string;
      minimum: string;
    };
    fixedDate?: {
      end: string;
      start: string;
      timeZone?: string;
    };
    name: string;
    recurrence?: {
      frequency: 'Day' | 'Hour' | 'Minute' | 'Month' | 'None' | 'Second' | 'Week' | 'Year';
      schedule: {
        days: string[];
        hours: number[];
        minutes: number[];
        timeZone: string;
      };
    };
    rules: ({
      metricTrigger: {
        dimensions?: ({
          DimensionName: string;
          Operator: 'Equals' | 'NotEquals';
          Values: string[];
        })[];
        dividePerInstance?: boolean;
        metricName: string;
        metricNamespace?: string;
        metricResourceLocation?: string;
        /** By construct or ARM id: any resource. */
        metricResourceUriReference: ArmReference;
        operator: 'Equals' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'NotEquals';
        statistic: 'Average' | 'Count' | 'Max' | 'Min' | 'Sum';
        threshold: number;
        timeAggregation: 'Average' | 'Count' | 'Last' | 'Maximum' | 'Minimum' | 'Total';
        timeGrain: string;
        timeWindow: string;
      };
      scaleAction: {
        cooldown: string;
        direction: 'Decrease' | 'Increase' | 'None';
        type: 'ChangeCount' | 'ExactCount' | 'PercentChangeCount' | 'ServiceAllowedNextValue';
        value?: string;
      };
    })[];
  })[];
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  targetResourceLocation?: string;
  /**
   * By construct or ARM id: any resource.
   * @default Azure's own value
   */
  targetResourceUriReference?: ArmReference;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface AutoscaleSetting {
  spec: AutoscaleSettingSpec;
  status?: ArmStatus;
}
