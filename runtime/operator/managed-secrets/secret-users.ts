import type { RolloutMachine } from '../../compute/managed-secrets/rollout-steps.ts';

/** Numbers of the versions that models and instances of machines name; undefined while that is not known. */
export type NamespaceUsers = (name: string) => ReadonlySet<number> | undefined;

/** The users in a namespace; undefined while none of them is known. */
export type Users = (namespace: string) => NamespaceUsers | undefined;

/** The machines of a namespace that name a ManagedSecret; undefined until all of the namespace are planned. */
export type Consumers = (namespace: string, name: string) => readonly RolloutMachine[] | undefined;

/** Called after a change of the result of `resolve` for a ManagedSecret. */
export type SecretListener = (namespace: string, name: string) => void;
