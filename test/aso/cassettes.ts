import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Interaction, Recording } from '../replay/recording.ts';

/** A cassette of go-vcr, in versions 1 and 2 of its format: the members that count for a recording. */
interface Cassette {
  readonly interactions: readonly {
    readonly request: { readonly method: string; readonly url: string; readonly body?: string };
    readonly response: {
      readonly code: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, readonly string[]>>;
    };
  }[];
}

/** The headers on which the operator's next request depends. */
const headersThatCount = new Set(['retry-after', 'location', 'azure-asyncoperation']);

/** The paths of the recorded tests of Azure Service Operator's module. */
export function cassettesOf(module: string): string[] {
  const directory = join(module, 'internal', 'controllers', 'recordings');
  const files = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  return files.sort().map((name) => join(directory, name));
}

/** The name of a recorded test, as Go names it. */
export function nameOf(file: string): string {
  return basename(file, '.yaml');
}

/** The requests of a cassette to Resource Manager. A body that is no JSON is text. */
export function readCassette(file: string): Recording {
  const { interactions } = parse(readFileSync(file, 'utf8')) as Cassette;
  const all = interactions.flatMap(({ request, response }): Interaction[] => {
    const url = new URL(request.url);
    if (url.hostname !== 'management.azure.com') return [];
    const headers = Object.entries(response.headers ?? {})
      .filter(([name]) => headersThatCount.has(name.toLowerCase()))
      .map(([name, [value = '']]) => [name, value]);
    return [
      {
        method: request.method,
        // The text as sent: `new URL` writes some characters differently.
        url: request.url.slice(request.url.indexOf(url.hostname) + url.hostname.length),
        ...(request.body && { requestBody: bodyOf(request.body) }),
        status: response.code,
        responseHeaders: Object.fromEntries(headers),
        responseBody: bodyOf(response.body),
      },
    ];
  });
  return { name: nameOf(file), interactions: all };
}

function bodyOf(text: string | undefined): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
