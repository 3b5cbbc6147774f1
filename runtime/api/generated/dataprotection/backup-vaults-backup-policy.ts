// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { KnownOwner } from '../../common-schemas.ts';

export interface BackupVaultsBackupPolicySpec {
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
    /**
     * The form whose `objectType` is `BackupPolicy`.
     * @default Azure's own value
     */
    backupPolicy?: {
      datasourceTypes: string[];
      /** Always `BackupPolicy`. */
      objectType: 'BackupPolicy';
      policyRules: ({
        /**
         * The form whose `objectType` is `AzureBackupRule`.
         * @default Azure's own value
         */
        azureBackupRule?: {
          backupParameters?: {
            /**
             * The form whose `objectType` is `AzureBackupParams`.
             * @default Azure's own value
             */
            azureBackupParams?: {
              backupType: string;
              /** Always `AzureBackupParams`. */
              objectType: 'AzureBackupParams';
            };
          };
          dataStore: {
            dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
            objectType: string;
          };
          name: string;
          /** Always `AzureBackupRule`. */
          objectType: 'AzureBackupRule';
          trigger: {
            /**
             * The form whose `objectType` is `AdhocBasedTriggerContext`.
             * @default Azure's own value
             */
            adhocBasedTriggerContext?: {
              /** Always `AdhocBasedTriggerContext`. */
              objectType: 'AdhocBasedTriggerContext';
              taggingCriteria: {
                tagInfo?: {
                  tagName: string;
                };
              };
            };
            /**
             * The form whose `objectType` is `ScheduleBasedTriggerContext`.
             * @default Azure's own value
             */
            scheduleBasedTriggerContext?: {
              /** Always `ScheduleBasedTriggerContext`. */
              objectType: 'ScheduleBasedTriggerContext';
              schedule: {
                repeatingTimeIntervals: string[];
                timeZone?: string;
              };
              taggingCriteria: ({
                criteria?: ({
                  /**
                   * The form whose `objectType` is `ScheduleBasedBackupCriteria`.
                   * @default Azure's own value
                   */
                  scheduleBasedBackupCriteria?: {
                    absoluteCriteria?: ('AllBackup' | 'FirstOfDay' | 'FirstOfMonth' | 'FirstOfWeek' | 'FirstOfYear')[];
                    daysOfMonth?: ({
                      date?: number;
                      isLast?: boolean;
                    })[];
                    daysOfTheWeek?: ('Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday')[];
                    monthsOfYear?: ('April' | 'August' | 'December' | 'February' | 'January' | 'July' | 'June' | 'March' | 'May' | 'November' | 'October' | 'September')[];
                    /** Always `ScheduleBasedBackupCriteria`. */
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
        /**
         * The form whose `objectType` is `AzureRetentionRule`.
         * @default Azure's own value
         */
        azureRetentionRule?: {
          isDefault?: boolean;
          lifecycles: ({
            deleteAfter: {
              /**
               * The form whose `objectType` is `AbsoluteDeleteOption`.
               * @default Azure's own value
               */
              absoluteDeleteOption?: {
                duration: string;
                /** Always `AbsoluteDeleteOption`. */
                objectType: 'AbsoluteDeleteOption';
              };
            };
            sourceDataStore: {
              dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
              objectType: string;
            };
            targetDataStoreCopySettings?: ({
              copyAfter: {
                /**
                 * The form whose `objectType` is `CopyOnExpiryOption`.
                 * @default Azure's own value
                 */
                copyOnExpiryOption?: {
                  /** Always `CopyOnExpiryOption`. */
                  objectType: 'CopyOnExpiryOption';
                };
                /**
                 * The form whose `objectType` is `CustomCopyOption`.
                 * @default Azure's own value
                 */
                customCopyOption?: {
                  duration?: string;
                  /** Always `CustomCopyOption`. */
                  objectType: 'CustomCopyOption';
                };
                /**
                 * The form whose `objectType` is `ImmediateCopyOption`.
                 * @default Azure's own value
                 */
                immediateCopyOption?: {
                  /** Always `ImmediateCopyOption`. */
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
          /** Always `AzureRetentionRule`. */
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
