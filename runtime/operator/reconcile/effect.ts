/** What one effect does in the world. */
export type Effect =
  | { readonly do: 'addFinalizer' }
  | { readonly do: 'readResource' }
  | { readonly do: 'storeGeneratedAdmin' }
  | { readonly do: 'beginCreateOrUpdate' }
  | { readonly do: 'monitorOperation' }
  /** `foreign`: nothing was sent for this spec yet, so the operation cannot be that of what is declared now. */
  | { readonly do: 'joinOperation'; readonly foreign?: boolean }
  | { readonly do: 'recordApplied' }
  /** Records that the resource in Azure is this object's from here on; nothing is compared with what is declared. */
  | { readonly do: 'recordAdoption' }
  /** Azure accepted the PUT and failed later: the run fails, and a later one sends it again. */
  | { readonly do: 'failAndRetry' }
  /** The resource cannot be changed now; the message says why, and a later run reads it again. */
  | { readonly do: 'reportAbsent' }
  | { readonly do: 'waitForDeletion' }
  | { readonly do: 'waitForOwnerInAzure' }
  | { readonly do: 'evaluateReadyWhen' }
  | { readonly do: 'export' }
  | { readonly do: 'beginDelete' }
  | { readonly do: 'clearVaults' }
  | { readonly do: 'removeFinalizer' };
