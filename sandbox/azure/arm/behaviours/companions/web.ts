import type { Json } from '../../../json.ts';
import { memberKey, recordedAnswers } from '../../answers/recorded-answers.ts';
import type { Behaviour, BehaviourRow } from '../../behaviour.ts';
import { synchronous } from '../../behaviour.ts';

/** Configurations that hold values of the user, and show them only by the action `list`. */
const secret = [
  'appsettings',
  'connectionstrings',
  'authsettings',
  'azurestorageaccounts',
  'metadata',
  'publishingcredentials',
];

/** A configuration of an app is there as soon as the app is. */
const implicit: NonNullable<Behaviour['implicit']> = ({ name, type }) => {
  const word = name.toLowerCase();
  if (word === 'web') return { properties: webDefaults(type) };
  if (word === 'slotconfignames') return { properties: { connectionStringNames: [], appSettingNames: [] } };
  if (word === 'logs') return { properties: logDefaults };
  return secret.includes(word) ? { properties: {} } : undefined;
};

const off = { level: 'Off' };
const logDefaults = {
  applicationLogs: { fileSystem: off, azureTableStorage: off, azureBlobStorage: off },
  httpLogs: { fileSystem: { retentionInMb: 35, enabled: false }, azureBlobStorage: { enabled: false } },
  failedRequestsTracing: { enabled: false },
  detailedErrorMessages: { enabled: false },
};

/** The configuration `web` of a new app as Azure shows it, without the templates of its names. */
function webDefaults(type: string): Json {
  const [answers] = recordedAnswers(memberKey(type.replace(/\/slots\/config$/i, '/config'), 'web'), '');
  const rules = (answers?.members['properties'] ?? answers?.members['properties?'] ?? {}) as Json;
  return Object.fromEntries(
    Object.entries(rules).filter(([name, rule]) => !name.endsWith('?') && !JSON.stringify(rule).includes('{')),
  );
}

/** Microsoft.Web: the configurations of apps and of their slots. */
export const webBehaviours: readonly BehaviourRow[] = [
  'Microsoft.Web/sites/config',
  'Microsoft.Web/sites/slots/config',
].map((type) => ({
  ...synchronous,
  type,
  succeeded: '',
  create: { status: 200 },
  implicit,
  actions: {
    list: ({ resource }) => ({ status: 200, body: { id: resource.id, name: resource.name, type, ...resource.body } }),
  },
}));
