import {
  type ArmResourceSecret,
  type ArmResourceSpec,
  type ArmResourceVaultSecret,
  armResource,
} from '../api/arm/arm-resource.ts';
import type { ExportDestination } from '../api/common-schemas.ts';
import {
  actionPath,
  childPath,
  resourcePath,
  subscriptionPath,
  tryParseResourceId,
} from '../azure/arm/resource-ids.ts';
import { AzimuthError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { canonicalJson } from '../base/json.ts';
import { normalizeText, normalizeTexts } from '../base/text/normalize.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { bodySecretInputs, withBodySecrets, withoutBodySecrets } from './body/body-secrets.ts';
import { shownBody } from './body/shown-body.ts';
import {
  type ExportAction,
  type ExportItem,
  type ExportPlan,
  type ExportSource,
  expressionItems,
} from './export/export-plan.ts';
import { keyVaultInputs, keyVaultPlan } from './export/export-to-key-vault.ts';
import type { ArmModel } from './model.ts';
import { withoutBlanksAroundIds } from './pasted-ids.ts';

const specOf = (object: KubeObject) => object['spec'] as ArmResourceSpec;
const typeOf = (object: KubeObject) =>
  normalizeText(specOf(object).type).split('@') as [type: string, apiVersion: string];

/** ArmResource: the object itself has all that the catalogue has for other kinds. */
export const armResourceModel: ArmModel = {
  definition: armResource,
  deletable: true,
  errorOverrides: [],
  extension: {},
  armType: (object) => typeOf(object)[0],
  apiVersion: (object) => typeOf(object)[1],
  owner: (object) => {
    const { owner, scope } = normalizeTexts({ owner: specOf(object).owner, scope: specOf(object).scope });
    if (scope !== undefined) return { armId: scope };
    if (owner?.armId !== undefined) return { armId: owner.armId };
    if (owner?.name === undefined) return undefined;
    return { group: owner.group ?? 'resources.azure.com', kinds: [owner.kind ?? 'ResourceGroup'], name: owner.name };
  },
  inputs: (object) => [...keyVaultInputs(object), ...bodySecretInputs(specOf(object).bodySecrets)],
  resourceId: (object, owner, subscriptionId) => {
    const type = typeOf(object)[0];
    const name = normalizeText(specOf(object).azureName ?? object.metadata.name);
    const scope = owner?.armId ?? subscriptionPath(subscriptionId);
    const types = type.split('/');
    const parent = types.slice(0, -1).join('/').toLowerCase();
    if (types.length > 2 && tryParseResourceId(scope)?.type.toLowerCase() === parent) {
      return childPath(scope, types.at(-1) as string, name);
    }
    if (types.length > 2) {
      throw new AzimuthError('AZ_TERMINAL', `${type} needs an owner or scope of type ${types.slice(0, -1).join('/')}`);
    }
    return resourcePath(scope, type, name);
  },
  body: (object, inputs) => {
    const body = withoutBlanksAroundIds(structuredClone(specOf(object).body ?? {}) as JsonObject);
    return withBodySecrets(body, specOf(object).bodySecrets, inputs);
  },
  bodyPath: ([first, ...members]) => (first === 'body' && members.length > 0 ? members : undefined),
  status: (live, object) => ({
    id: live['id'],
    resource: shownBody(withoutBodySecrets(live, object && specOf(object).bodySecrets)),
  }),
  exports: exportPlan,
  nameInput: () => undefined,
  readyWhen: (object) => specOf(object).readyWhen,
};

function exportPlan(object: KubeObject, id: string, operatorVault?: string): ExportPlan {
  const { operatorSpec } = specOf(object);
  const actions = new Map<string, ExportAction>();
  const keyVault = keyVaultPlan(armResource, object, operatorVault);
  const sourceOf = (secret: ArmResourceSecret | ArmResourceVaultSecret): ExportSource => {
    const value = { from: 'action', path: secret.path } as const;
    if (secret.action === undefined) return { from: 'resource', value: { from: 'status', armPath: secret.path } };
    const path = actionPath(id, secret.action);
    const action: ExportAction = {
      id: `POST ${path} ${canonicalJson(secret.actionBody ?? null)}`,
      method: 'POST',
      path,
      apiVersion: typeOf(object)[1],
      ...(secret.actionBody !== undefined && { body: secret.actionBody }),
    };
    actions.set(action.id, action);
    return { from: 'action', action: action.id, value };
  };
  const items = [
    ...(operatorSpec?.secrets ?? []).map(
      (to, index): ExportItem => ({
        target: 'Secret',
        to,
        source: sourceOf(to),
        where: `spec.operatorSpec.secrets[${index}]`,
      }),
    ),
    ...(operatorSpec?.configMaps ?? []).map(
      (to: ExportDestination & { readonly path: string }, index): ExportItem => ({
        target: 'ConfigMap',
        to,
        source: { from: 'resource', value: { from: 'status', armPath: to.path } },
        where: `spec.operatorSpec.configMaps[${index}]`,
      }),
    ),
    ...expressionItems(operatorSpec),
    ...(operatorSpec?.keyVault?.secrets ?? []).map(
      (secret, index): ExportItem => ({
        target: 'KeyVault',
        to: { name: keyVault?.name ?? '', key: secret.key },
        source: sourceOf(secret),
        where: `spec.operatorSpec.keyVault.secrets[${index}]`,
      }),
    ),
  ];
  return { items, actions: [...actions.values()], secrets: {}, keyVault };
}
