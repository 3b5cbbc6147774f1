import { reasons } from '../../../arm-kinds/names.ts';
import { isTransient } from '../../../azure/arm/errors.ts';
import { KeyVaultError } from '../../../azure/key-vault/error.ts';
import type { VaultItem } from '../../../azure/key-vault/vault-items.ts';
import { backoff } from '../../../base/backoff.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import type { VaultReading } from '../../../compute/managed-secrets/plan.ts';
import {
  collectionOf,
  isNewestUnclear,
  observe,
  type VaultObservation,
  vmAccessSecretName,
} from '../../../compute/managed-secrets/vault-tags.ts';
import { ScopeNotAllowed } from '../../credentials/scopes.ts';
import { ownerOf } from '../secret-object.ts';
import { hasVmAccess } from '../values/secret-values.ts';
import {
  type OpenVault,
  PlaceProblem,
  type SecretContext,
  type VaultInfo,
  type VaultPlace,
  type VaultPlaces,
} from './vault-places.ts';

/** A run's reading of one vault. */
export interface PlaceReading {
  readonly place: VaultPlace;
  readonly reading: VaultReading;
  /** The second secret, of kinds that VMAccess delivers. */
  readonly access: VaultReading | undefined;
  /** Undefined where the vault could not be opened. */
  readonly open: OpenVault | undefined;
  /** A word for a condition, where the vault could not be read. */
  readonly reason?: string;
}

/** Failures in a row, and when to try again. */
export interface Retry {
  failures: number;
  /** No try before this time, in milliseconds since the epoch. */
  retryAt: number;
  failure?: PlaceFailure;
  /** The failure was found without a request: each run checks it again. */
  local?: boolean;
}

/** The memory of one vault of one object in this process. Losing it costs only time. */
export interface PlaceMemory extends Retry {
  info?: VaultInfo;
  /** The vault as it was read last, for machines while it does not answer. */
  last?: { readonly open: OpenVault; readonly main: VaultObservation; readonly access: VaultObservation | undefined };
  /** When the copy was last seen with the current version. */
  syncedAt?: number;
  /** The version that was last imported again as the newest one, or could not be. */
  reimport?: Retry & { readonly number: number };
}

/** Why a vault could not be used. */
export interface PlaceFailure {
  /** A word for a condition. */
  readonly reason: string;
  readonly message: string;
}

/** Milliseconds for the requests to one vault in one step: one that hangs keeps no other waiting for longer. */
export const vaultTimeMs = 20_000;

/** Reads a vault, unless it failed a moment ago. Never throws but for the end of the run. */
export async function readPlace(
  places: VaultPlaces,
  context: SecretContext,
  place: VaultPlace,
  memory: PlaceMemory,
  now: number,
): Promise<PlaceReading> {
  let open: OpenVault | undefined;
  try {
    // Costs no request, and ends as soon as somebody corrects the object or opens the gate.
    places.armIdOf(context, place.reference, place.path);
    if (memory.failure && !memory.local && now < memory.retryAt) return unreachable(place, memory.failure, undefined);
    const limited = { ...context, signal: AbortSignal.any([context.signal, AbortSignal.timeout(vaultTimeMs)]) };
    [open, memory.info] = await places.open(limited, place, memory.info);
    const { kind } = context.object.spec;
    const [main, access] = await Promise.all([
      list(limited, open, collectionOf(kind), context.name),
      hasVmAccess({ kind }) ? list(limited, open, 'secrets', vmAccessSecretName(context.name)) : undefined,
    ]);
    memory.last = { open, main, access };
    memory.failures = 0;
    memory.retryAt = 0;
    delete memory.failure;
    return { place, reading: main, access, open };
  } catch (error) {
    if (context.signal.aborted) throw error;
    return unreachable(place, failed(memory, error, now), open);
  }
}

/** Milliseconds to the next check of a failure that only a change in the cluster ends; it enqueues the object too. */
const localMs = 300_000;

/** Records a failure and when to try again. */
export function failed(memory: Retry, error: unknown, now: number): PlaceFailure {
  const asked = error instanceof AzimuthError ? (error.retryAfterMs ?? 0) : 0;
  const local = error instanceof ScopeNotAllowed || (error instanceof PlaceProblem && error.local);
  const wait = local ? localMs : backoff(memory.failures, { initialMs: 5000, maxMs: 300_000 });
  memory.local = local;
  memory.failures += local ? 0 : 1;
  memory.retryAt = now + Math.max(wait, Math.min(asked, 3_600_000));
  memory.failure = { reason: reasonOf(error), message: messageOfFailure(error).slice(0, 1024) };
  return memory.failure;
}

async function list(
  context: SecretContext,
  { vault }: OpenVault,
  collection: 'secrets' | 'certificates',
  name: string,
): Promise<VaultObservation> {
  let items: VaultItem[];
  try {
    items = await vault.listVersions(collection, name, context.signal);
  } catch (error) {
    if (!(error instanceof KeyVaultError) || error.status !== 404) throw error;
    items = [];
  }
  const unclear = collection === 'certificates' && isNewestUnclear(items);
  const newest = unclear ? await vault.tryGetCertificate(name, undefined, context.signal) : items[0];
  return observe(ownerOf(context.object), items, newest?.version);
}

function unreachable(place: VaultPlace, { reason, message }: PlaceFailure, open: OpenVault | undefined): PlaceReading {
  return { place, reading: { state: 'Unreachable', message }, access: undefined, open, reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof PlaceProblem) return error.reason;
  if (error instanceof ScopeNotAllowed) return reasons.scopeNotAllowed;
  if (error instanceof KeyVaultError && !isTransient(error.status)) return reasons.keyVaultAccessDenied;
  return 'VaultUnreachable';
}

function messageOfFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `The vault did not answer within ${vaultTimeMs / 1000} s`;
  }
  return messageOf(error);
}
