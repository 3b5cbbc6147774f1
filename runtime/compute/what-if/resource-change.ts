import type { JsonObject } from '../../base/json.ts';
import { propertyChanges } from './property-changes.ts';
import type { WhatIfChange } from './what-if.ts';

/** A resource of a template. */
export interface WhatIfResource {
  /** ARM id. */
  readonly id: string;
  readonly type: string;
  readonly apiVersion?: string | undefined;
  /** Body of the PUT. */
  readonly body: JsonObject;
  /** The body for the comparison. @default `body` */
  readonly compared?: JsonObject | undefined;
}

/** The change that a PUT of the resource makes. `before` is Azure's answer to a GET; undefined where there is none. */
export function resourceChange(resource: WhatIfResource, before: JsonObject | undefined): WhatIfChange {
  const { id: resourceId, body, compared = body } = resource;
  const after = shownBody(resource);
  if (!before) return { resourceId, changeType: 'Create', after };
  const delta = propertyChanges(before, body, compared);
  return { resourceId, changeType: delta.length === 0 ? 'NoChange' : 'Modify', before, after, delta };
}

/** The resource as a what-if shows it. */
export function shownBody({ id, type, apiVersion, body }: WhatIfResource): JsonObject {
  // null means that the kind removes the value: people read it as a value.
  const shown = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return { ...shown, ...(apiVersion !== undefined && { apiVersion }), id, name: id.split('/').at(-1), type };
}
