import { versionFor } from '../api/api-version.ts';
import { v1Outputs } from '../api/arm/key-vault-outputs.ts';
import type { CredentialsDestination, ExportDestination } from '../api/common-schemas.ts';
import type { ArmKindDefinition } from '../api/kinds.ts';
import type { ArmKind, ResourceAction, SecretSource, ValueSource } from '../api/types.ts';
import {
  childPath,
  resourceGroupPath,
  resourcePath,
  subscriptionPath,
  tryParseResourceId,
} from '../azure/arm/resource-ids.ts';
import { AzimuthError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { normalizeText, normalizeTexts } from '../base/text/normalize.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { appliedVersion } from './applied-version.ts';
import { armBody } from './body/arm-body.ts';
import { bodyPathOf } from './body/ignored-fields.ts';
import { statusOf } from './body/shown-body.ts';
import { accountModel } from './data-plane/account-models.ts';
import {
  type ExportAction,
  type ExportItem,
  type ExportPlan,
  type ExportSource,
  exportAction,
  expressionItems,
  type OperatorSpecExpressions,
} from './export/export-plan.ts';
import { keyVaultInputs, keyVaultPlan, keyVaultSpec } from './export/export-to-key-vault.ts';
import { secretsIn } from './export/expressions.ts';
import { extensionOf } from './extensions/index.ts';
import { adminInputs, withAdmin } from './generated-admin.ts';
import { type Input, inputsOf } from './inputs.ts';
import type { ArmModel, ExistingOwner, OwnerLink } from './model.ts';
import { withoutBlanksAroundIds } from './pasted-ids.ts';

/** The model of a kind of the catalogue. */
export function catalogueModel(definition: ArmKindDefinition): ArmModel {
  const { arm } = definition;
  const [firstVersion] = Object.values(arm.apiVersions);
  const extension = extensionOf(definition.group, definition.kind);
  const account = arm.dataPlane && accountModel(arm.dataPlane);
  const specOf = (object: KubeObject) => (object['spec'] ?? {}) as JsonObject;
  const nameOf = (object: KubeObject): string =>
    arm.azureNameFixed ??
    (arm.dataPlane?.namesItself ? undefined : azureNameIn(specOf(object))) ??
    extension.defaultName?.(object) ??
    object.metadata.name;
  const nameInput = (object: KubeObject) =>
    arm.azureName?.fromConfig && isObject(specOf(object)[fromConfig]) ? fromConfig : undefined;
  return {
    definition,
    deletable: arm.deletable,
    errorOverrides: arm.errorOverrides,
    extension,
    armType: () => arm.armType,
    apiVersion: (object) => {
      const version = versionFor(arm, specOf(object), appliedVersion(object))?.apiVersion ?? firstVersion;
      if (version === undefined) throw new AzimuthError('AZ_KIND_UNKNOWN', `${definition.kind} has no api-version`);
      return version;
    },
    owner: (object) => ownerLink(arm, specOf(object)['owner']),
    inputs: (object) => [
      ...nameInputs(nameInput(object), specOf(object)),
      ...inputsOf(arm.fields, specOf(object), extension.wellKnownNames),
      ...adminInputs(arm, object),
      ...keyVaultInputs(object),
    ],
    resourceId: (object, owner, subscriptionId, inputs) => {
      const given = nameInput(object) === undefined ? undefined : normalizeText(String(inputs?.get(fromConfig) ?? ''));
      const name = given ?? nameOf(object);
      return resourceId(arm, account?.segment(specOf(object), name) ?? name, owner, subscriptionId);
    },
    nameInput,
    body: (object, inputs) => {
      const applied = appliedVersion(object);
      const version = versionFor(arm, specOf(object), applied)?.version ?? applied;
      const made = armBody(arm, version, withAdmin(definition, specOf(object), inputs), inputs);
      const body = withoutBlanksAroundIds(made);
      return account?.complete(body) ?? body;
    },
    bodyPath: (field) => bodyPathOf(arm, field),
    status: (live) => statusOf(arm, live, extension.status),
    exports: (object, id, operatorVault) => exportPlan(definition, object, id, operatorVault),
    readyWhen: () => extension.readyWhen,
  };
}

function azureNameIn({ azureName }: JsonObject): string | undefined {
  return typeof azureName === 'string' ? normalizeText(azureName) : undefined;
}

/** The field that takes the name from a ConfigMap. */
const fromConfig = 'azureNameFromConfig';

function nameInputs(path: string | undefined, spec: JsonObject): Input[] {
  if (path === undefined) return [];
  const { name, key } = normalizeTexts(spec[path] as { readonly name: string; readonly key: string });
  return [{ type: 'configMap', path, name, key }];
}

function ownerLink(arm: ArmKind, owner: unknown): OwnerLink | undefined {
  if (!arm.owner || !isObject(owner)) return undefined;
  const { armId, name, group, kind } = normalizeTexts(owner) as Record<string, string | undefined>;
  if (armId !== undefined) return { armId };
  if (name === undefined) return undefined;
  if (arm.owner.extension) return { group: group ?? '', kinds: [kind ?? ''], name };
  return { group: arm.owner.group, kinds: arm.owner.kinds, name };
}

function resourceId(arm: ArmKind, name: string, owner: ExistingOwner | undefined, subscriptionId: string): string {
  if (!owner) {
    if (arm.armType === 'Microsoft.Resources/resourceGroups') return resourceGroupPath(subscriptionId, name);
    const scope = arm.scope === 'Tenant' ? '' : subscriptionPath(subscriptionId);
    return resourcePath(scope, arm.armType, name);
  }
  const types = arm.armType.split('/');
  const last = types.at(-1) as string;
  const ownerType = tryParseResourceId(owner.armId)?.type.toLowerCase();
  if (types.length > 2 && ownerType === types.slice(0, -1).join('/').toLowerCase()) {
    return childPath(owner.armId, last, name);
  }
  if (types.length > 2) {
    throw new AzimuthError('AZ_TERMINAL', `The owner ${owner.armId} is no ${types.slice(0, -1).join('/')}`);
  }
  return resourcePath(owner.armId, arm.armType, name);
}

const fieldsOf = { Secret: 'secrets', ConfigMap: 'configMaps', KeyVault: 'keyVault' } as const;

interface OperatorSpec extends OperatorSpecExpressions {
  readonly generatedCredentials?: CredentialsDestination;
  readonly secrets?: Readonly<Record<string, ExportDestination>>;
  readonly configMaps?: Readonly<Record<string, ExportDestination>>;
  /** The word of ASO v2's SecurityGroup for `configMaps`. */
  readonly configmaps?: Readonly<Record<string, ExportDestination>>;
}

function exportPlan(
  definition: ArmKindDefinition,
  object: KubeObject,
  id: string,
  operatorVault: string | undefined,
): ExportPlan {
  const { secretSource } = definition.arm;
  const v1 = v1Outputs[`${definition.group}/${definition.kind}`];
  const operatorSpec = (object['spec'] as { readonly operatorSpec?: OperatorSpec } | undefined)?.operatorSpec;
  const actions = new Map<string, ExportAction>();
  const sourceOf = (value: ValueSource, action: ResourceAction | undefined): ExportSource => {
    if (value.from !== 'action' || !action) return { from: 'resource', value };
    const request = exportAction(id, action);
    actions.set(request.id, request);
    return { from: 'action', action: request.id, value };
  };
  const secretSourceOf = (name: string, sources = secretSource?.secrets): ExportSource | undefined => {
    const value = sources?.[name];
    return value && sourceOf(value, secretSource?.action ?? secretSource?.actions?.[name]);
  };
  const named = (
    target: ExportItem['target'],
    targets: Readonly<Record<string, ExportItem['to']>> = {},
    sources?: Readonly<Record<string, ValueSource>>,
  ): ExportItem[] =>
    Object.entries(targets).flatMap(([name, to]): ExportItem[] => {
      const source = secretSourceOf(name, sources);
      return source ? [{ target, to, source, where: `spec.operatorSpec.${fieldsOf[target]}.${name}` }] : [];
    });
  const admin = definition.arm.generatedCredentials && operatorSpec?.generatedCredentials;
  const adminKeys = admin ? (v1?.keys ?? {}) : {};
  const keyVault = keyVaultPlan(definition, object, operatorVault);
  const items = [
    ...named('Secret', operatorSpec?.secrets),
    ...named('ConfigMap', operatorSpec?.configMaps, secretSource?.configMaps ?? {}),
    ...named('ConfigMap', operatorSpec?.configmaps, secretSource?.configMaps ?? {}),
    ...expressionItems(operatorSpec),
    ...Object.entries(adminKeys).map(
      ([key, expression]): ExportItem => ({
        target: 'Secret',
        to: { ...(admin as CredentialsDestination), key },
        source: { from: 'output', expression },
        where: 'spec.operatorSpec.generatedCredentials',
      }),
    ),
    ...(keyVault ? keyVaultItems(definition, keyVault.name, keyVaultSpec(object)?.keys, named) : []),
  ];
  const all = [...(secretSource?.celNames ?? []), ...Object.keys(adminKeys)];
  const secrets: Record<string, ExportSource> = {};
  for (const name of secretNames(items, all)) {
    const answer = v1?.answers?.[name];
    const source = answer
      ? sourceOf(answer.value, answer.action)
      : celNamed(secretSource, name) && secretSourceOf(name);
    const made = adminKeys[name];
    if (source) secrets[name] = source;
    else if (made !== undefined) secrets[name] = { from: 'output', expression: made };
  }
  return { items, secrets, actions: [...actions.values()], keyVault };
}

/** The names of secrets that expressions use; all of them where an expression computes the name. */
function secretNames(items: readonly ExportItem[], all: readonly string[]): readonly string[] {
  const used = items.flatMap(({ target, source }) =>
    'expression' in source && target !== 'ConfigMap' ? [secretsIn(source.expression)] : [],
  );
  return used.includes('all') ? all : [...new Set(used.flat())];
}

const celNamed = (secretSource: SecretSource | null, name: string) => secretSource?.celNames.includes(name) === true;

/** Values for a vault: v1's keys, or for kinds that v1 had not those that `secrets` has; all, or those asked for. */
function keyVaultItems(
  { group, kind, arm }: ArmKindDefinition,
  name: string,
  keys: readonly string[] | undefined,
  named: (target: 'KeyVault', targets: Readonly<Record<string, ExportItem['to']>>) => ExportItem[],
): ExportItem[] {
  const isChosen = (key: string) => keys?.includes(key) ?? true;
  const v1 = v1Outputs[`${group}/${kind}`];
  if (!v1) {
    const to = arm.operatorSpec.secrets.filter(isChosen).map((key) => [key, { name, key }] as const);
    return named('KeyVault', Object.fromEntries(to));
  }
  const item = (expression: string, to: ExportItem['to']): ExportItem => ({
    target: 'KeyVault',
    to,
    source: { from: 'output', expression },
    where: `spec.operatorSpec.${fieldsOf.KeyVault}`,
  });
  const each = (rows: Readonly<Record<string, string>> = {}) => Object.entries(rows).filter(([key]) => isChosen(key));
  return [
    ...each(v1.keys).map(([key, expression]) => item(expression, { name, key })),
    ...each(v1.maps).map(([, expression]) => item(expression, { name })),
  ];
}
