/** docs/reference/sandbox-types.md: what the embedded Azure covers by type, made from the data that it runs on. */
import { isObject } from '../../runtime/base/json.ts';
import { refusesAddresses } from '../../sandbox/azure/arm/answers/private-addresses.ts';
import { recordedActions, recordedAnswers, recordedTypes } from '../../sandbox/azure/arm/answers/recorded-answers.ts';
import type { Behaviour, RemoveStyle, WriteStyle } from '../../sandbox/azure/arm/behaviour.ts';
import { Behaviours } from '../../sandbox/azure/arm/behaviours/index.ts';
import { refusesAbsent } from '../../sandbox/azure/arm/refusals/absent.ts';
import { refusesRanges } from '../../sandbox/azure/arm/refusals/address-ranges.ts';
import { refusesChanges } from '../../sandbox/azure/arm/refusals/immutable.ts';
import { refusesInUse } from '../../sandbox/azure/arm/refusals/in-use.ts';
import { refusesOverlaps } from '../../sandbox/azure/arm/refusals/peerings.ts';
import { takenNameOf } from '../../sandbox/azure/arm/refusals/taken-names.ts';
import { refusesValues } from '../../sandbox/azure/arm/refusals/values.ts';

/** Where the page is. */
export const sandboxTypesPage = 'docs/reference/sandbox-types.md';

const letters = { none: '', body: ' B', location: ' L', status: ' A', both: ' AL' } as const;
const styleOf = ({ status, poll = 'none' }: WriteStyle | RemoveStyle) => `${status}${letters[poll]}`;

/** What a type refuses beyond Resource Manager's own rules: the part of its behaviour, and the word of the page. */
const refusals: readonly (readonly [keyof Behaviour, string])[] = [
  ['name', 'names'],
  ['globallyTaken', 'names in use'],
  ['validate', 'content'],
  ['failure', 'operations that fail'],
  ['busyWithChildren', 'writes meanwhile'],
  ['unreadable', 'GET'],
];

/** Members that Azure adds: the leaves of their template. */
function leavesOf(value: unknown): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : undefined;
  return inner === undefined ? 1 : inner.reduce((sum: number, each) => sum + leavesOf(each), 0);
}

function versionsOf({ apiVersions }: Behaviour): string {
  if (!apiVersions?.length) return '';
  const [first, last] = [apiVersions[0], apiVersions.at(-1)];
  return first === last ? `${first}` : `${first} to ${last}`;
}

function row(behaviours: Behaviours, type: string, shown: string): string {
  const behaviour = behaviours.of(type);
  const newest = behaviour.apiVersions?.at(-1) ?? recordedAnswers(type, '').at(0)?.versions.at(-1) ?? '';
  const refused = [
    ...refusals.flatMap(([member, word]) => (behaviour[member] === undefined ? [] : [word])),
    ...(behaviour.globallyTaken === undefined && takenNameOf(type) ? ['names in use'] : []),
    ...(refusesAbsent(type) ? ['absent references'] : []),
    ...(refusesRanges(type) || refusesAddresses(type) ? ['addresses'] : []),
    ...(refusesOverlaps(type) ? ['overlapping networks'] : []),
    ...(refusesValues(type) ? ['unknown values of some members'] : []),
    ...(refusesChanges(type) ? ['other values of some members'] : []),
    ...(refusesInUse(type) ? ['DELETE while in use'] : []),
    ...(behaviour.patchable === false ? ['PATCH'] : []),
  ];
  const { actions = {}, longActions = {} } = behaviour;
  const names = [...Object.keys(actions), ...Object.keys(longActions), ...recordedActions(type)];
  const defaults = Math.max(0, ...recordedAnswers(type, '').map(({ members }) => leavesOf(members)));
  const remove = behaviours.removeStyle(type, newest);
  const cells = [
    `\`${shown}\``,
    styleOf(behaviours.writeStyle(type, 'create', newest)),
    styleOf(behaviours.writeStyle(type, 'update', newest)),
    remove.status === 405 ? 'refused' : styleOf(remove),
    versionsOf(behaviour),
    defaults === 0 ? '' : String(defaults),
    [...new Set(names)].sort().join(' '),
    refused.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The text of the page. */
export function sandboxTypes(): string {
  const behaviours = new Behaviours();
  const namespaces = behaviours.namespaces();
  const named = namespaces.flatMap((name) => behaviours.ofNamespace(name).map(({ type }) => type));
  const spelled = new Set(named.map((type) => type.toLowerCase()));
  const types = [...named, ...recordedTypes().filter((type) => !spelled.has(type))];
  const sections = namespaces.flatMap((namespace) => {
    const prefix = `${namespace.toLowerCase()}/`;
    const below = types.filter((type) => type.toLowerCase().startsWith(prefix));
    const rows = below.map((type) => row(behaviours, type, type.slice(prefix.length)));
    return [`## ${namespace}`, '', ...head, ...rows.sort(), ''];
  });
  return `${[...intro(types.length, namespaces.length), ...sections].join('\n').trimEnd()}\n`;
}

const head = [
  '| type | create | update | DELETE | api-versions | defaults | POST actions | refuses |',
  '|---|---|---|---|---|---|---|---|',
];

const intro = (types: number, namespaces: number) => [
  '# What the embedded Azure covers',
  '',
  '`npm run generate` writes this page from the data of the embedded Azure, and overwrites other changes. Every type not',
  'in it works too, as [anything else](sandbox.md#behaviour-of-resource-types). Each type has PUT, PATCH, GET, HEAD,',
  'DELETE and lists, unless its row says otherwise.',
  '',
  '| column | meaning |',
  '|---|---|',
  '| create, update, DELETE | status of the answer; A: the operation is at Azure-AsyncOperation, L: at Location, B: the body alone shows it; without a letter the work is done |',
  '| api-versions | the oldest and the newest that it names; later ones work too; without any, all work |',
  '| defaults | members that Azure adds to a write, as far as they were seen |',
  '| POST actions | in lower case; `*` stands for a name in the path |',
  "| refuses | with Azure's code, beside what Resource Manager refuses for every type |",
  '',
  `${types} types in ${namespaces} namespaces:`,
  '',
];
