import { type Refusal, refuse } from '../../exchange.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { filled } from './message.ts';
import table from './taken-names.json' with { type: 'json' };

/** By type in lower case: names that are part of a DNS name and are there once in all of Azure. */
const rows = table as Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly message: string }>
>;

/** How the type refuses a name that another resource has; undefined where each group has its own names. */
export function takenNameOf(type: string): ((path: ResourcePath) => Refusal) | undefined {
  const row = rows[type.toLowerCase()];
  return row && (({ name }) => refuse(row.status, row.code, filled(row.message, { name })));
}
