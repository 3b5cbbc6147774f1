import { Refusal } from '../exchange.ts';
import type { Ids } from '../ids.ts';

/** Errors of Microsoft Entra ID: number, OAuth error code, HTTP status. Source: Microsoft's published list of AADSTS codes. */
const table = {
  50027: ['invalid_request', 400],
  70003: ['unsupported_grant_type', 400],
  70021: ['invalid_request', 400],
  90002: ['invalid_request', 400],
  90014: ['invalid_request', 400],
  500011: ['invalid_resource', 400],
  700016: ['unauthorized_client', 400],
  700024: ['invalid_client', 401],
  700027: ['invalid_client', 401],
  700211: ['invalid_request', 400],
  700212: ['invalid_request', 400],
  700213: ['invalid_request', 400],
  900144: ['invalid_request', 400],
  1002012: ['invalid_scope', 400],
  7000215: ['invalid_client', 401],
  7000216: ['invalid_client', 401],
  7000222: ['invalid_client', 401],
} as const satisfies Record<number, readonly [string, number]>;

/** The AADSTS numbers that the sandbox answers with. */
export type EntraErrorNumber = keyof typeof table;

/** Makes the error answers of Microsoft Entra ID. */
export class EntraErrors {
  readonly #ids: Ids;
  readonly #now: () => number;

  constructor(ids: Ids, now: () => number) {
    this.#ids = ids;
    this.#now = now;
  }

  refuse(number: EntraErrorNumber, message: string, correlationId?: string): Refusal {
    const [error, status] = table[number];
    const trace = this.#ids.uuid();
    const correlation = correlationId ?? this.#ids.uuid();
    const timestamp = `${new Date(this.#now()).toISOString().slice(0, 19).replace('T', ' ')}Z`;
    return new Refusal(`AADSTS${number}`, {
      status,
      body: {
        error,
        error_description: `AADSTS${number}: ${message} Trace ID: ${trace} Correlation ID: ${correlation} Timestamp: ${timestamp}`,
        error_codes: [number],
        timestamp,
        trace_id: trace,
        correlation_id: correlation,
        error_uri: `https://login.microsoftonline.com/error?code=${number}`,
      },
    });
  }
}
