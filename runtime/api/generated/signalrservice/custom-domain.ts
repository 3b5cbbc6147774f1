// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface CustomDomainSpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  customCertificate: {
    /**
     * By construct or ARM id: any resource.
     * @default Azure's own value
     */
    reference?: ArmReference;
  };
  domainName: string;
  /** The SignalR that it is in, by construct or ARM id. */
  owner: KnownOwner<'signalrservice.azure.com/SignalR'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface CustomDomain {
  spec: CustomDomainSpec;
  status?: ArmStatus;
}
