import type { DataPlane } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { accountSegment } from './account-names.ts';

/** The rules of a service besides the data of its kind. */
export interface AccountModel {
  /** The last segment of the id, from the spec and the name of the object in the service. */
  segment(spec: JsonObject, name: string): string;
  /** The body with the values that an absent field stands for, so that a difference from these is one. */
  complete(body: JsonObject): JsonObject;
}

/** Defaults of the attributes of a PostgreSQL role. */
const roleDefaults = { login: true, createRole: false, createDb: false, replication: false };

const postgresql: AccountModel = {
  segment: (_, name) => accountSegment(name),
  complete: (body) =>
    withProperties(body, ({ roles, roleOptions, ...rest }) => {
      const options = isObject(roleOptions) ? roleOptions : {};
      return { ...rest, roles: wordsOf(roles), roleOptions: { ...roleDefaults, ...options } };
    }),
};

/** The service makes no difference between some of ASO v2's words for the type of a group. */
const graph: AccountModel = {
  segment: (_, name) => name,
  complete: (body) =>
    withProperties(body, ({ membershipType = 'assigned', ...rest }) => {
      const plain = membershipType === 'assignedm365' ? membershipType : 'assigned';
      return { ...rest, membershipType: plain };
    }),
};

const sql: AccountModel = {
  segment: (_, name) => accountSegment(name),
  complete: (body) => withProperties(body, ({ roles, ...rest }) => ({ ...rest, roles: wordsOf(roles) })),
};

/** An account of MySQL is a name and a host. Privileges of databases become a list, in which an additional one shows. */
const mysql: AccountModel = {
  segment: ({ aadUser, hostname = '%' }, name) => {
    const alias = isObject(aadUser) ? aadUser['alias'] : undefined;
    return accountSegment(`${String(alias ?? name)}@${String(hostname).toLowerCase()}`);
  },
  complete: (body) =>
    withProperties(body, ({ hostname = '%', privileges, databasePrivileges, ...rest }) => {
      const databases = Object.entries(isObject(databasePrivileges) ? databasePrivileges : {}).sort();
      const lists = databases.map(([database, own]) => ({ database, privileges: privilegesOf(own) }));
      const databaseLists = lists.filter((each) => each.privileges.length > 0);
      const host = String(hostname).toLowerCase();
      return { ...rest, hostname: host, privileges: privilegesOf(privileges), databasePrivileges: databaseLists };
    }),
};

function withProperties(body: JsonObject, complete: (properties: JsonObject) => JsonObject): JsonObject {
  return { ...body, properties: complete(isObject(body['properties']) ? body['properties'] : {}) };
}

/** Each word once, in one order. */
function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.map(String))].sort() : [];
}

/** As MySQL shows them; a list with ALL has nothing else, as that includes the others. */
function privilegesOf(value: unknown): string[] {
  const words = wordsOf(value).map((word) => word.trim().replaceAll(/\s+/g, ' ').toUpperCase());
  return words.some((word) => word === 'ALL' || word === 'ALL PRIVILEGES') ? ['ALL'] : wordsOf(words);
}

const models: Readonly<Record<DataPlane['service'], AccountModel>> = { postgresql, mysql, sql, graph };

/** The rules of a service. */
export function accountModel({ service }: DataPlane): AccountModel {
  return models[service];
}
