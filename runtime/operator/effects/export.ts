import type { EffectResult } from '../../engine/index.ts';
import { actionPath } from '../export-plan.ts';
import { exportTargets, writeExport } from '../exports.ts';
import { evaluate } from '../expressions.ts';
import { operatorName } from '../names.ts';
import { type PassState, succeeded } from '../pass-state.ts';
import { SecretValue } from '../secret-value.ts';
import { azureNames } from '../vaults.ts';
import { writeIntoVault } from './key-vault.ts';

/** Asks `readyWhen` about what Azure shows. */
export async function askReady(state: PassState): Promise<EffectResult> {
  const expression = state.input.model.readyWhen(state.input.object) ?? 'true';
  state.readyWhen = evaluate(expression, state.live?.exists ? state.live.body : {}) === true;
  return succeeded;
}

/** Writes the Secrets and ConfigMaps that the object asks for, and what it has in a vault. */
export async function exportValues(state: PassState): Promise<EffectResult> {
  const { context, plan, requests } = state;
  const { model, object, signal, log } = state.input;
  const live = state.live?.exists ? state.live.body : {};
  const self = { ...object, status: model.status(live) };
  const answers = new Map<string, unknown>();
  for (const { id, method, path, apiVersion, body } of plan.actions) {
    answers.set(id, (await requests.send(method, actionPath(path, self), { apiVersion, body })).body);
  }
  const resourceId = state.id();
  const { cloud } = requests.credential();
  const values = { self, live, resourceId, answers, input: secretInputs(state), azure: azureNames(resourceId, cloud) };
  for (const target of exportTargets(plan, values)) {
    if (target.target === 'KeyVault') {
      await writeIntoVault(state, target);
      continue;
    }
    const writer = { client: context.runtime.client, owner: object, fieldManager: operatorName, signal };
    const written = await writeExport(target, writer);
    if (written !== undefined) {
      context.wrote(target.target, object.metadata.namespace ?? '', target.name, written);
      log.info({ target: target.target, name: target.name }, 'values exported');
    }
  }
  state.exported = true;
  return succeeded;
}

/** What the spec takes from Secrets, by field. Goes into a vault and nowhere else. */
function secretInputs({ input }: PassState): Record<string, unknown> {
  const found = [...input.resolution.inputs].filter(([, value]) => value instanceof SecretValue);
  return Object.fromEntries(found.map(([field, value]) => [field, (value as SecretValue).reveal()]));
}
