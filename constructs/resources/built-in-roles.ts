/** A role and its rights on a resource, in the words of the docstring. */
export interface GrantedRole {
  /** Its name in Azure. */
  readonly role: string;
  /** The GUID of its definition, the same in every tenant. */
  readonly id: string;
  /** The actions that it allows, as the words after "Lets an identity". */
  readonly allows: string;
}

/**
 * The least built-in role for each grant, by kind and method. Source: Azure's list of built-in roles,
 * https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
export const grants = {
  'keyvault.azure.com/Vault': {
    grantRead: {
      role: 'Key Vault Secrets User',
      id: '4633458b-17de-408a-b874-0445c86b69e6',
      allows: 'read the values of secrets, those behind certificates included',
    },
    grantWrite: {
      role: 'Key Vault Secrets Officer',
      id: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
      allows: 'read, set and delete secrets',
    },
    grantCertificateRead: {
      role: 'Key Vault Certificate User',
      id: 'db79e9a7-68ee-4b58-9aeb-b90e7c24fcba',
      allows: 'read certificates with their keys',
    },
    grantCryptoUse: {
      role: 'Key Vault Crypto User',
      id: '12338af0-0e69-4776-bea7-57ae8d297424',
      allows: 'sign, verify, wrap and unwrap with keys',
    },
  },
  'containerregistry.azure.com/Registry': {
    grantPull: {
      role: 'AcrPull',
      id: '7f951dda-4ed3-4680-a7ca-43fe172d538d',
      allows: 'pull images',
    },
    grantPush: {
      role: 'AcrPush',
      id: '8311e382-0749-4cb8-b61a-304f252e45ec',
      allows: 'pull and push images',
    },
  },
  'storage.azure.com/StorageAccount': {
    grantBlobRead: {
      role: 'Storage Blob Data Reader',
      id: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
      allows: 'read and list blobs',
    },
    grantBlobWrite: {
      role: 'Storage Blob Data Contributor',
      id: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
      allows: 'read, write and delete blobs and containers',
    },
    grantQueueSend: {
      role: 'Storage Queue Data Message Sender',
      id: 'c6a89b2d-59bc-44d0-9896-0f6e12d7b80a',
      allows: 'add messages to queues',
    },
    grantQueueProcess: {
      role: 'Storage Queue Data Message Processor',
      id: '8a0f0c08-91a1-4084-bc3d-661d67233fed',
      allows: 'peek, retrieve and delete messages of queues',
    },
    grantTableRead: {
      role: 'Storage Table Data Reader',
      id: '76199698-9eea-4c19-bc75-cec21354c6b6',
      allows: 'read tables and entities',
    },
    grantTableWrite: {
      role: 'Storage Table Data Contributor',
      id: '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
      allows: 'read, write and delete tables and entities',
    },
  },
  'servicebus.azure.com/Namespace': {
    grantReceive: {
      role: 'Azure Service Bus Data Receiver',
      id: '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0',
      allows: 'receive messages',
    },
    grantSend: {
      role: 'Azure Service Bus Data Sender',
      id: '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39',
      allows: 'send messages',
    },
  },
  'eventhub.azure.com/Namespace': {
    grantReceive: {
      role: 'Azure Event Hubs Data Receiver',
      id: 'a638d3c7-ab3a-418d-83e6-5f17a39d4fde',
      allows: 'receive events',
    },
    grantSend: {
      role: 'Azure Event Hubs Data Sender',
      id: '2b629674-e913-4c01-ae53-ef4638d8f975',
      allows: 'send events',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, GrantedRole>>>>;

/** The kinds that have grants, as `group/Kind`. */
export type GrantingKind = keyof typeof grants;
