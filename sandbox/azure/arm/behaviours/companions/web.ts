import type { Reply } from '../../../exchange.ts';
import { at, type Json, stringOf } from '../../../json.ts';
import { memberKey, recordedAnswers } from '../../answers/recorded-answers.ts';
import type { ActionContext, Behaviour, BehaviourRow, WriteContext } from '../../behaviour.ts';
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

/** How an app takes files: XML, which no recording has, with the members of Azure's reference. */
function publishXml({ resource, ids }: ActionContext): Reply {
  const app = resource.id.split('/').filter((_, index) => index === 8 || index === 10);
  const name = app.join('-');
  resource.system['publishing'] ??= ids.hex(60);
  const profiles = [
    ['Web Deploy', 'MSDeploy', `${name}.scm.azurewebsites.net:443`],
    ['FTP', 'FTP', 'ftps://waws-prod-sandbox.ftp.azurewebsites.windows.net/site/wwwroot'],
    ['Zip Deploy', 'ZipDeploy', `${name}.scm.azurewebsites.net:443`],
  ].map(
    ([text, method, url]) =>
      `<publishProfile profileName="${name} - ${text}" publishMethod="${method}" publishUrl="${url}" userName="$${name}" userPWD="${resource.system['publishing']}" destinationAppUrl="http://${name}.azurewebsites.net" />`,
  );
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: `<publishData>${profiles.join('')}</publishData>` };
}

/** Tiers of plans by the family of their size. */
const tiers: Readonly<Record<string, string>> = {
  ...{ F: 'Free', D: 'Shared', B: 'Basic', S: 'Standard', P: 'Premium', Pv2: 'PremiumV2', Pv3: 'PremiumV3' },
  ...{ Pmv3: 'PremiumMV3', Y: 'Dynamic', EP: 'ElasticPremium', I: 'Isolated', Iv2: 'IsolatedV2' },
  ...{ WS: 'WorkflowStandard', FC: 'FlexConsumption' },
};

/** What Azure shows of the size of a plan, such as P1v2. */
function planSku({ request }: WriteContext): Json {
  const name = stringOf(at(request, 'sku.name'));
  const [, letters, generation = ''] = /^([A-Z]{1,2})\d+([a-z]*\d*)$/.exec(name) ?? [];
  if (letters === undefined) return {};
  const family = `${letters}${generation}`;
  const tier = tiers[family];
  return { sku: { size: name, family, ...(tier && { tier }) } };
}

/** The tier of the app's plan. */
function appSku({ request, state }: WriteContext): Json {
  const plan = state.resources.get(stringOf(at(request, 'properties.serverFarmId')));
  const tier = at(plan?.body, 'sku.tier');
  return tier === undefined ? {} : { properties: { sku: tier } };
}

/** Microsoft.Web: plans, apps and their slots, and the configurations of both. */
export const webBehaviours: readonly BehaviourRow[] = [
  { type: 'Microsoft.Web/serverfarms', computed: planSku },
  ...['Microsoft.Web/sites', 'Microsoft.Web/sites/slots'].flatMap(appBehaviours),
];

function appBehaviours(site: string): BehaviourRow[] {
  const type = `${site}/config`;
  return [
    { type: site, computed: appSku, actions: { publishxml: publishXml } },
    {
      ...synchronous,
      type,
      succeeded: '',
      create: { status: 200 },
      implicit,
      actions: {
        list: ({ resource }) => ({
          status: 200,
          body: { id: resource.id, name: resource.name, type, ...resource.body },
        }),
      },
    },
  ];
}
