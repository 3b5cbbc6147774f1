import type { KubeObject, ObjectMeta } from '../../runtime/kube/client/types.ts';
import type { Row } from '../../runtime/view/model/row.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';

export interface ObjectParts {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: unknown;
  readonly status?: unknown;
}

export const object = (apiVersion: string, kind: string, name: string, parts: ObjectParts = {}): KubeObject => ({
  apiVersion,
  kind,
  ...parts,
  metadata: { name, namespace: 'demo', uid: `${kind}-${name}`, generation: 1, ...parts.metadata },
});

const lastTransitionTime = '2026-01-01T00:00:00Z';
/** A Ready condition that is not True, as the operator writes it. */
export const notReady = (reason: string, severity: string, message = '') => ({
  conditions: [
    { type: 'Ready', status: 'False', severity, reason, message, observedGeneration: 1, lastTransitionTime },
  ],
});
export const ready = {
  conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', observedGeneration: 1, lastTransitionTime }],
};

export const rowsOf = (found: KubeObject): Row[] => {
  const group = found.apiVersion.includes('/') ? found.apiVersion.split('/')[0] : '';
  const kind = viewKinds.find(({ type }) => type.group === group && type.kind === found.kind);
  if (!kind) throw new Error(`${found.apiVersion} ${found.kind} is not a kind of the view`);
  return kind.rowsOf(found);
};
export const rowOf = (found: KubeObject): Row => {
  const [row, ...others] = rowsOf(found);
  if (!row || others.length > 0) throw new Error(`expected one row, got ${others.length + (row ? 1 : 0)}`);
  return row;
};

export const group = (name: string, status: unknown = ready) =>
  object('resources.azure.com/v1api20200601', 'ResourceGroup', name, { spec: { location: 'westeurope' }, status });
export const account = (name: string, owner: string, status: unknown = ready, spec: object = {}) =>
  object('storage.azure.com/v1api20230101', 'StorageAccount', name, {
    spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: owner }, ...spec },
    status,
  });
