import { isObject } from '../../../runtime/base/json.ts';
import { get } from '../../json.ts';
import type { Cause } from '../model/types.ts';
import { child, invalid, required } from './causes.ts';

const label = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
const labelText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  `with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${label}')`;
const kindText =
  "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
  "start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
  "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** The demands of `x-kubernetes-embedded-resource`: apiVersion, kind and metadata of a real object. */
export function validateEmbedded(object: object, path: string): Cause[] {
  const causes: Cause[] = [];
  const apiVersion = get(object, 'apiVersion');
  const kind = get(object, 'kind');
  if (apiVersion === undefined || apiVersion === '') {
    causes.push(required(child(path, 'apiVersion'), 'must not be empty'));
  } else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    causes.push(invalid(child(path, 'apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (kind === undefined || kind === '') causes.push(required(child(path, 'kind'), 'must not be empty'));
  else if (typeof kind === 'string' && !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(kind.toLowerCase())) {
    causes.push(invalid(child(path, 'kind'), kind, kindText));
  }
  const metadata = get(object, 'metadata');
  const labels = isObject(metadata) ? metadata['labels'] : undefined;
  for (const value of isObject(labels) ? Object.values(labels) : []) {
    if (typeof value !== 'string' || !new RegExp(`^${label}$`).test(value) || value.length > 63) {
      causes.push(invalid(child(path, 'metadata.labels'), value, labelText));
    }
  }
  return causes;
}
