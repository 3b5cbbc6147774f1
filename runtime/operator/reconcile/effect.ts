/** The effects that a pipeline can ask for. */
export type Effect =
  | { readonly do: 'addFinalizer' }
  | { readonly do: 'readResource' }
  | { readonly do: 'storeGeneratedAdmin' }
  | { readonly do: 'beginCreateOrUpdate' }
  | { readonly do: 'monitorOperation' }
  /**
   * `foreign`: nothing was sent for this spec yet, so the operation belongs to an earlier spec or to somebody else.
   */
  | { readonly do: 'joinOperation'; readonly foreign?: boolean }
  | { readonly do: 'recordApplied' }
  /** Records that the resource in Azure belongs to this object; compares nothing. */
  | { readonly do: 'recordAdoption' }
  /** Azure accepted the PUT and failed later: the run fails, and a later one sends it again. */
  | { readonly do: 'failAndRetry' }
  /** Azure does not show the resource; the message explains it, and a later run reads it again. */
  | { readonly do: 'reportAbsent' }
  | { readonly do: 'waitForDeletion' }
  | { readonly do: 'waitForOwnerInAzure' }
  | { readonly do: 'evaluateReadyWhen' }
  | { readonly do: 'export' }
  | { readonly do: 'beginDelete' }
  | { readonly do: 'clearVaults' }
  | { readonly do: 'removeFinalizer' };
