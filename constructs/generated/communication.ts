// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `CommunicationService`. */
export interface CommunicationServiceProps extends KindProps<'communication.azure.com/CommunicationService'> {}

/**
 * Microsoft.Communication/communicationServices, in a ResourceGroup.
 * `export()` gives `hostName`, `primaryConnectionString`, `primaryKey`, `secondaryConnectionString`, `secondaryKey`.
 * Versions of Azure's API: 2023-04-01.
 */
export class CommunicationService extends AzureResource<'communication.azure.com/CommunicationService'> {
  constructor(scope: Construct, id: string, props: CommunicationServiceProps) {
    super(scope, id, { ...props, kind: 'communication.azure.com/CommunicationService' });
  }
}

/** Properties of `Domain`. */
export interface DomainProps extends KindProps<'communication.azure.com/Domain'> {}

/**
 * Microsoft.Communication/emailServices/domains, in a EmailService.
 * Versions of Azure's API: 2023-04-01.
 */
export class Domain extends AzureResource<'communication.azure.com/Domain'> {
  constructor(scope: Construct, id: string, props: DomainProps) {
    super(scope, id, { ...props, kind: 'communication.azure.com/Domain' });
  }
}

/** Properties of `EmailService`. */
export interface EmailServiceProps extends KindProps<'communication.azure.com/EmailService'> {}

/**
 * Microsoft.Communication/emailServices, in a ResourceGroup.
 * Versions of Azure's API: 2023-04-01.
 */
export class EmailService extends AzureResource<'communication.azure.com/EmailService'> {
  constructor(scope: Construct, id: string, props: EmailServiceProps) {
    super(scope, id, { ...props, kind: 'communication.azure.com/EmailService' });
  }
}

/** Properties of `SenderUsername`. */
export interface SenderUsernameProps extends KindProps<'communication.azure.com/SenderUsername'> {}

/**
 * Microsoft.Communication/emailServices/domains/senderUsernames, in a Domain.
 * Versions of Azure's API: 2023-04-01.
 */
export class SenderUsername extends AzureResource<'communication.azure.com/SenderUsername'> {
  constructor(scope: Construct, id: string, props: SenderUsernameProps) {
    super(scope, id, { ...props, kind: 'communication.azure.com/SenderUsername' });
  }
}
