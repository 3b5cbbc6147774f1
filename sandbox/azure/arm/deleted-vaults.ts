import { type Exchange, type Reply, refuse } from '../exchange.ts';
import { at, type Json } from '../json.ts';
import type { DeletedVault } from '../state.ts';
import type { BehaviourContext } from './behaviour.ts';
import { deletedVaultMissing } from './behaviours/key-vault.ts';
import type { Operations } from './operations.ts';
import { retryAfter } from './operations.ts';
import { page } from './paging.ts';

const pattern =
  /^\/subscriptions\/(?<subscription>[^/]+)\/providers\/Microsoft\.KeyVault(?:\/locations\/(?<location>[^/]+))?\/deletedVaults(?:\/(?<name>[^/]+)(?<purge>\/purge)?)?$/i;

/** Vaults that were deleted and can be recovered: list, show, purge; undefined for any other path. */
export function deletedVaults(
  exchange: Exchange,
  context: BehaviourContext,
  operations: Operations,
  apiVersion: string,
): Reply | undefined {
  expire(context);
  const { subscription, location, name, purge } = pattern.exec(`/${exchange.segments.join('/')}`)?.groups ?? {};
  if (!subscription) return undefined;
  const mine = Object.values(context.state.deletedVaults).filter(
    (vault) => vault.subscriptionId.toLowerCase() === subscription.toLowerCase(),
  );
  if (!name) return page(exchange, mine.map(view), context.settings.pageSize);
  const vault = mine.find(
    (candidate) =>
      candidate.resource.name.toLowerCase() === name.toLowerCase() &&
      (!location || candidate.resource.body['location'] === location.toLowerCase()),
  );
  if (!vault) throw refuse(404, 'DeletedVaultNotFound', deletedVaultMissing(name));
  if (!purge) return { status: 200, body: view(vault) };
  if (exchange.method !== 'POST') return undefined;
  if (at(vault.resource.body, 'properties.enablePurgeProtection') === true) {
    throw refuse(
      400,
      'MethodNotAllowed',
      "Operation 'DeletedVaultPurge' is not allowed: the vault is protected against purge.",
    );
  }
  const id = vault.resource.name.toLowerCase();
  delete context.state.deletedVaults[id];
  delete context.state.vaults[id];
  exchange.entry.effective = true;
  const operation = operations.start({
    kind: 'delete',
    resourceId: idOf(vault),
    type: 'Microsoft.KeyVault/deletedVaults',
    apiVersion,
    style: 'location',
    location: location ?? 'westus2',
    startedAt: context.now,
    readyAt: context.now + context.settings.operationMs,
    retryAfterSeconds: context.settings.retryAfterSeconds === 'real' ? 10 : context.settings.retryAfterSeconds,
    runningWord: 'InProgress',
    deletedStatus: 200,
  });
  const url = operations.url(
    operation,
    {
      origin: exchange.origin,
      subscriptionId: subscription,
      namespace: 'Microsoft.KeyVault',
      segment: 'operationResults',
    },
    context.now,
  );
  return { status: 202, headers: { location: url, ...retryAfter(operation) } };
}

/** Vaults whose retention has passed are gone for good. */
function expire({ state, now }: BehaviourContext): void {
  for (const [name, vault] of Object.entries(state.deletedVaults)) {
    if (vault.purgeAt > now) continue;
    delete state.deletedVaults[name];
    delete state.vaults[name];
  }
}

const idOf = ({ resource, subscriptionId }: DeletedVault) =>
  `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/locations/${String(resource.body['location'])}/deletedVaults/${resource.name}`;

function view(vault: DeletedVault): Json {
  const { resource } = vault;
  return {
    id: idOf(vault),
    name: resource.name,
    type: 'Microsoft.KeyVault/deletedVaults',
    properties: {
      vaultId: resource.id,
      location: resource.body['location'],
      tags: resource.body['tags'] ?? {},
      deletionDate: new Date(vault.deletedAt).toISOString(),
      scheduledPurgeDate: new Date(vault.purgeAt).toISOString(),
      ...(at(resource.body, 'properties.enablePurgeProtection') ? { purgeProtectionEnabled: true } : {}),
    },
  };
}
