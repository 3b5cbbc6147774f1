import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBoundedTextSync } from '../../base/bounded-file.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/** The members of a host token request that its HMAC covers. */
export interface HostRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const nonceLifeMs = 30_000;
const maxNonces = 1000;

/** The HMAC that a caller sends: base64url of an HMAC-SHA-256 over the request and the daemon's nonce. */
export function hostMac(secret: string, request: HostRequest, nonce: string): string {
  const { method, target, namespace, name, uid } = request;
  return createHmac('sha256', secret)
    .update([method, target, namespace, name, uid, nonce].join('\n'))
    .digest('base64url');
}

/**
 * Authenticates a caller by TCP as root on the node: the caller computes an HMAC under the content of a file that
 * only root can read. An HMAC is valid for one request and one nonce of this daemon: a process in the daemon's place
 * learns nothing.
 */
export class HostChallenge {
  readonly #secret: string;
  readonly #clock: Clock;
  /** Monotonic time at which a nonce expires, milliseconds; oldest first. */
  readonly #nonces = new Map<string, number>();

  private constructor(secret: string, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Reads the file, or creates it (0600, directory 0700). Throws AZ_CONFIG_INVALID where it can do neither. */
  static open(path: string, clock: Clock): HostChallenge {
    try {
      const storedToken = tryRead(path);
      if (storedToken !== undefined) {
        chmodSync(path, 0o600);
        return new HostChallenge(storedToken, clock);
      }
      const secret = randomBytes(32).toString('base64url');
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = `${path}.${process.pid}`;
      writeFileSync(temporary, `${secret}\n`, { mode: 0o600 });
      renameSync(temporary, path);
      return new HostChallenge(secret, clock);
    } catch (cause) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `The host token file ${path} can be neither read nor created: ${messageOf(cause)}`,
        {
          cause,
        },
      );
    }
  }

  /** The value of `WWW-Authenticate` for a caller without a valid HMAC. */
  challenge(): string {
    const nonce = randomBytes(24).toString('base64url');
    this.#nonces.set(nonce, this.#clock.monotonic() + nonceLifeMs);
    for (const oldest of this.#nonces.keys()) {
      if (this.#nonces.size <= maxNonces) break;
      this.#nonces.delete(oldest);
    }
    return `Azimuth-HMAC nonce="${nonce}"`;
  }

  /** Whether the value of `Authorization` authenticates this request. Each nonce counts once. */
  accepts(authorization: string | undefined, request: HostRequest): boolean {
    const header = (authorization ?? '').slice(0, 300);
    const [, nonce = '', mac = ''] = /^Azimuth-HMAC nonce="([\w-]{1,64})", ?mac="([\w-]{1,64})"$/.exec(header) ?? [];
    const until = this.#nonces.get(nonce);
    this.#nonces.delete(nonce);
    if (until === undefined || until <= this.#clock.monotonic()) return false;
    const [sent, expected] = [Buffer.from(mac), Buffer.from(hostMac(this.#secret, request, nonce))];
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  }
}

function tryRead(path: string): string | undefined {
  try {
    const text = readBoundedTextSync(path, 4096).trim();
    return text.length >= 32 ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
