import { armKinds } from '../../api/kinds.ts';
import { machineTypes } from '../../api/machines/secret-references.ts';
import type { KindDefinition } from '../../api/types.ts';
import type { ManagedSecrets } from '../managed-secrets/resolver.ts';
import type { KindCaches } from '../objects/kind-caches.ts';
import { MachineSecrets } from './machine-secrets.ts';
import { secretNode } from './secret-plan.ts';

/** The parts of the operator that the delivery of ManagedSecrets is wired to. */
export interface MachineSecretsWiring {
  /** The kinds of machines that the operator serves where the cluster defines them, and the caches of all kinds. */
  readonly serves: (kind: KindDefinition) => boolean;
  readonly caches: KindCaches;
  /** Enqueues every object that has an edge to this node of the graph. */
  readonly enqueueDependents: (node: string) => void;
}

/** The delivery of ManagedSecrets. A changed ManagedSecret enqueues its machines; they report the versions in use. */
export function createMachineSecrets(
  secrets: ManagedSecrets,
  { serves, caches, enqueueDependents }: MachineSecretsWiring,
): MachineSecrets {
  const kinds = armKinds.filter(({ armType }) => machineTypes.includes(armType));
  const machines = new MachineSecrets({
    secrets,
    machines: (namespace) =>
      kinds.every(serves)
        ? kinds.flatMap(({ group, kind }) => caches.of(group, kind)?.list(namespace) ?? [])
        : undefined,
  });
  secrets.onChange((namespace, name) => enqueueDependents(secretNode(namespace, name)));
  secrets.setConsumers((namespace, name) => machines.consumersOf(namespace, name));
  secrets.setUsers((namespace) => machines.usersIn(namespace));
  caches.onAdded((cache) => {
    if (!kinds.some(({ group, kind }) => cache.type.group === group && cache.type.kind === kind)) return;
    cache.onChange((change) => {
      if (change.type === 'deleted') machines.recheck(change.old.metadata.namespace ?? '');
    });
  });
  return machines;
}
