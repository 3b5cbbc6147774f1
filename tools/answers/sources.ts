import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSessions } from '../../sandbox/sessions/session.ts';
import { readCassette } from '../../test/aso/cassettes.ts';
import type { Exchange } from './samples.ts';

/** A session or recording by its name. */
export interface Source {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

const versionOf = (query: string) => new URLSearchParams(query).get('api-version') ?? '';

/** The recorded sessions of clients of older api-versions. */
export function sessionSources(folder: string): Source[] {
  return (readSessions(folder, []) ?? []).map(({ name, requests }) => ({
    name,
    exchanges: requests.map(({ method, path, query, body, status, headers, answer }) => ({
      method,
      path,
      apiVersion: versionOf(query),
      body,
      status,
      headers: headers ?? {},
      answer,
    })),
  }));
}

/** The recorded tests of Azure Service Operator's module, of newer api-versions. */
export function cassetteSources(module: string): Source[] {
  const files = globSync(join(module, 'internal/{controllers,testsamples}/recordings/**/*.yaml')).sort();
  return files
    .filter((file) => readFileSync(file, 'utf8').length > 0)
    .map((file) => ({
      name: basename(file, '.yaml'),
      exchanges: readCassette(file).interactions.map((one) => {
        const url = new URL(one.url, 'https://management.azure.com');
        const headers = Object.entries(one.responseHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
        return {
          method: one.method,
          path: decodeURIComponent(url.pathname),
          apiVersion: versionOf(url.search),
          body: one.requestBody,
          status: one.status,
          headers: Object.fromEntries(headers) as Record<string, string>,
          answer: one.responseBody,
        };
      }),
    }));
}
