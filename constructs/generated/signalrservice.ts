// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `CustomCertificate`. */
export interface CustomCertificateProps extends KindProps<'signalrservice.azure.com/CustomCertificate'> {}

/**
 * Microsoft.SignalRService/signalR/customCertificates, in a SignalR.
 * Versions of Azure's API: 2024-03-01.
 */
export class CustomCertificate extends AzureResource<'signalrservice.azure.com/CustomCertificate'> {
  constructor(scope: Construct, id: string, props: CustomCertificateProps) {
    super(scope, id, { ...props, kind: 'signalrservice.azure.com/CustomCertificate' });
  }
}

/** Properties of `CustomDomain`. */
export interface CustomDomainProps extends KindProps<'signalrservice.azure.com/CustomDomain'> {}

/**
 * Microsoft.SignalRService/signalR/customDomains, in a SignalR.
 * Versions of Azure's API: 2024-03-01.
 */
export class CustomDomain extends AzureResource<'signalrservice.azure.com/CustomDomain'> {
  constructor(scope: Construct, id: string, props: CustomDomainProps) {
    super(scope, id, { ...props, kind: 'signalrservice.azure.com/CustomDomain' });
  }
}

/** Properties of `Replica`. */
export interface ReplicaProps extends KindProps<'signalrservice.azure.com/Replica'> {}

/**
 * Microsoft.SignalRService/signalR/replicas, in a SignalR.
 * Versions of Azure's API: 2024-03-01.
 */
export class Replica extends AzureResource<'signalrservice.azure.com/Replica'> {
  constructor(scope: Construct, id: string, props: ReplicaProps) {
    super(scope, id, { ...props, kind: 'signalrservice.azure.com/Replica' });
  }
}

/** Properties of `SignalR`. */
export interface SignalRProps extends KindProps<'signalrservice.azure.com/SignalR'> {}

/**
 * Microsoft.SignalRService/signalR, in a ResourceGroup.
 * `export()` gives `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2024-03-01, 2021-10-01.
 */
export class SignalR extends AzureResource<'signalrservice.azure.com/SignalR'> {
  constructor(scope: Construct, id: string, props: SignalRProps) {
    super(scope, id, { ...props, kind: 'signalrservice.azure.com/SignalR' });
  }
}
