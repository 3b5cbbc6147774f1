import { trimEndOf, trimOf } from '../../base/text/text.ts';
import { apiVersionOf, type KubeObject, type ObjectKey, type ResourceType } from '../client/types.ts';
import { microTime } from './micro-time.ts';

/** Events (events.k8s.io/v1). */
export const eventsType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

/** Limit of the API server for `note`, in bytes. */
const noteBytes = 1024;
/** Limit of the API server for `reason`, `action` and `reportingInstance`. */
const wordLength = 128;

/** An event of an object. Never put secrets into the note. */
export interface ObjectEvent {
  /** The object it is about; only its identity is used. */
  readonly regarding: KubeObject;
  /** A second object that took part. */
  readonly related?: KubeObject;
  /** Notes that vary are combined for each related object apart, so that each has its own history. @default false */
  readonly apart?: boolean;
  /** @default 'Normal' */
  readonly type?: 'Normal' | 'Warning';
  /** UpperCamelCase, made for switch statements: why. At most 128 characters. */
  readonly reason: string;
  /** UpperCamelCase: the action that was done or failed. At most 128 characters. */
  readonly action: string;
  /** For people; cut to 1024 bytes. */
  readonly note: string;
}

/** The author of an event. */
export interface Reporter {
  /** Qualified name such as `azimuth.dev/operator`. */
  readonly controller: string;
  /** The pod or host. */
  readonly instance: string;
}

/**
 * Where an event lies: with its object; for cluster-scoped objects in `kube-system`, which is the one namespace that all
 * versions of the API server accept there (1.20 refuses `default` for events.k8s.io).
 */
export function eventNamespace(regarding: KubeObject): string {
  return regarding.metadata.namespace || 'kube-system';
}

/** The first state of an `events.k8s.io/v1` Event; `serial` distinguishes events of one instant. */
export function eventObject(event: ObjectEvent, reporter: Reporter, now: number, serial: number): KubeObject {
  const { regarding, related } = event;
  return {
    apiVersion: apiVersionOf(eventsType),
    kind: eventsType.kind,
    metadata: { namespace: eventNamespace(regarding), name: eventName(regarding, now, serial) },
    eventTime: microTime(now),
    type: event.type ?? 'Normal',
    reason: event.reason.slice(0, wordLength),
    action: event.action.slice(0, wordLength),
    note: cutNote(event.note),
    regarding: reference(regarding),
    ...(related && { related: reference(related) }),
    reportingController: reporter.controller,
    reportingInstance: reporter.instance.slice(0, wordLength),
  };
}

/** Cuts to 1024 bytes of UTF-8 between two characters, with an ellipsis. */
export function cutNote(note: string): string {
  if (Buffer.byteLength(note) <= noteBytes) return note;
  const ellipsis = '...';
  const bytes = Buffer.from(note).subarray(0, noteBytes - ellipsis.length);
  // A character cut in two decodes to replacement characters at the end, and only there.
  return trimEndOf(bytes.toString('utf8'), '\uFFFD') + ellipsis;
}

/** The key of an Event. */
export function keyOfEvent({ metadata }: KubeObject): ObjectKey {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

/** A DNS subdomain, although the names of some kinds (RBAC) are none. */
function eventName(regarding: KubeObject, now: number, serial: number): string {
  const suffix = `.${now.toString(16)}${serial.toString(16).padStart(4, '0')}`;
  const base = regarding.metadata.name.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  const start = trimOf(base.slice(0, 253 - suffix.length), '-.');
  return (start.replaceAll(/[-.]{0,253}\.[-.]{0,253}/g, '.') || 'object') + suffix;
}

/** The members of an object that an event needs. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

function reference({ apiVersion, kind, metadata }: KubeObject) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
