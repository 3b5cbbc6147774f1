import { createHash } from 'node:crypto';
import { tryParseResourceId } from '../arm/resource-ids.ts';

/** The ARM ids of a machine and of the identities that the identity controller attached to it, in lower case. */
export interface AttachmentRecord {
  readonly machine: string;
  readonly identities: ReadonlySet<string>;
}

/** Name of the ConfigMap of a machine: a digest, because an ARM id is too long for a name. */
export function recordName(machine: string): string {
  return `azimuth-attachments-${createHash('sha256').update(machine).digest('hex').slice(0, 32)}`;
}

/** Data of the ConfigMap of a machine. */
export function recordData({ machine, identities }: AttachmentRecord): Readonly<Record<string, string>> {
  return { machine, identities: JSON.stringify([...identities].sort()) };
}

/** The record in the data of a ConfigMap; undefined where it has none, or where its name is another: a copy. */
export function tryParseRecord(name: string, data: unknown): AttachmentRecord | undefined {
  const { machine, identities } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (!isId(machine) || name !== recordName(machine.toLowerCase())) return undefined;
  const list = listIn(identities);
  return (
    list && { machine: machine.toLowerCase(), identities: new Set(list.filter(isId).map((id) => id.toLowerCase())) }
  );
}

function listIn(text: unknown): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && tryParseResourceId(value) !== undefined;
}
