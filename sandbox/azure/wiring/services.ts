import type { Clock } from '../../../runtime/base/clock.ts';
import { Arm } from '../arm/arm.ts';
import type { ArmSettings, BehaviourContext } from '../arm/behaviour.ts';
import { Behaviours } from '../arm/behaviours/index.ts';
import type { Throttle } from '../arm/throttle.ts';
import type { AzureEndpoints, EmbeddedAzureOptions } from '../embedded-azure.ts';
import type { ClientAssertions } from '../entra/client-assertion.ts';
import type { Directory } from '../entra/directory.ts';
import { EntraId } from '../entra/entra.ts';
import type { TokenIssuer } from '../entra/tokens.ts';
import { MicrosoftGraph } from '../graph/graph.ts';
import type { Ids } from '../ids.ts';
import { Imds } from '../imds/imds.ts';
import { VaultService } from '../key-vault/vault.ts';
import { VaultListeners } from '../key-vault/vault-listeners.ts';
import type { VaultOutages } from '../key-vault/vault-outages.ts';
import type { ListenerDeps } from '../listener.ts';
import type { KeyAndCertificate } from '../pki.ts';
import type { SandboxState } from '../state.ts';

const hour = 3600;

/** The dependencies that the services share. */
export interface ServiceDeps {
  readonly options: Pick<EmbeddedAzureOptions, 'audiences' | 'behaviours' | 'graph' | 'imds'>;
  readonly clock: Clock;
  readonly state: SandboxState;
  readonly ids: Ids;
  readonly ca: KeyAndCertificate;
  readonly tls: KeyAndCertificate;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly settings: ArmSettings;
  readonly directory: Directory;
  readonly tokens: TokenIssuer;
  readonly tokenSettings: { tokenLifetimeSeconds: number };
  readonly throttle: Throttle;
  readonly assertions: ClientAssertions;
  readonly vaultOutages: VaultOutages;
  /** Complete once every service listens. */
  readonly endpoints: AzureEndpoints;
  /** For the listeners of vaults, which start with their vaults. */
  readonly listeners: ListenerDeps;
}

/** Entra ID, Resource Manager, Microsoft Graph, Key Vault and the metadata endpoint over one state. */
export function createServices(deps: ServiceDeps) {
  const { options, clock, state, ids, ca, tls, tenantId, subscriptionId, settings } = deps;
  const { directory, tokens, tokenSettings, throttle, assertions, vaultOutages, endpoints } = deps;
  const ownAudiences = () => [
    'https://management.azure.com',
    'https://management.core.windows.net',
    endpoints.arm,
    endpoints.arm.replace('localhost', '127.0.0.1'),
  ];
  const context = (): BehaviourContext => ({
    state,
    directory,
    ids,
    now: clock.now(),
    tenantId,
    settings,
    journal: deps.listeners.journal,
    vaultUri: (name) => vaults.uri(name),
    vaultAway: (name) => vaultOutages.of(name) !== undefined,
  });
  const entra = new EntraId({
    tenantId,
    settings: tokenSettings,
    audiences: () => [...ownAudiences(), endpoints.graph, ...(options.audiences ?? [])],
    state,
    directory,
    assertions,
    tokens,
    clock,
    ids,
  });
  const arm = new Arm({
    tokens,
    throttle,
    behaviours: new Behaviours(options.behaviours),
    clock,
    audiences: ownAudiences,
    authority: (tenant) => `${endpoints.aad}/${tenant}`,
    cloud: () => ({
      aad: endpoints.aad,
      arm: endpoints.arm,
      audiences: ownAudiences(),
      graph: endpoints.graph,
      vaultSuffix: endpoints.vaultSuffix,
    }),
    context,
    prepare: async ({ type, name, tail }) => {
      const vault = type.toLowerCase() === 'microsoft.keyvault/vaults' && tail === undefined;
      if (vault) await vaults.ensure(name);
    },
  });
  const graph = new MicrosoftGraph({
    state,
    directory,
    tokens,
    throttle,
    clock,
    ids,
    settings: { replicationMs: 0, ...options.graph },
    audiences: () => ['https://graph.microsoft.com', endpoints.graph],
  });
  const vaultService = new VaultService({
    outages: vaultOutages,
    state,
    tokens,
    clock,
    ids,
    operationMs: () => settings.operationMs,
    authority: () => `${endpoints.aad}/${tenantId}`,
  });
  const vaults = new VaultListeners(vaultService, deps.listeners, tls);
  const imds = new Imds({
    settings: {
      identities: 'all',
      tokenLifetimeSeconds: 24 * hour - 1,
      subscriptionId,
      location: 'westus2',
      attestedName: 'metadata.azure.com',
      attestedSeconds: 21_600,
      ...options.imds,
    },
    ids,
    ca,
    state,
    directory,
    tokens,
    clock,
  });
  return { entra, arm, graph, imds, vaultService, vaults };
}
