import { hideSecrets } from '../../azure/arm/errors.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/**
 * The message of a failed call for kubelet and the pod's events: one line without secrets. `document`: the options.
 */
export function failureMessage(error: unknown, document: string): string {
  const message = messageOf(error);
  const code = error instanceof AzimuthError ? `${error.code}: ` : '';
  // Users search for upstream's wording, so it stays in front.
  return hideSecrets(message.startsWith('validation failed') ? message : `${code}${message}`, secretsIn(document));
}

/** All secret texts of the options: the values of the Secret in base64, plain and percent-encoded. */
function secretsIn(document: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return [];
  }
  return Object.entries(value ?? {})
    .filter(([name, text]) => /^kubernetes\.io\/secret\//i.test(name) && typeof text === 'string')
    .filter(([name]) => !/clientid$/i.test(name))
    .flatMap(([, text]) => {
      const plain = Buffer.from(text as string, 'base64')
        .toString('utf8')
        .trim();
      return [text as string, plain, encodeURIComponent(plain)];
    })
    .filter((text) => text.length >= 4);
}
