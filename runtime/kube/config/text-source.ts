import { readBoundedTextSync } from '../../base/bounded-file.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { TextSource } from './connection.ts';

/** A text that never changes. */
export function fixedText(text: string): TextSource {
  return { read: () => text, refresh: () => undefined };
}

/** How long a text read from a file is taken for current, milliseconds. kubelet renews projected tokens at 80 % of their life. */
export const fileTextMaxAgeMs = 60_000;

/**
 * A file's text, trimmed, read again about each minute and after `refresh`. While the file is missing or empty (it is
 * being replaced) the last good text stays in use. The first read throws AZ_KUBECONFIG_INVALID, beginning with `label`,
 * when there is nothing to fall back to.
 */
export function fileText(path: string, label: string, clock: Clock = systemClock): TextSource {
  let text: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    read() {
      if (text !== undefined && clock.now() - readAt < fileTextMaxAgeMs) return text;
      try {
        const content = readBoundedTextSync(path).trim();
        if (content === '') throw new AzimuthError('AZ_KUBECONFIG_INVALID', `${label}: the file ${path} is empty`);
        text = content;
      } catch (error) {
        if (text === undefined) {
          if (error instanceof AzimuthError) throw error;
          const { code = messageOf(error) } = error as NodeJS.ErrnoException;
          throw new AzimuthError('AZ_KUBECONFIG_INVALID', `${label}: cannot read the file ${path} (${code})`);
        }
      }
      readAt = clock.now();
      return text;
    },
    refresh() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
