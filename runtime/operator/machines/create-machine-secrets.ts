import { armKinds } from '../../api/kinds.ts';
import { machineTypes } from '../../api/machines/secret-references.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { ManagedSecrets } from '../managed-secrets/resolver.ts';
import { MachineSecrets } from './machine-secrets.ts';
import { secretNode } from './secret-plan.ts';

/** The parts of the operator that the delivery of ManagedSecrets is wired to. */
export interface MachineSecretsWiring {
  /** One for each kind that the operator watches. */
  readonly caches: readonly WatchedCache[];
  /** Enqueues every object that has an edge to this node of the graph. */
  readonly enqueueDependents: (node: string) => void;
}

/** The delivery of ManagedSecrets: a changed ManagedSecret enqueues its machines, and learns from them what they use. */
export function createMachineSecrets(
  secrets: ManagedSecrets,
  { caches, enqueueDependents }: MachineSecretsWiring,
): MachineSecrets {
  const kinds = armKinds.filter(({ armType }) => machineTypes.includes(armType));
  const found = kinds.map((kind) => caches.find(({ type }) => type.group === kind.group && type.kind === kind.kind));
  const machines = new MachineSecrets({
    secrets,
    machines: (namespace) =>
      found.some((cache) => cache === undefined) ? undefined : found.flatMap((cache) => cache?.list(namespace) ?? []),
  });
  secrets.onChange((namespace, name) => enqueueDependents(secretNode(namespace, name)));
  secrets.setUsers((namespace) => machines.usersIn(namespace));
  for (const cache of found) {
    cache?.onChange((change) => {
      if (change.type === 'deleted') machines.recheck(change.old.metadata.namespace ?? '');
    });
  }
  return machines;
}
