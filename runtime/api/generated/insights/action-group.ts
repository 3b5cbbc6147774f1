// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner, SecretKeyReference } from '../../common-schemas.ts';

export interface ActionGroupSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  armRoleReceivers?: ({
    name: string;
    roleId: string;
    useCommonAlertSchema?: boolean;
  })[];
  /** @default Azure's own value */
  automationRunbookReceivers?: ({
    automationAccountId: string;
    isGlobalRunbook: boolean;
    name?: string;
    runbookName: string;
    serviceUri?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    serviceUriFromSecret?: SecretKeyReference;
    useCommonAlertSchema?: boolean;
    /** By construct or ARM id: any resource. */
    webhookResourceReference: ArmReference;
  })[];
  /** @default Azure's own value */
  azureAppPushReceivers?: ({
    emailAddress: string;
    name: string;
  })[];
  /** @default Azure's own value */
  azureFunctionReceivers?: ({
    /** By construct or ARM id: Site. */
    functionAppResourceReference: ArmReference<'web.azure.com/Site'>;
    functionName: string;
    httpTriggerUrl: string;
    name: string;
    useCommonAlertSchema?: boolean;
  })[];
  /** @default Azure's own value */
  emailReceivers?: ({
    emailAddress: string;
    name: string;
    useCommonAlertSchema?: boolean;
  })[];
  enabled: boolean;
  /** @default Azure's own value */
  eventHubReceivers?: ({
    eventHubName: string;
    eventHubNameSpace: string;
    name: string;
    subscriptionId: string;
    tenantId?: string;
    useCommonAlertSchema?: boolean;
  })[];
  /** At most 12 characters. */
  groupShortName: string;
  /** @default Azure's own value */
  itsmReceivers?: ({
    connectionId: string;
    name: string;
    region: string;
    ticketConfiguration: string;
    workspaceId: string;
  })[];
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  logicAppReceivers?: ({
    callbackUrl: string;
    name: string;
    /** By construct or ARM id: any resource. */
    resourceReference: ArmReference;
    useCommonAlertSchema?: boolean;
  })[];
  /** @default Azure's own value */
  smsReceivers?: ({
    countryCode: string;
    name: string;
    phoneNumber: string;
  })[];
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  voiceReceivers?: ({
    countryCode: string;
    name: string;
    phoneNumber: string;
  })[];
  /** @default Azure's own value */
  webhookReceivers?: ({
    identifierUri?: string;
    name: string;
    objectId?: string;
    serviceUri?: string;
    /**
     * A value of a Secret of this namespace: an export of another resource, or name and key.
     * @default Azure's own value
     */
    serviceUriFromSecret?: SecretKeyReference;
    tenantId?: string;
    useAadAuth?: boolean;
    useCommonAlertSchema?: boolean;
  })[];
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ActionGroup {
  spec: ActionGroupSpec;
  status?: ArmStatus;
}
