import { ExportedConfigValue } from '../resources/exported-value.ts';

/** The issuer of a cluster's service account tokens: its URL, or the export of a ManagedCluster. */
export type Issuer = string | ExportedConfigValue;

/** The issuer in the spec of a FederatedIdentityCredential. */
export function issuerFields(issuer: Issuer): { issuer: string } | { issuerFromConfig: ExportedConfigValue } {
  return issuer instanceof ExportedConfigValue ? { issuerFromConfig: issuer } : { issuer };
}

/** What is wrong with an issuer. */
export function issuerProblems(issuer: Issuer | undefined): string[] {
  if (typeof issuer !== 'string' || URL.canParse(issuer)) return [];
  return [`Expected \`issuer\` to be a URL, got \`${issuer}\``];
}
