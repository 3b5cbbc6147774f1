import type { ExportDestination } from '../api/common-schemas.ts';
import type { ArmKindDefinition } from '../api/kinds.ts';
import type { ArmKind, ValueSource } from '../api/types.ts';
import { resourceGroupPath, resourcePath, tryParseResourceId } from '../azure/resource-ids.ts';
import { AzimuthError } from '../base/errors.ts';
import type { KubeObject } from '../kube/types.ts';
import { appliedVersion } from './applied-version.ts';
import { armBody } from './arm-body.ts';
import {
  type ExportItem,
  type ExportPlan,
  type ExportSource,
  exportAction,
  expressionItems,
  type OperatorSpecExpressions,
  usesSecret,
} from './export-plan.ts';
import { extensionOf } from './extensions/index.ts';
import { bodyPathOf } from './ignored-fields.ts';
import { inputsOf } from './inputs.ts';
import { isObject, type JsonObject } from './json-object.ts';
import type { ArmModel, OwnerFacts, OwnerLink } from './model.ts';
import { withoutSecretMembers } from './secret-value.ts';

/** The model of a kind of the catalogue. */
export function catalogueModel(definition: ArmKindDefinition): ArmModel {
  const { arm } = definition;
  const extension = extensionOf(definition.group, definition.kind);
  const specOf = (object: KubeObject) => (object['spec'] ?? {}) as JsonObject;
  const nameOf = (object: KubeObject): string =>
    arm.azureNameFixed ??
    (specOf(object)['azureName'] as string | undefined) ??
    extension.defaultName?.(object) ??
    object.metadata.name;
  return {
    definition,
    deletable: arm.deletable,
    errorOverrides: arm.errorOverrides,
    extension,
    armType: () => arm.armType,
    apiVersion: (object) => {
      const version = arm.apiVersions[appliedVersion(object)] ?? Object.values(arm.apiVersions)[0];
      if (version === undefined) throw new AzimuthError('AZ_KIND_UNKNOWN', `${definition.kind} has no api-version`);
      return version;
    },
    owner: (object) => ownerLink(arm, specOf(object)['owner']),
    inputs: (object) => inputsOf(arm.fields, specOf(object), extension.wellKnownNames),
    resourceId: (object, owner, subscriptionId) => resourceId(arm, nameOf(object), owner, subscriptionId),
    body: (object, inputs) => armBody(arm, appliedVersion(object), specOf(object), inputs),
    bodyPath: (field) => bodyPathOf(arm, field),
    status: (live) => statusOf(live, arm.propertiesFlattened || (arm.noProperties && !extension.nestedStatus)),
    exports: (object, id) => exportPlan(arm, specOf(object), id),
    readyWhen: () => extension.readyWhen,
  };
}

function ownerLink(arm: ArmKind, owner: unknown): OwnerLink | undefined {
  if (!arm.owner || !isObject(owner)) return undefined;
  const { armId, name, group, kind } = owner as Record<string, string | undefined>;
  if (armId !== undefined) return { armId };
  if (name === undefined) return undefined;
  if (arm.owner.extension) return { group: group ?? '', kinds: [kind ?? ''], name };
  return { group: arm.owner.group, kinds: arm.owner.kinds, name };
}

function resourceId(arm: ArmKind, name: string, owner: OwnerFacts | undefined, subscriptionId: string): string {
  if (!owner) {
    if (arm.armType === 'Microsoft.Resources/resourceGroups') return resourceGroupPath(subscriptionId, name);
    const scope = arm.scope === 'Tenant' ? '' : `/subscriptions/${subscriptionId}`;
    return resourcePath(scope, arm.armType, name);
  }
  const types = arm.armType.split('/');
  const last = types.at(-1) as string;
  const ownerType = tryParseResourceId(owner.armId)?.type.toLowerCase();
  if (types.length > 2 && ownerType === types.slice(0, -1).join('/').toLowerCase()) {
    // The path builder checks the name; the rest is the owner's own id.
    return owner.armId + resourcePath('', `x/${last}`, name).slice('/providers/x'.length);
  }
  if (types.length > 2) {
    throw new AzimuthError('AZ_TERMINAL', `The owner ${owner.armId} is no ${types.slice(0, -1).join('/')}`);
  }
  return resourcePath(owner.armId, arm.armType, name);
}

/** ASO v2's shape: `properties` spread over the status unless the kind keeps it. */
export function statusOf(live: JsonObject, flattened: boolean): JsonObject {
  const { properties, ...envelope } = withoutLongLists(withoutSecretMembers(live)) as JsonObject;
  if (!isObject(properties)) return envelope;
  return flattened ? { ...properties, ...envelope } : { ...envelope, properties };
}

/** What Azure lists by the thousand, such as the addresses in use of a subnet, would not fit into an object. */
const longestList = 2000;

function withoutLongLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLongLists);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => !(Array.isArray(member) && member.length > longestList));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutLongLists(member)]));
}

interface OperatorSpec extends OperatorSpecExpressions {
  readonly secrets?: Readonly<Record<string, ExportDestination>>;
  readonly configMaps?: Readonly<Record<string, ExportDestination>>;
}

function exportPlan({ secretSource }: ArmKind, spec: JsonObject, id: string): ExportPlan {
  const operatorSpec = spec['operatorSpec'] as OperatorSpec | undefined;
  const actionFor = (name: string) => secretSource?.action ?? secretSource?.actions?.[name];
  const sourceOf = (name: string, value: ValueSource): ExportSource => {
    const action = value.from === 'action' ? actionFor(name) : undefined;
    return action ? { from: 'action', action: exportAction(id, action).id, value } : { from: 'resource', value };
  };
  const named = (
    target: ExportItem['target'],
    wanted: Readonly<Record<string, ExportDestination>> = {},
    sources: Readonly<Record<string, ValueSource>> = {},
  ): ExportItem[] =>
    Object.entries(wanted).flatMap(([name, to]): ExportItem[] => {
      const value = sources[name];
      return value ? [{ target, to, source: sourceOf(name, value) }] : [];
    });
  const items = [
    ...named('Secret', operatorSpec?.secrets, secretSource?.secrets),
    ...named('ConfigMap', operatorSpec?.configMaps, secretSource?.configMaps),
    ...expressionItems(operatorSpec),
  ];
  const secrets: Record<string, ExportSource> = Object.fromEntries(
    (items.some(usesSecret) ? (secretSource?.celNames ?? []) : []).flatMap((name) => {
      const value = secretSource?.secrets[name];
      return value ? [[name, sourceOf(name, value)]] : [];
    }),
  );
  const needed = new Set([
    ...[...items.map(({ source }) => source), ...Object.values(secrets)].flatMap((source) =>
      source.from === 'action' ? [source.action] : [],
    ),
  ]);
  const all = [...(secretSource?.action ? [secretSource.action] : []), ...Object.values(secretSource?.actions ?? {})];
  const actions = all.map((action) => exportAction(id, action)).filter((action) => needed.has(action.id));
  return { items, secrets, actions };
}
