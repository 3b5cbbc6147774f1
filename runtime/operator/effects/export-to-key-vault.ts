import { vaultReferencePath, vaultSecrets, withNamespace } from '../../arm-kinds/export/export-to-key-vault.ts';
import { annotations, eventReasons } from '../../arm-kinds/names.ts';
import { isTransient } from '../../azure/arm/errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { ScopeNotAllowed } from '../credentials/scopes.ts';
import type { ExportTarget } from '../export/export-targets.ts';
import { type VaultContext, vaultNameOf } from '../export/key-vault-clients.ts';
import { deleteVaultSecret, writeVaultSecret } from '../export/key-vault-secrets.ts';
import { type EffectContext, type EffectReport, succeeded } from './effect-context.ts';

/**
 * Writes the values into the vault. Records their names on the object first, so that a crash leaves no unknown secret.
 * Returns when an expiry must be renewed, in milliseconds since the epoch.
 */
export async function writeIntoVault(context: EffectContext, { values }: ExportTarget): Promise<number | undefined> {
  const { shared, requests, plan } = context;
  const { signal, log } = plan;
  const { keyVault } = plan.exports;
  if (!keyVault || Object.keys(values).length === 0) return undefined;
  const named = await vaultOf(context, keyVault.vault);
  const vault = shared.vaults.open(named, requests.credential(), vaultContext(context));
  const urlOf = (name: string) => `${vault.url.origin}/secrets/${name}`;
  const before = recordedVaultSecrets(context.object);
  const isShared = context.isBounded() && shared.vaults.isOperatorVault(vault.url, requests.credential());
  const plain = vaultSecrets(keyVault, values);
  // An object that wrote before names had a part of the namespace keeps the names that its readers know.
  const isPlain = !isShared || [...plain.keys()].some((name) => before.includes(urlOf(name)));
  const secrets = isPlain ? plain : vaultSecrets(withNamespace(keyVault, plan.object), values);
  const urls = new Set([...before, ...[...secrets.keys()].map(urlOf)]);
  await context.annotate({ [annotations.keyVaultSecrets]: [...urls].sort().join(' ') });
  const written: string[] = [];
  const renewals: number[] = [];
  for (const [name, value] of secrets) {
    const { did, renewAt } = await writeVaultSecret(name, value, {
      vault,
      resourceId: context.id(),
      isShared,
      expiresMs: keyVault.expiresMs,
      json: !keyVault.flatten,
      hidden: hiddenOf(values),
      now: shared.runtime.clock.now(),
      signal,
    });
    if (renewAt !== undefined) renewals.push(renewAt);
    if (did !== 'same')
      log.info({ vault: vault.url.hostname, vaultSecret: name, did }, 'vault secret brought up to date');
    if (did === 'written') written.push(name);
  }
  if (written.length > 0) {
    const note = `Wrote ${written.join(', ')} into ${vault.url.hostname}`;
    context.event('Normal', eventReasons.keyVaultSecretsWritten, 'Export', note);
  }
  return renewals.length === 0 ? undefined : Math.min(...renewals);
}

const vaultApiVersion = '2024-11-01';

/**
 * The vault to write into. An object that scope rules limit must name an allowed vault by its ARM id, or use the
 * operator's vault. The operator checks that a vault with that id exists, because anybody in Azure can take its name.
 */
async function vaultOf(context: EffectContext, named: string | undefined): Promise<string> {
  const { shared, requests, plan } = context;
  if (named !== undefined) {
    if (!context.isBounded() || named === shared.vaults.operatorVault) return named;
    throw new ScopeNotAllowed(
      `The vault ${named} may not be written into by its name`,
      plan.object.metadata.namespace ?? '',
    );
  }
  const armId = String(plan.resolution.inputs.get(vaultReferencePath));
  const name = vaultNameOf(armId);
  if (!context.isBounded()) return name;
  if ((await requests.tryResource(armId, vaultApiVersion)) !== undefined) return name;
  throw new AzimuthError('AZ_REFERENCE_MISSING', `Azure has no vault ${armId}`);
}

function vaultContext({ shared, plan: { model, correlationId } }: EffectContext): VaultContext {
  const onRequest: VaultContext['onRequest'] = (method, status) =>
    shared.metrics.vaultRequest(model.definition, method, status);
  return { correlationId, onRequest };
}

/**
 * Values in both forms in which they are sent. Short values are left out, because they match harmless parts of
 * messages.
 */
function hiddenOf(values: Readonly<Record<string, string>>): string[] {
  const all = Object.values(values).flatMap((value) => [value, Buffer.from(value).toString('base64')]);
  return all.filter((value) => value.length >= 8);
}

/** URLs of the secrets that the object has in vaults, without version. */
export function recordedVaultSecrets({ metadata }: KubeObject): string[] {
  return (metadata.annotations?.[annotations.keyVaultSecrets] ?? '').split(' ').filter(Boolean);
}

/** Tries for a vault that is unreachable or busy, before its secrets are left to an administrator. */
const tries = 5;

/** Deletes the vault secrets of a deleted resource. A secret that cannot be deleted does not keep the object. */
export async function clearVaults(context: EffectContext): Promise<EffectReport> {
  const { shared, requests, memory, plan } = context;
  const left: string[] = [];
  for (const url of recordedVaultSecrets(context.object)) {
    try {
      const { origin, pathname } = new URL(url);
      const name = pathname.split('/').at(-1) ?? '';
      const vault = shared.vaults.open(origin, requests.credential(), vaultContext(context));
      await deleteVaultSecret(name, { vault, resourceId: context.id(), signal: plan.signal });
    } catch (error) {
      if (plan.signal.aborted || (mayPass(error) && memory.attempts < tries)) throw error;
      left.push(`${url} (${messageOf(error)})`);
    }
  }
  if (left.length > 0) {
    const note = `Delete by hand what could not be deleted: ${left.join('; ')}`;
    context.event('Warning', eventReasons.keyVaultSecretsLeft, 'Delete', note);
  }
  return succeeded({ vaultsCleared: true });
}

function mayPass(error: unknown): boolean {
  if (error instanceof KeyVaultError) return isTransient(error.status);
  return error instanceof AzimuthError && error.code.endsWith('_UNREACHABLE');
}
