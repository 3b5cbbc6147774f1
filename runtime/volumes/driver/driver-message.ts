import { hideSecrets } from '../../azure/arm/errors.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/** What kubelet, and with it the pod's events, is told of a failed call with these options: one line without secrets. */
export function failureMessage(error: unknown, document: string): string {
  const told = messageOf(error);
  const code = error instanceof AzimuthError ? `${error.code}: ` : '';
  // The wording of upstream, which users search for, stays at the front.
  return hideSecrets(told.startsWith('validation failed') ? told : `${code}${told}`, secretsIn(document));
}

/** Every text that must not be told: the Secret's values, plain and as they may be written elsewhere. */
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
