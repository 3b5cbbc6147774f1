import { equal } from '../../json.ts';
import type { Behaviour } from '../model/resource.ts';
import { forbiddenField, invalidValue, required } from '../model/status.ts';
import type { Cause, Unstructured } from '../model/types.ts';
import { column, size, table } from '../tables/columns.ts';

const immutable = (object: Unstructured, old: Unstructured | undefined, ...members: string[]): Cause[] =>
  old === undefined
    ? []
    : members
        .filter((member) => !equal(object[member], old[member]))
        .map((member) => invalidValue(member, object[member] ?? '', 'field is immutable'));

const configKeys = (object: Unstructured, ...members: string[]): Cause[] =>
  members.flatMap((member) =>
    Object.keys(object[member] ?? {})
      .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key) || key.length > 253 || key === '.' || key.startsWith('..'))
      .map((key) =>
        invalidValue(
          `${member}[${key}]`,
          key,
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ),
      ),
  );

/** Secrets and ConfigMaps with `immutable: true` never change again. */
const frozen = (object: Unstructured, old: Unstructured | undefined, ...members: string[]): Cause[] => {
  if (!old?.['immutable']) return [];
  const causes = members
    .filter((member) => !equal(object[member], old[member]))
    .map((member) => forbiddenField(member, 'field is immutable when `immutable` is set'));
  if (!object['immutable']) causes.unshift(forbiddenField('immutable', 'field is immutable when `immutable` is set'));
  return causes;
};

/** Keys that a Secret of a type must hold. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** Secrets: the default type, `stringData`, immutability. */
export const secret: Behaviour = {
  ...table(
    column('Type', ({ type }) => type),
    column('Data', ({ data }) => size(data), 'string'),
  ),
  selectableFields: ['type'],
  prepare: (object) => {
    object['type'] ||= 'Opaque';
    for (const [key, value] of Object.entries(object['stringData'] ?? {})) {
      object['data'] = { ...object['data'], [key]: Buffer.from(String(value)).toString('base64') };
    }
    delete object['stringData'];
    if (object['data'] && size(object['data']) === 0) delete object['data'];
  },
  validate: (object, old) => {
    const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
    const data: [string, unknown][] = Object.entries(object['data'] ?? {});
    return [
      ...configKeys(object, 'data'),
      // The value itself is not repeated: it is secret.
      ...data
        .filter(([, value]) => typeof value === 'string' && !base64.test(value))
        .map(([key]) => invalidValue(`data[${key}]`, '<omitted>', 'illegal base64 data')),
      ...(requiredKeys[object['type']] ?? [])
        .filter((key) => object['data']?.[key] === undefined)
        .map((key) => required(`data[${key}]`)),
      ...immutable(object, old, 'type'),
      ...frozen(object, old, 'data'),
    ];
  },
};

/** ConfigMaps: keys and immutability. */
export const configMap: Behaviour = {
  ...table(column('Data', ({ data, binaryData }) => size(data) + size(binaryData))),
  validate: (object, old) => [
    ...configKeys(object, 'data', 'binaryData'),
    ...frozen(object, old, 'data', 'binaryData'),
  ],
};
