import type { JsonObject } from '../../base/json.ts';

/** The change of a resource, in the words of `az deployment group what-if`. */
export type WhatIfChangeType = 'Create' | 'Delete' | 'Deploy' | 'Ignore' | 'Modify' | 'NoChange' | 'Unsupported';

/** The change of one value. */
export interface WhatIfPropertyChange {
  /** `sku.name`; of an item of a list its index, `0`. */
  readonly path: string;
  /** `Array`: the items in `children` change. */
  readonly propertyChangeType: 'Array' | 'Create' | 'Delete' | 'Modify';
  /** Absent: the value is new, or only values in it change. */
  readonly before?: unknown;
  /** Absent: the value goes, or only values in it change. */
  readonly after?: unknown;
  /** Changes in the value, with paths below it. */
  readonly children?: readonly WhatIfPropertyChange[];
}

/** The change of one resource. */
export interface WhatIfChange {
  /** ARM id. */
  readonly resourceId: string;
  readonly changeType: WhatIfChangeType;
  /** Why nobody can say what changes; of Unsupported alone. */
  readonly unsupportedReason?: string;
  /** The resource as Azure has it; absent where it does not exist, or was not read. */
  readonly before?: JsonObject;
  /** The resource as it would be; absent where it goes, or is left alone. */
  readonly after?: JsonObject;
  /** Of Modify and NoChange. */
  readonly delta?: readonly WhatIfPropertyChange[];
}

/** The answer of a what-if, as Azure gives it. */
export interface WhatIf {
  readonly status: 'Succeeded' | 'Failed';
  /** Of Failed alone. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly properties: { readonly changes: readonly WhatIfChange[] };
}
