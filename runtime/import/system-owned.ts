import type { ArmKindDefinition } from '../api/kinds.ts';
import { getPath } from '../arm-kinds/values/json-object.ts';
import { isObject, type JsonObject } from '../base/json.ts';

type Test = (name: string, live: JsonObject) => boolean;

const named =
  (...names: readonly string[]): Test =>
  (name) =>
    names.includes(name.toLowerCase());

/** A setting of a database server that nobody changed, or nobody can: MySQL sends 'True' where PostgreSQL sends true. */
const unchangedSetting: Test = (_, { properties }) => {
  if (!isObject(properties)) return false;
  const { source, isReadOnly, value, defaultValue } = properties;
  const isDefault = source === 'system-default' || (value !== undefined && value === defaultValue);
  return isDefault || isReadOnly === true || isReadOnly === 'True';
};

/** Resources that Azure creates along with another one and no user declares, by ARM type in lower case. */
const tests: Readonly<Record<string, Test>> = {
  'microsoft.authorization/roledefinitions': (_, live) => getPath(live, 'properties.type') === 'BuiltInRole',
  'microsoft.dbformariadb/servers/configurations': unchangedSetting,
  'microsoft.dbformysql/flexibleservers/configurations': unchangedSetting,
  'microsoft.dbformysql/flexibleservers/databases': named('information_schema', 'mysql', 'performance_schema', 'sys'),
  'microsoft.dbforpostgresql/flexibleservers/configurations': unchangedSetting,
  'microsoft.dbforpostgresql/flexibleservers/databases': named('azure_maintenance', 'azure_sys', 'postgres'),
  'microsoft.eventhub/namespaces/authorizationrules': named('rootmanagesharedaccesskey'),
  'microsoft.eventhub/namespaces/eventhubs/consumergroups': named('$default'),
  'microsoft.network/networkinterfaces': (_, live) => getPath(live, 'properties.privateEndpoint.id') !== undefined,
  // Such as the group of the machines of a cluster.
  'microsoft.resources/resourcegroups': (_, live) => Boolean(getPath(live, 'managedBy')),
  'microsoft.servicebus/namespaces/authorizationrules': named('rootmanagesharedaccesskey'),
  'microsoft.sql/servers/databases': named('master'),
};

/** Whether the resource came with its owner, so that a manifest for it would say nothing. */
export function isSystemOwned({ arm }: ArmKindDefinition, id: string, live: JsonObject): boolean {
  return tests[arm.armType.toLowerCase()]?.(id.split('/').at(-1) ?? '', live) ?? false;
}
