/** A step that fails, and what Azure does there that the embedded one does not. */
interface KnownFailure {
  readonly step: 'create' | 'plan' | 'destroy';
  readonly reason: string;
}

/** By resource. */
export const knownFailures: Readonly<Record<string, KnownFailure>> = {
  azurerm_container_registry: {
    step: 'create',
    reason: 'The provider ends: it takes networkRuleSet.ipRules for granted.',
  },
  azurerm_mssql_server: {
    step: 'create',
    reason: 'The provider wants an answer at once to its write of sqlVulnerabilityAssessments, and gets 202.',
  },
};
