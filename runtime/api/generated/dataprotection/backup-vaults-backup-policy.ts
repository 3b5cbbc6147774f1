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
      /** Types of resources that the policy is for. */
      datasourceTypes: string[];
      /** Always `BackupPolicy`. */
      objectType: 'BackupPolicy';
      /** When backups are made, and how long they are kept. */
      policyRules: ({
        /**
         * The form whose `objectType` is `AzureBackupRule`.
         * @default Azure's own value
         */
        azureBackupRule?: {
          /**
           * How a backup is made.
           * @default Azure's own value
           */
          backupParameters?: {
            /**
             * The form whose `objectType` is `AzureBackupParams`.
             * @default Azure's own value
             */
            azureBackupParams?: {
              /** Type of the backup, such as Full or Incremental. */
              backupType: string;
              /** Always `AzureBackupParams`. */
              objectType: 'AzureBackupParams';
            };
          };
          /** The store into which the backup goes. */
          dataStore: {
            /** Kind of the store. */
            dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
            /** Name of Azure's model of this object. */
            objectType: string;
          };
          /** Name of the rule, by which tags refer to it. */
          name: string;
          /** Always `AzureBackupRule`. */
          objectType: 'AzureBackupRule';
          /** What starts a backup. */
          trigger: {
            /**
             * The form whose `objectType` is `AdhocBasedTriggerContext`.
             * @default Azure's own value
             */
            adhocBasedTriggerContext?: {
              /** Always `AdhocBasedTriggerContext`. */
              objectType: 'AdhocBasedTriggerContext';
              /** Which retention rule a backup gets. */
              taggingCriteria: {
                /**
                 * The tag that such a backup gets.
                 * @default Azure's own value
                 */
                tagInfo?: {
                  /** Name of the tag, which is the name of a retention rule. */
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
              /** When backups start. */
              schedule: {
                /** Start and interval in ISO 8601, such as R/2024-01-01T02:00:00+00:00/P1D for each night. */
                repeatingTimeIntervals: string[];
                /**
                 * Time zone of the schedule, such as UTC.
                 * @default Azure's own value
                 */
                timeZone?: string;
              };
              /** Which retention rule a backup gets. */
              taggingCriteria: ({
                /**
                 * Which backups get the tag.
                 * @default Azure's own value
                 */
                criteria?: ({
                  /**
                   * The form whose `objectType` is `ScheduleBasedBackupCriteria`.
                   * @default Azure's own value
                   */
                  scheduleBasedBackupCriteria?: {
                    /**
                     * Each backup, or the first of a day, week, month or year.
                     * @default Azure's own value
                     */
                    absoluteCriteria?: ('AllBackup' | 'FirstOfDay' | 'FirstOfMonth' | 'FirstOfWeek' | 'FirstOfYear')[];
                    /**
                     * Days of the month whose backups get the tag.
                     * @default Azure's own value
                     */
                    daysOfMonth?: ({
                      /**
                       * Number of the day in the month.
                       * @default Azure's own value
                       */
                      date?: number;
                      /**
                       * Whether it is the last day of the month.
                       * @default Azure's own value
                       */
                      isLast?: boolean;
                    })[];
                    /**
                     * Days of the week whose backups get the tag.
                     * @default Azure's own value
                     */
                    daysOfTheWeek?: ('Friday' | 'Monday' | 'Saturday' | 'Sunday' | 'Thursday' | 'Tuesday' | 'Wednesday')[];
                    /**
                     * Months whose backups get the tag.
                     * @default Azure's own value
                     */
                    monthsOfYear?: ('April' | 'August' | 'December' | 'February' | 'January' | 'July' | 'June' | 'March' | 'May' | 'November' | 'October' | 'September')[];
                    /** Always `ScheduleBasedBackupCriteria`. */
                    objectType: 'ScheduleBasedBackupCriteria';
                    /**
                     * Times of the schedule whose backups get the tag.
                     * @default Azure's own value
                     */
                    scheduleTimes?: string[];
                    /**
                     * Weeks of the month whose backups get the tag.
                     * @default Azure's own value
                     */
                    weeksOfTheMonth?: ('First' | 'Fourth' | 'Last' | 'Second' | 'Third')[];
                  };
                })[];
                /** Whether backups get this tag that meet no other criteria. */
                isDefault: boolean;
                /** The tag that such a backup gets. */
                tagInfo: {
                  /** Name of the tag, which is the name of a retention rule. */
                  tagName: string;
                };
                /** Which criteria come first where a backup meets several: the lowest number. */
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
          /**
           * Whether backups without another retention rule get this one.
           * @default Azure's own value
           */
          isDefault?: boolean;
          /** How long a backup stays in each store. */
          lifecycles: ({
            /** When the backup is deleted from the store. */
            deleteAfter: {
              /**
               * The form whose `objectType` is `AbsoluteDeleteOption`.
               * @default Azure's own value
               */
              absoluteDeleteOption?: {
                /** How long the backup stays, as an ISO 8601 duration such as P30D. */
                duration: string;
                /** Always `AbsoluteDeleteOption`. */
                objectType: 'AbsoluteDeleteOption';
              };
            };
            /** The store that has the backup. */
            sourceDataStore: {
              /** Kind of the store. */
              dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
              /** Name of Azure's model of this object. */
              objectType: string;
            };
            /**
             * To which stores the backup is copied, and when.
             * @default Azure's own value
             */
            targetDataStoreCopySettings?: ({
              /** When the backup is copied. */
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
                  /**
                   * Time from the backup to the copy, as an ISO 8601 duration.
                   * @default Azure's own value
                   */
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
              /** The store to which the backup is copied. */
              dataStore: {
                /** Kind of the store. */
                dataStoreType: 'ArchiveStore' | 'OperationalStore' | 'VaultStore';
                /** Name of Azure's model of this object. */
                objectType: string;
              };
            })[];
          })[];
          /** Name of the rule, by which tags refer to it. */
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
