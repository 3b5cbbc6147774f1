import type { AzureDeps } from '../azure/azure-deps.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import type { HealthServer } from '../base/observability/health.ts';
import type { LineDestination } from '../base/observability/log.ts';
import type { Manager } from '../kube/controller/manager.ts';
import type { SecretsConfig } from './config.ts';

/** Dependencies of the endpoint that its program creates, and that tests replace. */
export interface SecretsDeps {
  readonly config: SecretsConfig;
  readonly manager: Manager;
  readonly health: HealthServer;
  readonly azure: Pick<AzureDeps, 'cloud' | 'dispatcher' | 'clock'>;
  readonly arm: ArmClient;
  /** The endpoint's own credential. */
  readonly authorizer: Authorizer;
  readonly auditLines: LineDestination;
}
