// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';
import { grants } from '../resources/built-in-roles.ts';
import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';

/** Properties of `StorageAccount`. */
export interface StorageAccountProps extends KindProps<'storage.azure.com/StorageAccount'> {}

/**
 * Microsoft.Storage/storageAccounts, in a ResourceGroup.
 * `export()` gives `blobEndpoint`, `dfsEndpoint`, `fileEndpoint`, `key1`, `key2`, `queueEndpoint`, `tableEndpoint`, `webEndpoint`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccount extends AzureResource<'storage.azure.com/StorageAccount'> {
  constructor(scope: Construct, id: string, props: StorageAccountProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccount' });
  }

  /** Lets an identity read and list blobs: the role Storage Blob Data Reader on this resource. */
  grantBlobRead(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantBlobRead);
  }

  /** Lets an identity read, write and delete blobs and containers: the role Storage Blob Data Contributor on this resource. */
  grantBlobWrite(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantBlobWrite);
  }

  /** Lets an identity add messages to queues: the role Storage Queue Data Message Sender on this resource. */
  grantQueueSend(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantQueueSend);
  }

  /** Lets an identity peek, retrieve and delete messages of queues: the role Storage Queue Data Message Processor on this resource. */
  grantQueueProcess(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantQueueProcess);
  }

  /** Lets an identity read tables and entities: the role Storage Table Data Reader on this resource. */
  grantTableRead(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantTableRead);
  }

  /** Lets an identity read, write and delete tables and entities: the role Storage Table Data Contributor on this resource. */
  grantTableWrite(identity: Grantee): RoleGrant {
    return grantRole(this, identity, grants['storage.azure.com/StorageAccount'].grantTableWrite);
  }
}

/** Properties of `StorageAccountsBlobService`. */
export interface StorageAccountsBlobServiceProps extends KindProps<'storage.azure.com/StorageAccountsBlobService'> {}

/**
 * Microsoft.Storage/storageAccounts/blobServices, in a StorageAccount.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccountsBlobService extends AzureResource<'storage.azure.com/StorageAccountsBlobService'> {
  constructor(scope: Construct, id: string, props: StorageAccountsBlobServiceProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsBlobService' });
  }
}

/** Properties of `StorageAccountsBlobServicesContainer`. */
export interface StorageAccountsBlobServicesContainerProps extends KindProps<'storage.azure.com/StorageAccountsBlobServicesContainer'> {}

/**
 * Microsoft.Storage/storageAccounts/blobServices/containers, in a StorageAccountsBlobService.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccountsBlobServicesContainer extends AzureResource<'storage.azure.com/StorageAccountsBlobServicesContainer'> {
  constructor(scope: Construct, id: string, props: StorageAccountsBlobServicesContainerProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsBlobServicesContainer' });
  }
}

/** Properties of `StorageAccountsFileService`. */
export interface StorageAccountsFileServiceProps extends KindProps<'storage.azure.com/StorageAccountsFileService'> {}

/**
 * Microsoft.Storage/storageAccounts/fileServices, in a StorageAccount.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01.
 */
export class StorageAccountsFileService extends AzureResource<'storage.azure.com/StorageAccountsFileService'> {
  constructor(scope: Construct, id: string, props: StorageAccountsFileServiceProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsFileService' });
  }
}

/** Properties of `StorageAccountsFileServicesShare`. */
export interface StorageAccountsFileServicesShareProps extends KindProps<'storage.azure.com/StorageAccountsFileServicesShare'> {}

/**
 * Microsoft.Storage/storageAccounts/fileServices/shares, in a StorageAccountsFileService.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01.
 */
export class StorageAccountsFileServicesShare extends AzureResource<'storage.azure.com/StorageAccountsFileServicesShare'> {
  constructor(scope: Construct, id: string, props: StorageAccountsFileServicesShareProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsFileServicesShare' });
  }
}

/** Properties of `StorageAccountsManagementPolicy`. */
export interface StorageAccountsManagementPolicyProps extends KindProps<'storage.azure.com/StorageAccountsManagementPolicy'> {}

/**
 * Microsoft.Storage/storageAccounts/managementPolicies, in a StorageAccount.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccountsManagementPolicy extends AzureResource<'storage.azure.com/StorageAccountsManagementPolicy'> {
  constructor(scope: Construct, id: string, props: StorageAccountsManagementPolicyProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsManagementPolicy' });
  }
}

/** Properties of `StorageAccountsQueueService`. */
export interface StorageAccountsQueueServiceProps extends KindProps<'storage.azure.com/StorageAccountsQueueService'> {}

/**
 * Microsoft.Storage/storageAccounts/queueServices, in a StorageAccount.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccountsQueueService extends AzureResource<'storage.azure.com/StorageAccountsQueueService'> {
  constructor(scope: Construct, id: string, props: StorageAccountsQueueServiceProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsQueueService' });
  }
}

/** Properties of `StorageAccountsQueueServicesQueue`. */
export interface StorageAccountsQueueServicesQueueProps extends KindProps<'storage.azure.com/StorageAccountsQueueServicesQueue'> {}

/**
 * Microsoft.Storage/storageAccounts/queueServices/queues, in a StorageAccountsQueueService.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01, 2021-04-01.
 */
export class StorageAccountsQueueServicesQueue extends AzureResource<'storage.azure.com/StorageAccountsQueueServicesQueue'> {
  constructor(scope: Construct, id: string, props: StorageAccountsQueueServicesQueueProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsQueueServicesQueue' });
  }
}

/** Properties of `StorageAccountsTableService`. */
export interface StorageAccountsTableServiceProps extends KindProps<'storage.azure.com/StorageAccountsTableService'> {}

/**
 * Microsoft.Storage/storageAccounts/tableServices, in a StorageAccount.
 * Its name in Azure is `default`.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01.
 */
export class StorageAccountsTableService extends AzureResource<'storage.azure.com/StorageAccountsTableService'> {
  constructor(scope: Construct, id: string, props: StorageAccountsTableServiceProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsTableService' });
  }
}

/** Properties of `StorageAccountsTableServicesTable`. */
export interface StorageAccountsTableServicesTableProps extends KindProps<'storage.azure.com/StorageAccountsTableServicesTable'> {}

/**
 * Microsoft.Storage/storageAccounts/tableServices/tables, in a StorageAccountsTableService.
 * Versions of Azure's API: 2025-06-01, 2023-01-01, 2022-09-01.
 */
export class StorageAccountsTableServicesTable extends AzureResource<'storage.azure.com/StorageAccountsTableServicesTable'> {
  constructor(scope: Construct, id: string, props: StorageAccountsTableServicesTableProps) {
    super(scope, id, { ...props, kind: 'storage.azure.com/StorageAccountsTableServicesTable' });
  }
}
