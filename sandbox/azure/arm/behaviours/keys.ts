import type { ArmKind, KeyRenewal, ResourceAction, ValueSource } from '../../../../runtime/api/types.ts';
import { refuse } from '../../exchange.ts';
import type { Json } from '../../json.ts';
import type { ActionContext, Behaviour, LongAction } from '../behaviour.ts';
import { putAt } from '../resources/put-at.ts';

/** Types whose provider takes its time to renew a key: 202, and the key changes at the end of the operation. */
const slowly = new Set(['microsoft.documentdb/databaseaccounts']);

const locked = {
  status: 412,
  code: 'PreconditionFailed',
  message:
    'There is already an operation in progress which requires exclusive lock on this service. Please retry the operation after sometime.',
};

type Secrets = Readonly<Record<string, ValueSource>>;

/** A generated secret value, the same until it is renewed. A connection string has the key of its own side in it. */
function secretValue(context: ActionContext, name: string, secrets: Secrets): string {
  const { resource } = context;
  const key = name.replace(/ConnectionString$/, 'Key');
  if (key !== name && key in secrets) {
    const host = `${resource.id.split('/')[8]}.servicebus.windows.net`;
    const entity = /\/eventhubs\/([^/]+)\//i.exec(resource.id)?.[1];
    const within = entity === undefined ? '' : `;EntityPath=${entity}`;
    return `Endpoint=sb://${host}/;SharedAccessKeyName=${resource.name};SharedAccessKey=${secretValue(context, key, secrets)}${within}`;
  }
  resource.system['secretValues'] ??= {};
  const kept = resource.system['secretValues'] as Record<string, string>;
  kept[name] ??= newValue(name, context, secrets[name]);
  return kept[name];
}

function newValue(name: string, { resource, ids }: ActionContext, source: ValueSource | undefined): string {
  if (name === 'adminUsername') return resource.name;
  const random = ids.bytes(32).toString('base64');
  const kubeconfig = kubeconfigOf(resource.name, random);
  if (source?.decode === 'base64') return Buffer.from(kubeconfig).toString('base64');
  return source?.path === 'kubeconfig' ? kubeconfig : random;
}

function kubeconfigOf(cluster: string, token: string): string {
  const data = Buffer.from(token).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: ${cluster}
  cluster: {certificate-authority-data: ${data}, server: 'https://${cluster}.hcp.westeurope.azmk8s.io:443'}
contexts:
- name: ${cluster}
  context: {cluster: ${cluster}, user: clusterUser_${cluster}}
current-context: ${cluster}
users:
- name: clusterUser_${cluster}
  user: {client-certificate-data: ${data}, client-key-data: ${data}, token: ${token}}
`;
}

/** The answer of a list action: every secret that is read out of it, or only those of `only`. */
function listed(context: ActionContext, secrets: Secrets, only?: readonly string[]): Json {
  const body: Json = {};
  for (const [name, source] of Object.entries(secrets)) {
    if (source.from !== 'action' || (only !== undefined && !only.includes(name))) continue;
    putAt(body, source.path ?? name, secretValue(context, name, secrets));
  }
  return body;
}

/** The query keys of a search service: the one without a name, and those that clients made. */
function queryKeys(context: ActionContext, secrets: Secrets): Json[] {
  const made = (context.resource.system['queryKeys'] as Json[] | undefined) ?? [];
  return [{ name: null, key: secretValue(context, 'queryKey', secrets) }, ...made];
}

/** POST actions whose answers no kind of the catalogue reads, by ARM type in lower case. */
const furtherActions: Readonly<Record<string, (secrets: Secrets) => Behaviour['actions']>> = {
  'microsoft.search/searchservices': (secrets) => ({
    listquerykeys: (context) => ({ status: 200, body: { value: queryKeys(context, secrets) } }),
    'createquerykey/*': (context) => {
      const made = { name: context.path.argument, key: context.ids.bytes(16).toString('hex') };
      context.resource.system['queryKeys'] = [...queryKeys(context, secrets).slice(1), made];
      context.changed();
      return { status: 200, body: made };
    },
    'regenerateadminkey/*': (context) => {
      const word = (context.path.argument ?? '').toLowerCase();
      if (word !== 'primary' && word !== 'secondary')
        throw refuse(400, 'BadRequest', `The key '${word}' does not exist: it is primary or secondary.`);
      const secret = word === 'primary' ? 'adminPrimaryKey' : 'adminSecondaryKey';
      secretValue(context, secret, secrets);
      delete (context.resource.system['secretValues'] as Json)[secret];
      context.changed();
      return { status: 200, body: listed(context, secrets, ['adminPrimaryKey', 'adminSecondaryKey']) };
    },
  }),
  'microsoft.documentdb/databaseaccounts': (secrets) => ({
    readonlykeys: (context) => ({
      status: 200,
      body: listed(context, secrets, ['primaryReadonlyMasterKey', 'secondaryReadonlyMasterKey']),
    }),
    listconnectionstrings: (context) => ({
      status: 200,
      body: {
        connectionStrings: ['Primary', 'Secondary'].map((rank) => ({
          description: `${rank} SQL Connection String`,
          connectionString:
            `AccountEndpoint=https://${context.resource.name}.documents.azure.com:443/;` +
            `AccountKey=${secretValue(context, `${rank.toLowerCase()}MasterKey`, secrets)};`,
        })),
      },
    }),
  }),
};

/** The keys of an authorization rule: its namespace or hub exports them also where the rule's own kind does not. */
const ruleKeys: Secrets = Object.fromEntries(
  ['primaryKey', 'secondaryKey', 'primaryConnectionString', 'secondaryConnectionString'].map((name) => [
    name,
    { from: 'action', path: name },
  ]),
);

/** The last segment: the rule that a namespace's path names answers for itself. */
const nameOf = ({ path }: ResourceAction) => (path.split('/').at(-1) ?? '').toLowerCase();
const isOwn = ({ method, path }: ResourceAction) => method === 'POST' && !/[/{]/.test(path);

/** POST actions that answer with secrets, made from the catalogue's paths into their answers, or that renew one. */
export function keyActions({
  armType,
  secretSource,
  keyRotation,
}: ArmKind): Pick<Behaviour, 'actions' | 'longActions' | 'busy'> {
  if (!secretSource) {
    if (!/\/authorizationRules$/i.test(armType)) return {};
    return { actions: { listkeys: (context) => ({ status: 200, body: listed(context, ruleKeys) }) } };
  }
  const { secrets } = secretSource;
  const actions: Record<string, (context: ActionContext) => { status: number; body: Json }> = {};
  if (secretSource.action?.lro) {
    const long: LongAction = { check: () => undefined, end: (context) => listed(context, secrets) };
    return { longActions: { [nameOf(secretSource.action)]: long } };
  }
  if (secretSource.action && isOwn(secretSource.action)) {
    actions[nameOf(secretSource.action)] = (context) => ({ status: 200, body: listed(context, secrets) });
  }
  const several = Object.entries(secretSource.actions ?? {}).filter(([, action]) => isOwn(action));
  for (const [name, same] of Map.groupBy(several, ([, action]) => nameOf(action))) {
    const only = same.map(([secret]) => secret);
    actions[name] = (context) => ({ status: 200, body: listed(context, secrets, only) });
  }
  Object.assign(actions, furtherActions[armType.toLowerCase()]?.(secrets));
  if (!keyRotation || !isOwn(keyRotation.action)) return { actions };
  const renewals = [...keyRotation.primary, ...keyRotation.secondary];
  const renew = (context: ActionContext) => {
    const { secret } = renewalOf(renewals, context.request);
    secretValue(context, secret, secrets);
    delete (context.resource.system['secretValues'] as Json)[secret];
    return listed(context, secrets);
  };
  const name = nameOf(keyRotation.action);
  if (slowly.has(armType.toLowerCase())) {
    const long: LongAction = {
      check: ({ request }) => void renewalOf(renewals, request),
      end: (context) => void renew(context),
    };
    return { actions, longActions: { [name]: long }, busy: locked };
  }
  actions[name] = (context) => {
    const body = renew(context);
    context.changed();
    return { status: 200, body };
  };
  return { actions };
}

/** Members that older api-versions have in place of the present one. */
const formerNames = ['policykey', 'regenerateKey'];

/** Words for keys have no case. */
function renewalOf(renewals: readonly KeyRenewal[], request: Json): KeyRenewal {
  const former = formerNames.map((name) => request[name]).find((word) => word !== undefined);
  const found = renewals.find(({ body }) =>
    Object.entries(body).every(([name, word]) => String(request[name] ?? former).toLowerCase() === word.toLowerCase()),
  );
  if (found) return found;
  const name = Object.keys(renewals[0]?.body ?? {})[0] ?? '';
  throw refuse(400, 'BadRequest', `The value of ${name} does not name a key that can be regenerated.`);
}
