import { canonicalJson, type JsonObject, jsonHash } from '../../base/json.ts';
import { armDiff } from './arm-diff.ts';
import { declaredPart } from './declared-part.ts';

/** Fingerprints of the last PUT, kept in an annotation. None of them reveals its content. */
export interface Applied {
  /** Fingerprint of the body, with placeholders for secrets. */
  readonly body: string;
  /** Fingerprint of the values from Secrets in the body, made with a key (FingerprintKey); '' without such values. */
  readonly inputs: string;
  /** Fingerprint of the differences after the PUT: fields that Azure does not return, or normalizes. */
  readonly knownDifference: string;
  /** Reads before this time, in milliseconds since the epoch, may show the state before the PUT. */
  readonly settlesAt?: number | undefined;
  /** Marks of the declared places that others write too (`declaredPlaces`): what leaves them was the object's own. */
  readonly places?: readonly string[] | undefined;
}

/** The record of a PUT that Azure accepted while nothing else about it is known. */
export const accepted: Applied = { body: '', inputs: '', knownDifference: '' };

/** Hash of a body, with placeholders for secrets. */
export function bodyFingerprint(body: JsonObject | undefined): string {
  return jsonHash(body);
}

/** Hash of the differences between the body and the resource, at declared members only; '' without any. */
export function knownDifferenceOf(body: JsonObject | undefined, live: JsonObject): string {
  const differences = armDiff(body, live).map(({ path, kind, declared: wanted, live }) => ({
    path,
    kind,
    live: declaredPart(wanted, live, path),
  }));
  return differences.length === 0 ? '' : jsonHash(canonicalJson(differences));
}

/** Formats the record as the text of the annotation. */
export function formatApplied({ body, inputs, knownDifference, settlesAt, places = [] }: Applied): string {
  return [body, inputs, knownDifference, settlesAt ?? '', places.join('-')].join('.');
}

/** Parses the annotation; undefined for a text in another form. */
export function parseApplied(text: string | undefined): Applied | undefined {
  const [body, inputs, knownDifference, time = '', places = ''] = text?.split('.') ?? [];
  if (body === undefined || inputs === undefined || knownDifference === undefined) return undefined;
  return {
    body,
    inputs,
    knownDifference,
    ...(/^\d{1,15}$/.test(time) && { settlesAt: Number(time) }),
    ...(places !== '' && { places: places.split('-') }),
  };
}
