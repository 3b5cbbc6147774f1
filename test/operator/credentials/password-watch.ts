/** What database servers on the sandbox were sent: the password that would let one in, and whether each would be taken. */

import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { Behaviour } from '../../../sandbox/azure/arm/behaviour.ts';
import { Behaviours } from '../../../sandbox/azure/arm/behaviours/index.ts';
import { refuse } from '../../../sandbox/azure/exchange.ts';
import { at, type Json, stringOf } from '../../../sandbox/azure/json.ts';

export const serverTypes = {
  sql: 'Microsoft.Sql/servers',
  postgres: 'Microsoft.DBforPostgreSQL/flexibleServers',
  mysql: 'Microsoft.DBforMySQL/flexibleServers',
} as const;

const reserved = /^(admin|administrator|sa|root|guest|public|dbo|azure_superuser|azure_pg_admin|pg_.*)$/;

export class PasswordWatch {
  /** Every other password than the one before, by server name, oldest first. */
  readonly passwords = new Map<string, string[]>();

  readonly behaviours: readonly Behaviour[] = Object.values(serverTypes).map((type) => ({
    ...new Behaviours().of(type),
    validate: ({ request, existing, path }) => {
      const login = stringOf(at(request, 'properties.administratorLogin'));
      const password = stringOf(at(request, 'properties.administratorLoginPassword'));
      const before = stringOf(at(existing?.body ?? {}, 'properties.administratorLogin'));
      if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(login) || reserved.test(login)) {
        throw refuse(400, 'InvalidParameterValue', `The administrator login name '${login}' is not valid.`);
      }
      if (before !== '' && before !== login) throw refuse(400, 'InvalidParameterValue', 'The login cannot be changed.');
      if (!isComplex(password, login)) throw refuse(400, 'PasswordNotComplex', 'The password is not complex enough.');
      const all = this.passwords.get(path.name) ?? [];
      if (all.at(-1) !== password) this.passwords.set(path.name, [...all, password]);
    },
  }));

  /** The password that the server has. */
  of(server: string): string | undefined {
    return this.passwords.get(server)?.at(-1);
  }
}

function isComplex(password: string, login: string): boolean {
  const kinds = [/[A-Z]/, /[a-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  const parts = Array.from({ length: Math.max(0, login.length - 2) }, (_, start) => login.slice(start, start + 3));
  const shared = parts.some((part) => password.toLowerCase().includes(part.toLowerCase()));
  return password.length >= 8 && password.length <= 128 && kinds >= 3 && !shared;
}

/** The data of a Secret as text. */
export function textOf(secret: KubeObject | undefined): Record<string, string> {
  const data = (secret?.['data'] ?? {}) as Json;
  return Object.fromEntries(
    Object.entries(data).map(([k, v]) => [k, Buffer.from(String(v), 'base64').toString('utf8')]),
  );
}
