import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/**
 * How a caller on the node proves to be root there: it knows what a file says that only root can read. PodByAddress send
 * `Authorization: Bearer <content>`. The content outlives the daemon, so that callers need not notice its restarts.
 */
export class HostProof {
  readonly #digest: Buffer;

  private constructor(secret: string) {
    this.#digest = digestOf(secret);
  }

  /** Reads the file, or makes it (0600, directory 0700). Throws AZ_CONFIG_INVALID where neither can be done. */
  static open(path: string): HostProof {
    try {
      const known = tryRead(path);
      if (known !== undefined) {
        chmodSync(path, 0o600);
        return new HostProof(known);
      }
      const secret = randomBytes(32).toString('base64url');
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const fresh = `${path}.${process.pid}`;
      writeFileSync(fresh, `${secret}\n`, { mode: 0o600 });
      renameSync(fresh, path);
      return new HostProof(secret);
    } catch (cause) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `The host token file ${path} can be neither read nor made: ${messageOf(cause)}`,
        {
          cause,
        },
      );
    }
  }

  accepts(authorization: string | undefined): boolean {
    const sent = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    // Digests have one length, which timingSafeEqual wants.
    return sent !== undefined && timingSafeEqual(digestOf(sent), this.#digest);
  }
}

function tryRead(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text.length >= 32 ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
