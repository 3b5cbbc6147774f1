import { actionPath, type ExportAction, exportAction } from '../../arm-kinds/export/export-plan.ts';
import { readyExpression } from '../../arm-kinds/export/ready-expression.ts';
import { adminKeys } from '../../arm-kinds/generated-admin-secret.ts';
import { annotations, eventReasons, operatorName } from '../../arm-kinds/names.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { AzimuthError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { EffectResult } from '../../engine/index.ts';
import { secretsType } from '../../kube/client/core-types.ts';
import { type PassState, succeeded } from '../reconcile/run-state.ts';
import { nodeId } from '../references/node-id.ts';
import { pairedValues, showOnly } from '../rotation/published.ts';
import type { Published } from '../rotation/steps.ts';
import { azureNames } from './key-vault-clients.ts';
import { writeIntoVault } from './key-vault-effect.ts';
import { type ExportTarget, exportTargets, ownKeys, writeExport } from './secrets-and-config-maps.ts';

/** Asks `readyWhen` about what Azure shows. */
export async function askReady(state: PassState): Promise<EffectResult> {
  const { model, object } = state.input;
  const expression = readyExpression(model, object);
  const self = state.live?.exists ? state.live.body : {};
  const { namespace = '' } = object.metadata;
  const asked = expression ? [expression] : [];
  const [ready = true] = await state.context.expressions.evaluate(namespace, asked, { self });
  state.readyWhen = ready === true;
  return succeeded;
}

/**
 * Writes all that the object exports, with the keys that a rotation under way leaves alone, and takes back what it asked
 * for before.
 */
export async function exportValues(state: PassState): Promise<EffectResult> {
  const before = state.exportsNoted();
  const planned = state.exportsPlanned();
  // Noted before anything is written, so that nothing written is forgotten.
  await state.annotate({ [annotations.exports]: asText([...before, ...planned]) });
  await publish(state, state.published);
  for (const each of before.filter((name) => !planned.includes(name))) {
    const [target, name = ''] = each.split('/');
    if (target !== 'Secret' && target !== 'ConfigMap') continue;
    if (target === 'Secret' && (await holdsCredentials(state, name))) continue;
    await write(state, { target, name, values: {}, labels: {}, annotations: {} });
  }
  await state.annotate({ [annotations.exports]: asText(planned) });
  state.exported = true;
  return succeeded;
}

/**
 * A Secret with an administrator that was made up is left whole when it is asked for no longer: nobody else knows the
 * password, and the server has it still.
 */
async function holdsCredentials({ context, input: { model, object, signal } }: PassState, name: string) {
  if (!model.definition.arm?.generatedCredentials) return false;
  const { namespace = '' } = object.metadata;
  const secret = await context.runtime.client.tryGet(secretsType, { namespace, name }, signal);
  return secret !== undefined && ownKeys(secret, operatorName).includes(adminKeys.password);
}

/**
 * Writes the Secrets and ConfigMaps that the object asks for, and what it has in a vault. Tells whether that reads
 * otherwise than with each key under its own name.
 */
export async function publish(state: PassState, keys: Published): Promise<{ readonly differs: boolean }> {
  const { plan } = state;
  if (plan.items.length === 0) return { differs: false };
  const answers = new Map<string, unknown>();
  for (const action of plan.actions) answers.set(action.id, await ask(state, action));
  const own = await targetsOf(state, answers);
  const shown = keys === 'both' ? own : await targetsOf(state, await onlyOf(state, keys, answers));
  for (const target of shown) await write(state, target);
  return { differs: canonicalJson(own) !== canonicalJson(shown) };
}

async function onlyOf(state: PassState, side: Exclude<Published, 'both'>, answers: ReadonlyMap<string, unknown>) {
  const { keyRotation, secretSource } = state.input.model.definition.arm ?? {};
  if (!keyRotation || !secretSource?.action) return answers;
  const list = exportAction(state.id(), secretSource.action);
  const listed = answers.get(list.id) ?? (await ask(state, list));
  const values = pairedValues(keyRotation, secretSource.secrets, listed);
  return new Map([...answers].map(([id, answer]) => [id, showOnly(side, keyRotation, values, answer)]));
}

async function ask(state: PassState, { method, path, apiVersion, body }: ExportAction): Promise<unknown> {
  return (await state.requests.send(method, actionPath(path, selfOf(state)), { apiVersion, body })).body;
}

/** The object as expressions see it. ASO v2 writes the default of `azureName` into the spec, and its samples rely on that. */
function selfOf({ input: { model, object, resourceId }, live }: PassState) {
  const hasName = model.definition.arm?.azureNameFixed === undefined && resourceId !== undefined;
  const spec = { ...(hasName && { azureName: resourceId.split('/').at(-1) }), ...(object['spec'] as object) };
  return { ...object, spec, status: model.status(live?.exists ? live.body : {}) };
}

function targetsOf(state: PassState, answers: ReadonlyMap<string, unknown>): Promise<ExportTarget[]> {
  const resourceId = state.id();
  const values = {
    self: selfOf(state),
    live: state.live?.exists ? state.live.body : {},
    resourceId,
    answers,
    input: secretInputs(state),
    azure: azureNames(resourceId, state.requests.credential().cloud),
  };
  const { namespace = '' } = state.input.object.metadata;
  return exportTargets(state.plan, values, (expressions, variables) =>
    state.context.expressions.evaluate(namespace, expressions, variables),
  );
}

/** What the spec takes from Secrets, by field. Goes into a vault and nowhere else. */
function secretInputs(state: PassState): Record<string, unknown> {
  const { inputs, admin } = state.input.resolution;
  const found = [...inputs].filter(([, value]) => value instanceof SecretValue);
  const shown = Object.fromEntries(found.map(([field, value]) => [field, (value as SecretValue).reveal()]));
  // Under the policy skip, say, a new password stays where it is: nobody could sign in with it.
  const kept = admin?.pending !== undefined && !state.hasNewPassword();
  return kept ? { ...shown, [admin.input.path]: admin.password } : shown;
}

async function write(state: PassState, target: ExportTarget): Promise<void> {
  if (target.target === 'KeyVault') return writeIntoVault(state, target);
  const { context } = state;
  const { object, signal, log } = state.input;
  const { admin } = state.input.resolution;
  const holdsAdmin = target.target === 'Secret' && target.name === admin?.input.name;
  const isNew = holdsAdmin && state.hasNewPassword();
  // Once Azure has the pending password, that takes the place of the other in the same write.
  const unchanged = { [adminKeys.password]: admin?.password, [adminKeys.pending]: admin?.pending };
  const wanted = holdsAdmin ? { ...target, drop: isNew ? [adminKeys.pending] : [], unchanged } : target;
  const { namespace = '' } = object.metadata;
  const writing = writeExport(wanted, { client: context.runtime.client, owner: object, signal });
  const written = await writing.catch((error: unknown) => {
    // Not noted before, as our own write would wake us.
    const owned = error instanceof AzimuthError && error.code === 'AZ_CONFLICT_OWNED';
    if (owned) state.waitFor(nodeId('', target.target, { namespace, name: target.name }));
    throw error;
  });
  if (written === undefined) return;
  if (isNew) {
    const note = `Azure has the new password, and Secret ${target.name} too`;
    state.event('Normal', eventReasons.credentialsRotated, 'RotateCredentials', note);
  }
  context.ownWrites.record(written);
  log.info({ target: target.target, targetName: target.name }, 'values exported');
}

/** The annotation's value for a list of `Secret/name` and `ConfigMap/name`; null, which removes it, for none. */
export function asText(exports: readonly string[]): string | null {
  return exports.length === 0 ? null : [...new Set(exports)].sort().join(' ');
}
