import type { ArmResourceSpec } from '../../api/arm/arm-resource.ts';
import { withoutBodySecrets } from '../../arm-kinds/body/body-secrets.ts';
import { actionPath, type ExportAction, exportAction } from '../../arm-kinds/export/export-plan.ts';
import { readyExpression } from '../../arm-kinds/export/ready-expression.ts';
import { adminKeys } from '../../arm-kinds/generated-admin-secret.ts';
import { annotations, eventReasons, operatorName } from '../../arm-kinds/names.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { isRefusal } from '../../azure/arm/errors.ts';
import { isUrlBelow } from '../../azure/arm/operations/operation-urls.ts';
import { AzimuthError } from '../../base/errors.ts';
import { canonicalJson, isObject, type JsonObject } from '../../base/json.ts';
import { secretsType } from '../../kube/client/core-types.ts';
import { type ExportTarget, type ExportTargets, exportTargets } from '../export/export-targets.ts';
import { azureNames } from '../export/key-vault-clients.ts';
import { pairedValues, showOnly } from '../export/published.ts';
import { ownKeys, writeExport } from '../export/secrets-and-config-maps.ts';
import type { Published } from '../export/steps.ts';
import { nodeId } from '../objects/node-id.ts';
import { completeAction } from './complete-action.ts';
import { type EffectContext, type EffectReport, succeeded } from './effect-context.ts';
import { writeIntoVault } from './export-to-key-vault.ts';
import { failureInfo, isThrottled } from './failures.ts';

/** Evaluates the kind's `readyWhen` on the resource. */
export async function evaluateReadyWhen(context: EffectContext): Promise<EffectReport> {
  const { model, object } = context.plan;
  const expression = readyExpression(model, object);
  const self = liveBody(context);
  const { namespace = '' } = object.metadata;
  const asked = expression ? [expression] : [];
  const [ready = true] = await context.shared.expressions.evaluate(namespace, asked, { self });
  if (ready !== true) {
    const complete = async (path: string, apiVersion: string, body?: unknown) => {
      await completeAction(context, { path, apiVersion, body, before: 'the object is Ready' });
    };
    await model.extension.whenNotReady?.(self, { resourceId: context.id(), complete });
  }
  return succeeded({ readyWhen: ready === true });
}

/** Azure's answer, without what an ArmResource has from Secrets: expressions and paths of exports read it. */
function liveBody({ observed: { live }, plan: { object } }: EffectContext): JsonObject {
  const { bodySecrets } = object['spec'] as ArmResourceSpec;
  return live?.exists ? withoutBodySecrets(live.body, bodySecrets) : {};
}

/**
 * Writes all exports of the plan, with the keys that a rotation publishes now, and removes exports of an earlier plan.
 */
export async function exportValues(context: EffectContext): Promise<EffectReport> {
  const before = context.recordedExports();
  const planned = context.plannedExports();
  // Recorded before the first write, so that no export is forgotten after a crash.
  await context.annotate({ [annotations.exports]: exportsText([...before, ...planned]) });
  const { renewAt = context.observed.renewAt } = await publish(context, context.plan.publishedKeys);
  for (const each of before.filter((name) => !planned.includes(name))) {
    const [target, name = ''] = each.split('/');
    if (target !== 'Secret' && target !== 'ConfigMap') continue;
    if (target === 'Secret' && (await hasGeneratedAdmin(context, name))) continue;
    await write(context, { target, name, values: {}, labels: {}, annotations: {} });
  }
  await context.annotate({ [annotations.exports]: exportsText(planned) });
  return succeeded({ exported: true, renewAt });
}

/** A Secret with a generated administrator stays when the plan drops it, because the server still has the password. */
async function hasGeneratedAdmin({ shared, plan: { model, object, signal } }: EffectContext, name: string) {
  if (!model.definition.arm?.generatedCredentials) return false;
  const { namespace = '' } = object.metadata;
  const secret = await shared.runtime.client.tryGet(secretsType, { namespace, name }, signal);
  return secret !== undefined && ownKeys(secret, operatorName).includes(adminKeys.password);
}

/** The result of `publish`. */
export interface Publication {
  /** Whether the exports differ from those with each key under its own name. */
  readonly differs: boolean;
  /** When an expiry in a vault must be renewed, in milliseconds since the epoch; undefined without one. */
  readonly renewAt: number | undefined;
}

/**
 * Writes the plan's Secrets, ConfigMaps and vault secrets with these keys. A value that Azure refuses, or a target that
 * cannot be written, blocks no other one: its error is thrown once the others are written.
 */
export async function publish(context: EffectContext, keys: Published): Promise<Publication> {
  const plan = context.plan.exports;
  if (plan.items.length === 0) return { differs: false, renewAt: undefined };
  const problems: unknown[] = [];
  const answers = new Map<string, unknown>();
  for (const action of plan.actions) {
    await attempt(context, problems, isRefusal, async () => void answers.set(action.id, await ask(context, action)));
  }
  const targets = await targetsOf(context, answers);
  const shown = keys === 'both' ? targets : await targetsOf(context, await onlyOf(context, keys, answers));
  const renewals: number[] = [];
  for (const target of shown.targets) {
    await attempt(context, problems, isAzimuthError, async () => {
      const renewAt = await write(context, target);
      if (renewAt !== undefined) renewals.push(renewAt);
    });
  }
  throwSoonest(context, [...problems, ...shown.problems]);
  const renewAt = renewals.length === 0 ? undefined : Math.min(...renewals);
  return { differs: canonicalJson(targets.targets) !== canonicalJson(shown.targets), renewAt };
}

const isAzimuthError = (error: unknown) => error instanceof AzimuthError;

/** Keeps an error that concerns this part alone. Throws any other one, such as that of an exhausted rate limit. */
async function attempt(
  context: EffectContext,
  problems: unknown[],
  concernsPart: (error: unknown) => boolean,
  part: () => Promise<void>,
): Promise<void> {
  try {
    await part();
  } catch (error) {
    if (context.plan.signal.aborted || isThrottled(error) || !concernsPart(error)) throw error;
    problems.push(error);
  }
}

/** Throws an error that a retry may end before one that only a change of the object ends. */
function throwSoonest({ plan: { model } }: EffectContext, problems: readonly unknown[]): void {
  const isRetried = (error: unknown) => failureInfo(error, model.errorOverrides).retryClass !== 'none';
  if (problems.length > 0) throw problems.find(isRetried) ?? problems[0];
}

async function onlyOf(context: EffectContext, side: Exclude<Published, 'both'>, answers: ReadonlyMap<string, unknown>) {
  const { keyRotation, secretSource } = context.plan.model.definition.arm ?? {};
  if (!keyRotation || !secretSource?.action) return answers;
  const list = exportAction(context.id(), secretSource.action);
  const isRefused = context.plan.exports.actions.some(({ id }) => id === list.id) && !answers.has(list.id);
  if (isRefused) return answers;
  const listed = answers.get(list.id) ?? (await ask(context, list));
  const values = pairedValues(keyRotation, secretSource.secrets, listed);
  return new Map([...answers].map(([id, answer]) => [id, showOnly(side, keyRotation, values, answer)]));
}

/** Pages of an action's answer that the operator reads. */
const mostPages = 100;
/** Characters of all of them; a Secret or ConfigMap has room for a megabyte. */
const mostCharacters = 8 * 1024 * 1024;

/** The answer of an action. Where it is a list in pages, the items of all of them. */
async function ask(context: EffectContext, { method, path, apiVersion, body, lro }: ExportAction): Promise<unknown> {
  if (lro) return completeAction(context, { path, apiVersion, body, before: 'its values are exported' });
  const asked = actionPath(path, selfOf(context));
  const answer = (await context.requests.send(method, asked, { apiVersion, body })).body;
  if (!isObject(answer) || !Array.isArray(answer['value'])) return answer;
  const value: unknown[] = [...answer['value']];
  let next = answer['nextLink'];
  let characters = JSON.stringify(value).length;
  const { cloud } = context.requests.credential();
  for (let pages = 1; typeof next === 'string' && next !== ''; pages++) {
    if (pages === mostPages)
      throw new AzimuthError('AZ_ARM_ANSWER', `${path} of ${context.id()} has more than ${mostPages} pages`);
    // A tenant's own service may write the answer, and the request carries a token.
    if (!isUrlBelow(next, asked, cloud) && !isUrlBelow(next, context.id(), cloud))
      throw new AzimuthError('AZ_ARM_ANSWER', `${path} of ${context.id()} continues at a place that is not below it`);
    const page = (await context.requests.send('GET', next, { apiVersion })).body;
    const items: unknown[] = isObject(page) && Array.isArray(page['value']) ? page['value'] : [];
    characters += JSON.stringify(items).length;
    if (characters > mostCharacters)
      throw new AzimuthError(
        'AZ_ARM_ANSWER',
        `${path} of ${context.id()} has more than ${mostCharacters / 1024 / 1024} MiB`,
      );
    for (const item of items) value.push(item);
    next = isObject(page) ? page['nextLink'] : undefined;
  }
  return { ...answer, value };
}

/**
 * The object as expressions see it. ASO v2 writes the default of `azureName` into the spec, and its samples rely on
 * that.
 */
function selfOf(context: EffectContext) {
  const { model, object, resourceId } = context.plan;
  const hasName = model.definition.arm?.azureNameFixed === undefined && resourceId !== undefined;
  const spec = { ...(hasName && { azureName: resourceId.split('/').at(-1) }), ...(object['spec'] as object) };
  return { ...object, spec, status: model.status(liveBody(context), object) };
}

function targetsOf(context: EffectContext, answers: ReadonlyMap<string, unknown>): Promise<ExportTargets> {
  const resourceId = context.id();
  const values = {
    self: selfOf(context),
    live: liveBody(context),
    resourceId,
    answers,
    input: secretInputs(context),
    azure: azureNames(resourceId, context.requests.credential().cloud),
  };
  const { namespace = '' } = context.plan.object.metadata;
  return exportTargets(context.plan.exports, values, (expressions, variables) =>
    context.shared.expressions.evaluateEach(namespace, expressions, variables),
  );
}

/** The spec's values from Secrets, by field. They are exported into a vault only. */
function secretInputs(context: EffectContext): Record<string, unknown> {
  const { inputs, admin } = context.plan.resolution;
  const secretEntries = [...inputs].filter(([, value]) => value instanceof SecretValue);
  const shown = Object.fromEntries(secretEntries.map(([field, value]) => [field, (value as SecretValue).reveal()]));
  // The operator does not export a password that Azure does not have, for example under the policy skip.
  const kept = admin?.pending !== undefined && !context.hasNewPassword();
  return kept ? { ...shown, [admin.input.path]: admin.password } : shown;
}

/** Writes one target. Returns when an expiry in a vault must be renewed, in milliseconds since the epoch. */
async function write(context: EffectContext, target: ExportTarget): Promise<number | undefined> {
  const { shared } = context;
  // Without flatten, all keys are the value of one secret.
  if (target.target === 'KeyVault' && target.partial && !context.plan.exports.keyVault?.flatten) return undefined;
  if (target.target === 'KeyVault') return writeIntoVault(context, target);
  const { object, signal, log } = context.plan;
  const { admin } = context.plan.resolution;
  const holdsAdmin = target.target === 'Secret' && target.name === admin?.input.name;
  const isNew = holdsAdmin && context.hasNewPassword();
  // Once Azure has the pending password, the same write replaces the current password with it.
  const unchanged = { [adminKeys.password]: admin?.password, [adminKeys.pending]: admin?.pending };
  const exportTarget = holdsAdmin ? { ...target, drop: isNew ? [adminKeys.pending] : [], unchanged } : target;
  const { namespace = '' } = object.metadata;
  const writing = writeExport(exportTarget, { client: shared.runtime.client, owner: object, signal });
  const written = await writing.catch((error: unknown) => {
    // Only after a conflict: an earlier edge would enqueue the object for the operator's own write.
    const owned = error instanceof AzimuthError && error.code === 'AZ_CONFLICT_OWNED';
    if (owned) context.waitFor(nodeId('', target.target, { namespace, name: target.name }));
    throw error;
  });
  if (written === undefined) return undefined;
  if (isNew) {
    const note = `Azure has the new password, and Secret ${target.name} too`;
    context.event('Normal', eventReasons.credentialsRotated, 'RotateCredentials', note);
  }
  shared.ownWrites.record(written);
  log.info({ target: target.target, targetName: target.name }, 'values exported');
  return undefined;
}

/**
 * The annotation's value for a list of `Secret/name` and `ConfigMap/name`; null, which removes it, for an empty list.
 */
export function exportsText(exports: readonly string[]): string | null {
  return exports.length === 0 ? null : [...new Set(exports)].sort().join(' ');
}
