// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface BackupVaultsBackupPolicySpec {
  /**
   * Name in Azure.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  properties?: {
    /** @default Azure's own value */
    backupPolicy?: {
      datasourceTypes: string[];
      objectType: 'BackupPolicy';
      policyRules: ({
        azureBackupRule?: {
          backupParameters?: {
            azureBackupParams?: {
              backupType: string;
              objectType: 'AzureBackupParams';
            };
          };
          dataStore: {
            dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
            objectType: string;
          };
          name: string;
          objectType: 'AzureBackupRule';
          trigger: {
            adhocBasedTriggerContext?: {
              objectType: 'AdhocBasedTriggerContext';
              taggingCriteria: {
                tagInfo?: {
                  tagName: string;
                };
              };
            };
            scheduleBasedTriggerContext?: {
              objectType: 'ScheduleBasedTriggerContext';
              schedule: {
                repeatingTimeIntervals: string[];
                timeZone?: string;
              };
              taggingCriteria: ({
                criteria?: ({
                  scheduleBasedBackupCriteria?: {
                    absoluteCriteria?: ('AllBackup' | 'FirstOfDay' | 'FirstOfMonth' | 'FirstOfWeek' | 'FirstOfYear')[];
                    daysOfMonth?: ({
                      date?: number;
                      isLast?: boolean;
                    })[];
                    daysOfTheWeek?: ('Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday')[];
                    monthsOfYear?: ('April' | 'August' | 'December' | 'February' | 'January' | 'July' | 'June' | 'March' | 'May' | 'November' | 'October' | 'September')[];
                    objectType: 'ScheduleBasedBackupCriteria';
                    scheduleTimes?: string[];
                    weeksOfTheMonth?: ('First' | 'Fourth' | 'Last' | 'Second' | 'Third')[];
                  };
                })[];
                isDefault: boolean;
                tagInfo: {
                  tagName: string;
                };
                taggingPriority: number;
              })[];
            };
          };
        };
        azureRetentionRule?: {
          isDefault?: boolean;
          lifecycles: ({
            deleteAfter: {
              absoluteDeleteOption?: {
                duration: string;
                objectType: 'AbsoluteDeleteOption';
              };
            };
            sourceDataStore: {
              dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
              objectType: string;
            };
            targetDataStoreCopySettings?: ({
              copyAfter: {
                copyOnExpiryOption?: {
                  objectType: 'CopyOnExpiryOption';
                };
                customCopyOption?: {
                  duration?: string;
                  objectType: 'CustomCopyOption';
                };
                immediateCopyOption?: {
                  objectType: 'ImmediateCopyOption';
                };
              };
              dataStore: {
                dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
                objectType: string;
              };
            })[];
          })[];
          name: string;
          objectType: 'AzureRetentionRule';
        };
      })[];
    };
  };
  /** The BackupVault that it is in, by construct or ARM id. */
  owner: KnownOwner<'dataprotection.azure.com/BackupVault'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface BackupVaultsBackupPolicy {
  spec: BackupVaultsBackupPolicySpec;
  status?: ArmStatus;
}
