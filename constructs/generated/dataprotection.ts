// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { Construct } from 'constructs';
import { AzureResource, type KindProps } from '../azure-resource.ts';

/** Properties of `BackupVault`. */
export interface BackupVaultProps extends KindProps<'dataprotection.azure.com/BackupVault'> {}

/**
 * Microsoft.DataProtection/backupVaults, in a ResourceGroup.
 * `export()` gives `principalId`.
 * Versions of Azure's API: 2023-11-01, 2023-01-01.
 */
export class BackupVault extends AzureResource<'dataprotection.azure.com/BackupVault'> {
  constructor(scope: Construct, id: string, props: BackupVaultProps) {
    super(scope, id, { ...props, kind: 'dataprotection.azure.com/BackupVault' });
  }
}

/** Properties of `BackupVaultsBackupInstance`. */
export interface BackupVaultsBackupInstanceProps extends KindProps<'dataprotection.azure.com/BackupVaultsBackupInstance'> {}

/**
 * Microsoft.DataProtection/backupVaults/backupInstances, in a BackupVault.
 * Versions of Azure's API: 2023-11-01.
 */
export class BackupVaultsBackupInstance extends AzureResource<'dataprotection.azure.com/BackupVaultsBackupInstance'> {
  constructor(scope: Construct, id: string, props: BackupVaultsBackupInstanceProps) {
    super(scope, id, { ...props, kind: 'dataprotection.azure.com/BackupVaultsBackupInstance' });
  }
}

/** Properties of `BackupVaultsBackupPolicy`. */
export interface BackupVaultsBackupPolicyProps extends KindProps<'dataprotection.azure.com/BackupVaultsBackupPolicy'> {}

/**
 * Microsoft.DataProtection/backupVaults/backupPolicies, in a BackupVault.
 * Versions of Azure's API: 2023-11-01, 2023-01-01.
 */
export class BackupVaultsBackupPolicy extends AzureResource<'dataprotection.azure.com/BackupVaultsBackupPolicy'> {
  constructor(scope: Construct, id: string, props: BackupVaultsBackupPolicyProps) {
    super(scope, id, { ...props, kind: 'dataprotection.azure.com/BackupVaultsBackupPolicy' });
  }
}
