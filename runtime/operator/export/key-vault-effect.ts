import { vaultReferencePath, vaultSecrets } from '../../arm-kinds/export/export-to-key-vault.ts';
import { annotations, eventReasons } from '../../arm-kinds/names.ts';
import { isTransient } from '../../azure/arm/errors.ts';
import { KeyVaultError } from '../../azure/key-vault/error.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { EffectResult } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { ScopeNotAllowed } from '../credentials/scopes.ts';
import { type PassState, succeeded } from '../reconcile/run-state.ts';
import { type VaultPass, vaultNameOf } from './key-vault-clients.ts';
import { deleteVaultSecret, writeVaultSecret } from './key-vault-secrets.ts';
import type { ExportTarget } from './secrets-and-config-maps.ts';

/** Writes the values into the vault. The object notes their names first: a crash leaves no secret that nobody knows of. */
export async function writeIntoVault(state: PassState, { values }: ExportTarget): Promise<void> {
  const { context, plan, requests, input } = state;
  const { signal, log } = input;
  const { keyVault } = plan;
  if (!keyVault || Object.keys(values).length === 0) return;
  const named = await vaultOf(state, keyVault.vault);
  const vault = context.vaults.open(named, requests.credential(), vaultPass(state));
  const secrets = vaultSecrets(keyVault, values);
  const urls = [...secrets.keys()].map((name) => `${vault.url.origin}/secrets/${name}`);
  const known = new Set([...notedSecrets(state.object), ...urls]);
  await state.annotate({ [annotations.keyVaultSecrets]: [...known].sort().join(' ') });
  const written: string[] = [];
  for (const [name, value] of secrets) {
    const { did, renewAt } = await writeVaultSecret(name, value, {
      vault,
      resourceId: state.id(),
      expiresMs: keyVault.expiresMs,
      json: !keyVault.flatten,
      hidden: hiddenOf(values),
      now: context.runtime.clock.now(),
      signal,
    });
    if (renewAt !== undefined) state.renewAt = Math.min(renewAt, state.renewAt ?? renewAt);
    if (did !== 'same')
      log.info({ vault: vault.url.hostname, vaultSecret: name, did }, 'vault secret brought up to date');
    if (did === 'written') written.push(name);
  }
  if (written.length > 0) {
    const note = `Wrote ${written.join(', ')} into ${vault.url.hostname}`;
    state.event('Normal', eventReasons.keyVaultSecretsWritten, 'Export', note);
  }
}

const vaultApiVersion = '2024-11-01';

/**
 * The vault to write into. An object that is kept to places has to name it by an ARM id in those, or use the operator's;
 * and as names of vaults are taken in the whole of Azure, the id must be of one that is there.
 */
async function vaultOf(state: PassState, named: string | undefined): Promise<string> {
  const { context, requests, input } = state;
  if (named !== undefined) {
    if (!state.isBounded() || named === context.vaults.operatorVault) return named;
    throw new ScopeNotAllowed(
      `The vault ${named} may not be written into by its name`,
      input.object.metadata.namespace ?? '',
    );
  }
  const armId = String(input.resolution.inputs.get(vaultReferencePath));
  const name = vaultNameOf(armId);
  if (!state.isBounded()) return name;
  if ((await requests.tryGet(armId, vaultApiVersion)) !== undefined) return name;
  throw new AzimuthError('AZ_REFERENCE_MISSING', `Azure has no vault ${armId}`);
}

function vaultPass({ context, input: { model, correlationId } }: PassState): VaultPass {
  const onRequest: VaultPass['onRequest'] = (method, status) =>
    context.metrics.vaultRequest(model.definition, method, status);
  return { correlationId, onRequest };
}

/** Values in both forms in which they are sent; short ones would only make holes in messages. */
function hiddenOf(values: Readonly<Record<string, string>>): string[] {
  const all = Object.values(values).flatMap((value) => [value, Buffer.from(value).toString('base64')]);
  return all.filter((value) => value.length >= 8);
}

/** URLs of the secrets that the object has in vaults, without version. */
export function notedSecrets({ metadata }: KubeObject): string[] {
  return (metadata.annotations?.[annotations.keyVaultSecrets] ?? '').split(' ').filter(Boolean);
}

/** A vault that cannot be reached, or is busy, is asked this often before its secrets are left to somebody else. */
const tries = 5;

/** Deletes what the object has in vaults, as its resource is gone. What cannot be deleted never holds the object. */
export async function clearVaults(state: PassState): Promise<EffectResult> {
  const { context, requests, memory, input } = state;
  const left: string[] = [];
  for (const url of notedSecrets(state.object)) {
    try {
      const { origin, pathname } = new URL(url);
      const name = pathname.split('/').at(-1) ?? '';
      const vault = context.vaults.open(origin, requests.credential(), vaultPass(state));
      await deleteVaultSecret(name, { vault, resourceId: state.id(), signal: input.signal });
    } catch (error) {
      if (input.signal.aborted || (mayPass(error) && memory.attempts < tries)) throw error;
      left.push(`${url} (${messageOf(error)})`);
    }
  }
  if (left.length > 0) {
    const note = `Delete by hand what could not be deleted: ${left.join('; ')}`;
    state.event('Warning', eventReasons.keyVaultSecretsLeft, 'Delete', note);
  }
  state.vaultsCleared = true;
  return succeeded;
}

function mayPass(error: unknown): boolean {
  if (error instanceof KeyVaultError) return isTransient(error.status);
  return error instanceof AzimuthError && error.code.endsWith('_UNREACHABLE');
}
