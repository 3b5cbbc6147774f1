import { armKinds } from '../../runtime/api/kinds.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import { isObject } from '../../runtime/base/json.ts';
import { recordedAnswers, recordedTypes } from '../azure/arm/answers/recorded-answers.ts';

/** Names of members that Resource Manager itself has, in lower case. */
const platform = [
  ...['id', 'name', 'type', 'location', 'kind', 'sku', 'tier', 'size', 'family', 'plan', 'zones', 'identity', 'etag'],
  ...['principalid', 'tenantid', 'clientid', 'properties', 'provisioningstate', 'status', 'code', 'error', 'value'],
  ...[
    'nextlink',
    'managedby',
    'subscriptionid',
    'state',
    'level',
    'scope',
    'roledefinitionid',
    'principaltype',
    'mode',
  ],
  ...['namespace', 'resourcetype', 'resourcetypes', 'locations', 'apiversions', 'registrationstate', 'keyname'],
];

/** Names of members by what may be in them, in lower case. */
export interface MemberNames {
  /** Members of Azure's types: of the catalogue and of its recorded answers. */
  readonly known: ReadonlySet<string>;
  /** Members that are a secret in any type of the catalogue. */
  readonly secret: ReadonlySet<string>;
}

let names: MemberNames | undefined;

/** The names of members, read from the catalogue at the first use. */
export function memberNames(): MemberNames {
  names ??= readNames();
  return names;
}

function readNames(): MemberNames {
  const [known, secret] = [new Set(platform), new Set<string>()];
  const addField = (field: FieldTree, name: string): void => {
    const isSecret = field.type === 'secret' || field.type === 'secretMap';
    (isSecret ? secret : known).add((field.arm ?? name).split('.').at(-1)?.toLowerCase() ?? '');
    for (const [each, child] of Object.entries(field.properties ?? {})) addField(child, each);
    if (field.items) addField(field.items, name);
    if (field.values) addField(field.values, name);
  };
  const addTemplate = (template: unknown): void => {
    if (Array.isArray(template)) template.forEach(addTemplate);
    if (!isObject(template)) return;
    for (const [name, value] of Object.entries(template)) {
      known.add(name.replace(/\?$/, '').toLowerCase());
      addTemplate(value);
    }
  };
  for (const { arm } of armKinds) {
    for (const [name, field] of Object.entries(arm.fields.properties ?? {})) addField(field, name);
  }
  for (const type of recordedTypes()) for (const { members } of recordedAnswers(type, '')) addTemplate(members);
  return { known, secret };
}
