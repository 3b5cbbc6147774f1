import { createHash } from 'node:crypto';
import { annotations } from '../../../arm-kinds/names.ts';
import type { SecretVersion } from '../../../compute/managed-secrets/vault-tags.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import { CertificateSource } from '../certificates/certificates.ts';
import { generateValue } from '../values/secret-values.ts';
import type { OrderMemory } from '../vaults/orders.ts';
import { type NewVersion, writeVersion } from '../vaults/secret-steps.ts';
import type { OpenVault, SecretContext, VaultPlaces } from '../vaults/vault-places.ts';
import { ResourceKeySource } from './resource-keys.ts';

/** Where the values of a kind come from. */
export interface VersionSource {
  /**
   * Makes a new version in the home vault. Returns milliseconds after which to go on, where the vault is still at work;
   * undefined once the version is there.
   */
  create(context: SecretContext, home: OpenVault, version: NewVersion): Promise<number | undefined>;
  /** Whether a new version is wanted for a reason of the kind's own. */
  isOutdated?(context: SecretContext, home: OpenVault, current: SecretVersion): Promise<boolean>;
  /** Forgets an order from before a pin once it has ended without a version: nothing is left to wait for. */
  followOrder?(context: SecretContext, home: OpenVault, order: OrderMemory): Promise<void>;
}

/** The source of each kind with a home vault. */
export function versionSources(deps: ReconcileDeps, places: VaultPlaces): (kind: string) => VersionSource {
  const generated: VersionSource = {
    async create(context, home, version) {
      await writeVersion(context, home, await generateValue(context.object.spec), version, deps.fingerprints);
      return undefined;
    },
  };
  const others = new Map<string, VersionSource>([
    ['Certificate', new CertificateSource(deps)],
    ['ResourceKey', new ResourceKeySource(deps, places)],
  ]);
  return (kind) => others.get(kind) ?? generated;
}

/** Least milliseconds between two versions that a person asks for, so that an annotation cannot fill a vault. */
const requestIntervalMs = 60_000;

/** Fingerprint of the annotation that asks for a new version; undefined without one. */
export function renewalTrigger({ object }: Pick<SecretContext, 'object'>): string | undefined {
  const word = object.metadata.annotations?.[annotations.renew];
  return word === undefined ? undefined : createHash('sha256').update(word).digest('hex').slice(0, 16);
}

/**
 * When a version that somebody asked for is due; undefined if the current one is it. At once where nobody asked for the
 * current one.
 */
export function requestDueAt(request: string | undefined, current: SecretVersion | undefined): number | undefined {
  if (request === undefined || current === undefined || current.request === request) return undefined;
  return current.created + (current.request === undefined ? 0 : requestIntervalMs);
}
