import type { Clock } from '../../../base/clock.ts';
import type { KubeClient } from '../../../kube/client/types.ts';
import type { ChildAccess } from '../child-access.ts';
import { AllowedTargets } from '../targets/allowed-targets.ts';
import { AcrTokens } from './acr-tokens.ts';
import { Deployers } from './deployers.ts';
import { GoalSources } from './goal-sources.ts';
import { LinkedSources } from './linked-sources.ts';
import { OciTemplates } from './oci-templates.ts';
import { RegistryCredentials, type RegistryCredentialsDeps } from './registry-credentials.ts';
import type { RegistryRule } from './registry-rules.ts';

/** Dependencies of the sources of goals. */
export interface SourcesDeps extends Omit<RegistryCredentialsDeps, 'access' | 'tokens'> {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly access: ChildAccess;
  /** Registries from which templates may come. */
  readonly rules: readonly RegistryRule[];
  /** Hosts of the API server. */
  readonly apiServers: readonly string[];
}

/** What the goals of deployments have from elsewhere: texts of templates, and the deployer. */
export function createSources({ client, clock, access, credentials, scopes, rules, apiServers }: SourcesDeps): {
  readonly sources: GoalSources;
  readonly deployers: Deployers;
} {
  const targets = new AllowedTargets({ rules, apiServers, setting: '--template-registries' });
  const tokens = new AcrTokens(targets, clock);
  const artefacts = new OciTemplates(targets, rules, new RegistryCredentials({ credentials, scopes, access, tokens }));
  const linked = new LinkedSources(client, artefacts, access, clock);
  return { sources: new GoalSources(client, access, linked), deployers: new Deployers(credentials, clock) };
}
