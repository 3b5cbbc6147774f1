/**
 * A program: an API server whose objects were written by a tenant who wants to end the page. Arguments: files of its
 * certificate and key. A token is `<attack>.<user>`; `none` is the attack of everybody else.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { computeRun } from '../../../runtime/api/deployments/compute-run.ts';
import { resourceOf } from '../../../runtime/api/kinds.ts';
import type { ResourceType } from '../../../runtime/kube/client/types.ts';
import { viewKinds } from '../../../runtime/view/model/view-kinds.ts';

const [cert = '', key = ''] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8'));
/** Kinds with several objects each; enough of them to be read at the same time. */
const network = viewKinds.map(({ type }) => type).filter(({ group }) => group === 'network.azure.com');
const types = [resourceOf(computeRun), ...network.slice(0, 11)];
const byPath = new Map(types.map((type) => [`/apis/${type.group}/${type.version}/${type.plural}`, type]));

const reference = (index: number) => ({
  group: 'network.azure.com',
  kind: 'VirtualNetwork',
  // Each object has other ones: a cache keeps equal ones once.
  name: `${'n'.repeat(60)}-@-${index}`,
});
const references = Array.from({ length: 60 }, (_, index) => ({ reference: reference(index) }));
/** What an object has beside its metadata, by attack. */
const contents: Readonly<Record<string, object>> = {
  none: {},
  rows: { spec: { location: 'westeurope', properties: { references } } },
  lists: { spec: { properties: { text: 'x'.repeat(1_400_000) } } },
  events: { spec: {} },
};
/** Objects of each kind, by attack. */
const counts: Readonly<Record<string, number>> = { rows: 1500, lists: 4 };

const texts = Object.fromEntries(
  Object.entries(contents).map(([attack, rest]) => [attack, JSON.stringify(rest).slice(1, -1)]),
);

function objectText({ group, version, kind }: ResourceType, attack: string, index: number): string {
  const metadata = {
    name: `${kind}-${index}`.toLowerCase(),
    namespace: 'demo',
    uid: `${kind}-${index}`,
    resourceVersion: `${index + 1}`,
  };
  const head = JSON.stringify({ apiVersion: `${group}/${version}`, kind, metadata }).slice(0, -1);
  return `${head}${texts[attack] ? `,${texts[attack].replaceAll('@', `${index}`)}` : ''}}`;
}

function list(response: ServerResponse, type: ResourceType, attack: string, query: URLSearchParams): void {
  const first = Number(query.get('continue') ?? 0);
  // Of the attacks by rows, one kind is enough.
  const count = attack === 'rows' && type !== types[0] ? 5 : (counts[attack] ?? 5);
  const last = Math.min(count, first + Number(query.get('limit') || count));
  const head = `"apiVersion":"${type.group}/${type.version}","kind":"${type.kind}List"`;
  response.write(`{${head},"metadata":{"resourceVersion":"9"${last < count ? `,"continue":"${last}"` : ''}},"items":[`);
  const more = (index: number): void => {
    for (let next = index; next < last; next++) {
      if (!response.write(`${next > first ? ',' : ''}${objectText(type, attack, next)}`)) {
        response.once('drain', () => more(next + 1));
        return;
      }
    }
    response.end(']}');
  };
  more(first);
}

function watch(response: ServerResponse, type: ResourceType, attack: string): void {
  response.write(`{"type":"BOOKMARK","object":{"kind":"${type.kind}","metadata":{"resourceVersion":"9"}}}\n`);
  if (attack !== 'events') return;
  const text = `{"type":"MODIFIED","object":${objectText(type, 'none', 0).slice(0, -1)},"spec":{"text":"${'y'.repeat(2_900_000)}"}}}`;
  // Its end comes after a while, when all have begun.
  response.write(text);
  setTimeout(() => response.write('\n'), 5000);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'https://api');
  const [attack = '', user = ''] = (request.headers.authorization ?? '').replace('Bearer ', '').split('.');
  const json = (body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (!(attack in contents)) return void response.writeHead(401).end();
  const review = (group: string, kind: string, status: object) =>
    json({ apiVersion: `${group}/v1`, kind, metadata: {}, status });
  if (pathname.endsWith('/selfsubjectreviews'))
    return void review('authentication.k8s.io', 'SelfSubjectReview', { userInfo: { username: user } });
  if (pathname.endsWith('/selfsubjectaccessreviews'))
    return void review('authorization.k8s.io', 'SelfSubjectAccessReview', { allowed: true });
  if (pathname === '/apis') {
    const groups = [...Map.groupBy(types, (type) => type.group)].map(([name, members]) => ({
      name,
      versions: [...new Set(members.map((type) => type.version))].map((each) => ({ version: each })),
    }));
    return void json({ kind: 'APIGroupList', groups });
  }
  if (pathname.endsWith('/events')) {
    const [, , group, version] = pathname.split('/');
    const metadata = { resourceVersion: '9' };
    return void json({ apiVersion: `${group}/${version}`, kind: 'EventList', metadata, items: [] });
  }
  const [, group, version, ...rest] = pathname.slice(1).split('/');
  if (rest.length === 0)
    return void json({
      kind: 'APIResourceList',
      groupVersion: `${group}/${version}`,
      resources: types
        .filter((type) => type.group === group && type.version === version)
        .map(({ plural: name }) => ({ name })),
    });
  const type = byPath.get(`/apis/${group}/${version}/${rest.at(-1)}`);
  const single = byPath.get(`/apis/${group}/${version}/${rest.at(-2)}`);
  response.setHeader('content-type', 'application/json');
  if (type && query.has('watch')) watch(response, type, attack);
  else if (type) list(response, type, attack, query);
  else if (single) response.end(objectText(single, attack, 0));
  else response.writeHead(404).end('{}');
}

const server = createServer({ cert, key }, answer);
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
