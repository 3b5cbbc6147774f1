import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { LineDestination } from '../base/observability/log.ts';
import type { ObjectEvent } from '../kube/events/event-object.ts';
import type { EventRecorder } from '../kube/events/recorder.ts';
import type { HttpError } from './protocol/http-error.ts';
import type { EndpointSecret } from './secrets/managed-secrets.ts';
import type { Caller } from './tokens/token-verifier.ts';

/** Reasons and actions of the events; docs/reference/secrets.md lists them. */
export const auditEvents = {
  SecretServed: 'Normal: a consumer received a version. On the ManagedSecret.',
  SecretRefused: 'Warning: a caller was refused; the note has the reason. On the ManagedSecret.',
} as const;

/** Dependencies of the audit. */
export interface SecretAuditDeps {
  /** Destination of the lines at every level of the log. */
  readonly lines: LineDestination;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** A request as the audit records it with its answer; never a token or a value. */
export interface AuditedRequest {
  readonly address: string;
  readonly caller: Caller | undefined;
  /** As the URL says; undefined for another path. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly object: EndpointSecret | undefined;
}

/** Refusals of one caller in a second that get a line each; further ones are counted. */
const refusedPerSecond = 20;
/** The same for all callers without a valid token together: anyone in the network is one. */
const anonymousPerSecond = 100;
/** Callers whose refusals of one second are counted apart; the others of that second are counted together. */
const mostCallers = 500;

interface RefusalCount {
  lines: number;
  left: number;
}

/** Records each receiver with its version, and each refusal's reason. Writes the line before the answer is sent. */
export class SecretAudit {
  readonly #deps: SecretAuditDeps;
  /** The same object for the same event: the recorder then counts at next to no cost. */
  readonly #events = new LRUCache<string, ObjectEvent>({ max: 5000 });
  /** Refusals of the present second by object id; '' for callers without a valid token. */
  readonly #refusals = new Map<string, RefusalCount>();
  #second = 0;

  constructor(deps: SecretAuditDeps) {
    this.#deps = deps;
  }

  /** Records a value that is about to be sent. Throws the errors of the destination: then nothing may be sent. */
  served(
    request: AuditedRequest & { readonly object: EndpointSecret; readonly caller: Caller },
    version: number,
    by: string,
    vmId?: string,
  ): void {
    const { object, caller } = request;
    this.#line(
      { ...fieldsOf(request), outcome: 'served', version, consumer: by, ...(vmId && { vmId }) },
      'secret served',
    );
    const note = `Version ${version} was sent to the object id ${caller.objectId}`;
    this.#record(object, note, 'Normal', 'SecretServed');
  }

  /** Records a refusal: by a line and an event, or by the number of its second where the caller has had its lines. */
  refused(request: AuditedRequest, { reason, status, message }: HttpError): void {
    if (!this.#admit(request.caller?.objectId ?? '')) return;
    this.#line({ ...fieldsOf(request), outcome: 'refused', reason, status, detail: message }, 'secret refused');
    const { object, caller } = request;
    if (!object || !caller) return;
    this.#record(
      object,
      `The object id ${caller.objectId} was refused (${reason}): ${message}`,
      'Warning',
      'SecretRefused',
    );
  }

  #record(object: EndpointSecret, note: string, type: 'Normal' | 'Warning', reason: keyof typeof auditEvents): void {
    const key = `${object.metadata.uid} ${type} ${note}`;
    let event = this.#events.get(key);
    if (!event) {
      event = { regarding: object, type, reason, action: 'ServeSecret', note };
      this.#events.set(key, event);
    }
    this.#deps.events.record(event);
  }

  /** Writes the numbers of refusals without a line of their own. Ends when `stop` aborts. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!stop.aborted) {
      await clock.sleep(1000, stop).catch(() => undefined);
      this.#begin(stop.aborted ? Number.NaN : Math.floor(clock.now() / 1000));
    }
  }

  #admit(objectId: string): boolean {
    this.#begin(Math.floor(this.#deps.clock.now() / 1000));
    const isCounted = this.#refusals.has(objectId) || this.#refusals.size < mostCallers;
    const key = isCounted || objectId === '' ? objectId : 'others';
    const count = this.#refusals.get(key) ?? { lines: 0, left: 0 };
    this.#refusals.set(key, count);
    if (count.lines++ < (key === '' ? anonymousPerSecond : refusedPerSecond)) return true;
    count.left++;
    return false;
  }

  /** Begins another second: the numbers of the one before become lines. */
  #begin(second: number): void {
    if (second === this.#second) return;
    this.#second = second;
    for (const [objectId, { left }] of this.#refusals) {
      if (left === 0) continue;
      const of =
        objectId === '' ? 'further requests without a valid token refused' : 'further requests of a caller refused';
      this.#line({ ...(objectId !== '' && { objectId }), outcome: 'refused', count: left }, of);
    }
    this.#refusals.clear();
  }

  #line(fields: object, msg: string): void {
    const time = new Date(this.#deps.clock.now()).toISOString();
    const line = { level: 'info', time, program: 'azimuth-secrets', component: 'audit', ...fields, msg };
    this.#deps.lines.write(`${JSON.stringify(line)}\n`);
  }
}

function fieldsOf({ address, caller, namespace, name, object }: AuditedRequest) {
  return {
    address,
    ...(caller && { objectId: caller.objectId, ...(caller.clientId && { clientId: caller.clientId }) }),
    ...(namespace !== undefined && { managedSecret: `${namespace}/${name}` }),
    ...(object && { uid: object.metadata.uid }),
  };
}
