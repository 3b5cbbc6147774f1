// Written by `npm run generate` from tools/catalogue; changes here are lost.
import type { ArmStatus, OperatorSpec } from '../../arm-kind.ts';
import type { ArmReference, KnownOwner } from '../../common-schemas.ts';

export interface ScheduledQueryRuleSpec {
  /**
   * Name in Azure. Pattern: `^[^#<>%&:\?/{}*]{1,260}$`.
   * @default metadata.name
   */
  azureName?: string;
  /** @default Azure's own value */
  actions?: {
    actionGroupsReferences?: (ArmReference<'insights.azure.com/ActionGroup'>)[];
    /**
     * Only in v1api20250101preview.
     * @default Azure's own value
     */
    actionProperties?: Record<string, string>;
    customProperties?: Record<string, string>;
  };
  /** @default Azure's own value */
  autoMitigate?: boolean;
  /** @default Azure's own value */
  checkWorkspaceAlertsStorageConfigured?: boolean;
  /** @default Azure's own value */
  criteria?: {
    allOf?: ({
      /**
       * Only in v1api20250101preview.
       * @default Azure's own value
       */
      alertSensitivity?: string;
      /**
       * Only in v1api20250101preview.
       * @default Azure's own value
       */
      criterionType?: 'DynamicThresholdCriterion' | 'StaticThresholdCriterion';
      dimensions?: ({
        name: string;
        operator: 'Exclude' | 'Include';
        values: string[];
      })[];
      failingPeriods?: {
        minFailingPeriodsToAlert?: number;
        numberOfEvaluationPeriods?: number;
      };
      /**
       * Only in v1api20250101preview.
       * @default Azure's own value
       */
      ignoreDataBefore?: string;
      metricMeasureColumn?: string;
      metricName?: string;
      /**
       * Only in v1api20250101preview.
       * @default Azure's own value
       */
      minRecurrenceCount?: number;
      operator?: 'Equals' | 'GreaterOrLessThan' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual';
      query?: string;
      /**
       * By construct or ARM id: any resource.
       * @default Azure's own value
       */
      resourceIdColumnReference?: ArmReference;
      threshold?: number;
      timeAggregation?: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'Total';
    })[];
  };
  /** @default Azure's own value */
  description?: string;
  /** @default Azure's own value */
  displayName?: string;
  /** @default Azure's own value */
  enabled?: boolean;
  /** @default Azure's own value */
  evaluationFrequency?: string;
  /**
   * The managed identities that the resource itself uses. Only in v1api20250101preview.
   * @default Azure's own value
   */
  identity?: {
    /** Which managed identities it uses: its own, user-assigned ones, or both. */
    type: 'None' | 'SystemAssigned' | 'UserAssigned';
    /**
     * The user-assigned identities that it uses.
     * @default Azure's own value
     */
    userAssignedIdentities?: ({
      /**
       * By construct or ARM id: UserAssignedIdentity.
       * @default Azure's own value
       */
      reference?: ArmReference<'managedidentity.azure.com/UserAssignedIdentity'>;
    })[];
  };
  /** @default Azure's own value */
  kind?: 'LogAlert' | 'LogToMetric' | 'SimpleLogAlert';
  /** Azure region, such as westeurope. */
  location: string;
  /** @default Azure's own value */
  muteActionsDuration?: string;
  /** @default Azure's own value */
  overrideQueryTimeRange?: string;
  /**
   * Only in v1api20250101preview.
   * @default Azure's own value
   */
  resolveConfiguration?: {
    autoResolved?: boolean;
    timeToResolve?: string;
  };
  /** @default Azure's own value */
  scopesReferences?: ArmReference[];
  /** @default Azure's own value */
  severity?: 0 | 1 | 2 | 3 | 4;
  /** @default Azure's own value */
  skipQueryValidation?: boolean;
  /**
   * Azure tags.
   * @default Azure's own value
   */
  tags?: Record<string, string>;
  /** @default Azure's own value */
  targetResourceTypes?: string[];
  /** @default Azure's own value */
  windowSize?: string;
  /** The ResourceGroup that it is in, by construct or ARM id. */
  owner: KnownOwner<'resources.azure.com/ResourceGroup'>;
  /**
   * What the operator writes for others to read.
   * @default what `export()` declares
   */
  operatorSpec?: OperatorSpec<never, never>;
}

export interface ScheduledQueryRule {
  spec: ScheduledQueryRuleSpec;
  status?: ArmStatus;
}
