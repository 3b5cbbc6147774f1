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
import { StorageDataPlane } from '../storage/storage.ts';

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
  const { options, clock, state, ids, tokens, throttle, directory, endpoints } = deps;
  const vaultService = new VaultService({
    outages: deps.vaultOutages,
    state,
    tokens,
    clock,
    ids,
    operationMs: () => deps.settings.operationMs,
    authority: () => `${endpoints.aad}/${deps.tenantId}`,
  });
  const vaults = new VaultListeners(vaultService, deps.listeners, deps.tls);
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
  return {
    entra: entraId(deps),
    arm: resourceManager(deps, vaults),
    graph,
    imds: metadata(deps),
    vaultService,
    vaults,
    storage: new StorageDataPlane({
      state,
      tokens,
      clock,
      ids,
      tenantId: deps.tenantId,
      authority: () => `${endpoints.aad}/${deps.tenantId}`,
    }),
  };
}

/** The audiences of tokens for Resource Manager. */
const armAudiences = ({ arm }: AzureEndpoints) => [
  'https://management.azure.com',
  'https://management.core.windows.net',
  arm,
  arm.replace('localhost', '127.0.0.1'),
];

function entraId(deps: ServiceDeps): EntraId {
  const { tenantId, state, directory, assertions, tokens, clock, ids, endpoints } = deps;
  return new EntraId({
    tenantId,
    settings: deps.tokenSettings,
    audiences: () => [
      ...armAudiences(endpoints),
      endpoints.graph,
      `https://${endpoints.vaultSuffix}`,
      ...(deps.options.audiences ?? []),
    ],
    state,
    directory,
    assertions,
    tokens,
    clock,
    ids,
  });
}

function resourceManager(deps: ServiceDeps, vaults: VaultListeners): Arm {
  const { clock, state, ids, tenantId, settings, directory, tokens, throttle, vaultOutages, endpoints } = deps;
  const context = (): BehaviourContext => ({
    state,
    directory,
    ids,
    now: clock.now(),
    tenantId,
    settings,
    journal: deps.listeners.journal,
    vaultUri: (name) =>
      settings.vaultUri === 'name' ? `https://${name.toLowerCase()}.${endpoints.vaultSuffix}/` : vaults.uri(name),
    vaultAway: (name) => vaultOutages.of(name) !== undefined,
  });
  return new Arm({
    tokens,
    throttle,
    behaviours: new Behaviours(deps.options.behaviours),
    clock,
    audiences: () => armAudiences(endpoints),
    authority: (tenant) => `${endpoints.aad}/${tenant}`,
    cloud: () => ({
      aad: endpoints.aad,
      arm: endpoints.arm,
      audiences: armAudiences(endpoints),
      graph: endpoints.graph,
      vaultSuffix: endpoints.vaultSuffix,
    }),
    context,
    prepare: async ({ type, name, tail }) => {
      const vault = type.toLowerCase() === 'microsoft.keyvault/vaults' && tail === undefined;
      if (vault) await vaults.ensure(name);
    },
  });
}

function metadata({ options, clock, state, ids, ca, subscriptionId, directory, tokens }: ServiceDeps): Imds {
  return new Imds({
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
}
