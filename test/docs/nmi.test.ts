import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { documentedPaths } from '../../runtime/nmi/http/allowed-paths.ts';
import { readTarget } from '../../runtime/nmi/http/request-target.ts';
import { httpErrors } from '../../runtime/nmi/protocol/http-error.ts';
import { nmiReferenceTables } from '../../tools/reference/nmi-reference.ts';

const page = readFileSync('docs/reference/nmi.md', 'utf8');
const rowsUnder = (heading: string) =>
  (page.split(`${heading}\n`)[1]?.split('\n#')[0] ?? '')
    .split('\n')
    .filter((line) => /^\| (?!-|path|status|method)/.test(line));

test('its table of routes has each route of the code, in the order of the code', () => {
  const token = '/metadata/identity/oauth2/token';
  const blocked = '403 `Request blocked by AAD Pod Identity NMI`';
  const examples = [
    ['a token for the calling pod', 'token', [token, `${token}/`, `${token}s`, token.replace('metadata', 'MetaData')]],
    ['400 `Invalid request`', 'invalid', [token.toUpperCase(), token.replace('/id', '\\id'), `/x;a${token}`]],
    ['a caller on the node names', 'host', ['/host/token', '/host/token/', '/host/tokens']],
    ['the tenant of the identity', 'info', ['/metadata/identity/info', '/Metadata/Identity/info']],
    ['404', 'unknown', ['/metadata/identity', '/metadata/identity/issuecredential', '/metadata/identity/oauth2']],
    [blocked, 'forbidden', ['/metadata/instance', '/METADATA/Instance/compute', '/metadata/instance?x=y']],
    ["forwarded to the machine's metadata endpoint", 'passthrough', ['/metadata/loadbalancer', '/', '/host']],
  ] as const;
  const rows = rowsUnder('## Routes');
  expect(rows).toHaveLength(examples.length);
  for (const [index, [answer, route, paths]] of examples.entries()) {
    expect(rows[index]).toContain(answer);
    expect(paths.map((path) => readTarget(path, true).route)).toEqual(paths.map(() => route));
  }
  expect(readTarget('/metadata/./instance', true).route).toBe('redirect');
  expect(httpErrors.blocked()).toMatchObject({ status: 403, text: 'Request blocked by AAD Pod Identity NMI' });
  expect(httpErrors.invalidPath()).toMatchObject({ status: 400, text: 'Invalid request' });
});

test('its list of requests that are passed on is the list of the code', () => {
  const listed = rowsUnder('### Forwarded requests').map((row) => {
    const [, method, path, below] = /^\| (\w+) \| `(\S+)`( and below)? \|$/.exec(row) ?? [];
    return `${method} ${path}${below ? '/*' : ''}`;
  });
  expect(listed).toEqual(documentedPaths);
});

test('its tables of statuses have each status of the code', () => {
  const any = httpErrors as unknown as Record<string, (...args: string[]) => { status: number }>;
  const other = new Set([
    'hostHeaders',
    'hostRemote',
    'hostMac',
    'hostOnly',
    'hostTcpOff',
    'podNotHere',
    'unknownIdentityPath',
  ]);
  const listed = new Set(rowsUnder('### Token request').map((row) => Number(/\d{3}/.exec(row)?.[0])));
  const answers = Object.entries(any).filter(([name]) => !other.has(name));
  expect(answers.map(([, make]) => make('x', 'y').status).filter((status) => !listed.has(status))).toEqual([]);
});

test.each(Object.entries(nmiReferenceTables()))('docs/reference/nmi.md has exactly the %s of the code', (_, table) => {
  expect(page).toContain(`\n\n${table}\n\n`);
});
