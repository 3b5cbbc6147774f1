import type { Column, Resource } from '../model/resource.ts';
import type { Unstructured } from '../model/types.ts';

const described: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', value: ({ metadata }) => metadata.name },
  { name: 'Age', type: 'date', value: ({ metadata }) => metadata.creationTimestamp },
];

/** The object as PartialObjectMetadata. */
export const partial = (object: Unstructured): Unstructured => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object['metadata'],
});

/** The server's half of `kubectl get`: columns and a row for each object. `now` in ms since the epoch. */
export function tableOf(
  resource: Resource,
  objects: readonly Unstructured[],
  metadata: object,
  includeObject: string,
  now: number,
): Unstructured {
  const columns = resource.behaviour.columns ?? described;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format: format ?? '',
      description: description ?? '',
      priority: priority ?? 0,
    })),
    rows: objects.map((object) => ({
      cells: columns.map(({ type, value }) => cell(type, value(object), now)),
      object: includeObject === 'None' ? undefined : includeObject === 'Object' ? object : partial(object),
    })),
  };
}

function cell(type: string, value: unknown, now: number): unknown {
  if (type === 'date') return value === undefined ? '<unknown>' : age(now - Date.parse(String(value)));
  if (value === undefined || value === null) return type === 'string' ? '' : null;
  if (typeof value === 'object') return JSON.stringify(value);
  return type === 'string' ? String(value) : value;
}

/** A duration as kubectl writes it: 45s, 3m20s, 5h, 2d. */
export function age(milliseconds: number): string {
  if (Number.isNaN(milliseconds)) return '<unknown>';
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes}m${seconds % 60 ? `${seconds % 60}s` : ''}`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return `${hours}h${minutes % 60 ? `${minutes % 60}m` : ''}`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return `${days}d${hours % 24 ? `${hours % 24}h` : ''}`;
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`;
}
