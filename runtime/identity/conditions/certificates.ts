import { LRUCache } from 'lru-cache';
import { certificateWarningMs } from '../../azure/identity/certificate-expiry.ts';
import type { Clock } from '../../base/clock.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Logger } from '../../base/observability/log.ts';

/** The end of the certificate of an AzureIdentity. */
export interface CertificateEnd {
  readonly namespace: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Dependencies and limits of `Certificates`. */
export interface CertificatesDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** How long before its end a certificate expires soon, milliseconds. @default 30 days */
  readonly warningMs?: number;
}

/** Most certificates that the metric shows. */
export const mostCertificateSeries = 1000;
/** Most warnings in the log for one namespace in a day; its author decides how many certificates expire. */
const mostWarnings = 20;
const dayMs = 86_400_000;
/** Longest and shortest time between two checks of a certificate, milliseconds. */
const longestCheckMs = 12 * 3_600_000;
const shortestCheckMs = 1000;

/** When the certificates of AzureIdentities of type 2 expire: for the metric, the log, and the next check. */
export class Certificates {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #warningMs: number;
  /** By namespace, then by name. */
  readonly #ends = new Map<string, Map<string, CertificateEnd>>();
  /** By namespace and name: the certificate of the last warning in the log, and its time. */
  readonly #warned = new SharedLru<{ readonly expiresAt: number; readonly at: number }>(2000);
  readonly #warnings = new LRUCache<string, { readonly since: number; count: number }>({ max: 1000 });

  constructor({ clock, log, warningMs = certificateWarningMs }: CertificatesDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#warningMs = warningMs;
  }

  /** The state of a certificate now, and the milliseconds until the next check. */
  check(expiresAt: number): { readonly state: 'valid' | 'expires soon' | 'expired'; readonly nextCheckMs: number } {
    const leftMs = expiresAt - this.#clock.now();
    const state = leftMs <= 0 ? 'expired' : leftMs <= this.#warningMs ? 'expires soon' : 'valid';
    const changeMs = state === 'valid' ? leftMs - this.#warningMs : leftMs;
    const nextCheckMs = state === 'expired' ? longestCheckMs : Math.min(longestCheckMs, changeMs);
    return { state, nextCheckMs: Math.max(shortestCheckMs, nextCheckMs) };
  }

  /** Stores the end of an AzureIdentity's certificate. Logs a warning, at most once a day, where it expires soon. */
  set(end: CertificateEnd): void {
    const { namespace, name } = end;
    this.#ends.set(namespace, (this.#ends.get(namespace) ?? new Map()).set(name, end));
    if (this.check(end.expiresAt).state !== 'valid') this.#warn(end);
  }

  /** Forgets an AzureIdentity without a certificate. */
  delete({ namespace, name }: Pick<CertificateEnd, 'namespace' | 'name'>): void {
    const ends = this.#ends.get(namespace);
    ends?.delete(name);
    if (ends?.size === 0) this.#ends.delete(namespace);
  }

  /** Forgets all. */
  clear(): void {
    this.#ends.clear();
  }

  /** At most `mostCertificateSeries` certificates: namespaces in rotation, and of each the next to expire first. */
  shown(): CertificateEnd[] {
    const queue = new FairQueue<CertificateEnd>();
    for (const [namespace, ends] of this.#ends) {
      for (const end of [...ends.values()].sort((a, b) => a.expiresAt - b.expiresAt)) queue.add(namespace, end);
    }
    const shown: CertificateEnd[] = [];
    for (let end = queue.take(); end && shown.length < mostCertificateSeries; end = queue.take()) shown.push(end);
    return shown;
  }

  #warn({ namespace, name, expiresAt }: CertificateEnd): void {
    const now = this.#clock.now();
    const key = `${namespace}/${name}`;
    const last = this.#warned.get(key);
    if (last?.expiresAt === expiresAt && now - last.at < dayMs) return;
    const namespaceWarnings = this.#warnings.get(namespace);
    const warnings =
      namespaceWarnings && now - namespaceWarnings.since < dayMs ? namespaceWarnings : { since: now, count: 0 };
    this.#warnings.set(namespace, warnings);
    warnings.count++;
    if (warnings.count > mostWarnings + 1) return;
    this.#warned.set(key, { expiresAt, at: now }, namespace);
    if (warnings.count > mostWarnings) {
      this.#log.warn({ namespace }, 'further certificates of the namespace expire: no more lines today');
      return;
    }
    const fields = { namespace, name, expiresAt: new Date(expiresAt).toISOString() };
    if (expiresAt <= now) this.#log.warn(fields, 'the certificate of an AzureIdentity has expired: replace it');
    else this.#log.warn(fields, 'the certificate of an AzureIdentity expires soon: replace it');
  }
}
