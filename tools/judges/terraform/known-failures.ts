/** A step that fails, and what Azure does there that the embedded one does not. */
interface KnownFailure {
  readonly step: 'create' | 'plan' | 'destroy';
  readonly reason: string;
}

/** By resource. */
export const knownFailures: Readonly<Record<string, KnownFailure>> = {
  azurerm_container_registry: {
    step: 'create',
    reason: 'The provider ends: it takes a member for granted that the embedded Azure does not show.',
  },
};
