import { canonicalJson, isObject, type JsonObject } from '../../runtime/base/json.ts';
import { memberKey } from '../../sandbox/azure/arm/answers/recorded-answers.ts';
import { tryParsePath } from '../../sandbox/azure/arm/resources/resource-path.ts';
import { mergePatch } from '../../sandbox/json.ts';

/** A request and Azure's answer, from a session or a recording. */
export interface Exchange {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly apiVersion: string;
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** Azure's answer for a resource with what its clients had asked for. */
export interface Sample {
  readonly source: string;
  /** In lower case. */
  readonly type: string;
  readonly apiVersion: string;
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

/** A write that Azure accepted. */
export interface Write {
  readonly source: string;
  readonly type: string;
  readonly apiVersion: string;
  /** repeat: a PUT with the body of the one before. */
  readonly kind: 'create' | 'update' | 'repeat' | 'patch' | 'remove';
  readonly exchange: Exchange;
}

/** A POST action that Azure accepted, with the body at the end of its operation. */
export interface Action {
  readonly source: string;
  readonly type: string;
  /** In lower case. */
  readonly name: string;
  readonly id: string;
  readonly exchange: Exchange;
  readonly result: unknown;
}

/** The POST actions on resources of one recording. */
export function actionsOf(source: string, exchanges: readonly Exchange[]): Action[] {
  return exchanges.flatMap((exchange) => {
    const parsed = tryParsePath(exchange.path.split('/').filter(Boolean));
    if (exchange.method !== 'POST' || exchange.status >= 300 || !parsed?.tail || parsed.names.length === 0) return [];
    const polled = exchange.headers['location']?.split('?')[0]?.toLowerCase();
    const end = exchanges.findLast(({ path, status }) => status === 200 && path.toLowerCase() === polled);
    const about = { source, type: parsed.type.toLowerCase(), name: parsed.tail.toLowerCase(), id: parsed.id };
    return [{ ...about, exchange, result: end?.answer }];
  });
}

/** The samples and writes of one recording, in its order. */
export function read(source: string, exchanges: readonly Exchange[]): { samples: Sample[]; writes: Write[] } {
  const requests = new Map<string, JsonObject>();
  const samples: Sample[] = [];
  const writes: Write[] = [];
  for (const exchange of exchanges) {
    const { method, path, apiVersion, status, body, answer } = exchange;
    const parsed = tryParsePath(path.split('/').filter(Boolean));
    if (!parsed || status >= 300) continue;
    const about = { source, apiVersion, type: parsed.type.toLowerCase() };
    const id = parsed.id.toLowerCase();
    if (method === 'GET' && parsed.tail !== undefined && isObject(answer) && Array.isArray(answer['value'])) {
      for (const item of answer['value'].filter(isObject)) {
        const request = requests.get(String(item['id']).toLowerCase());
        const type = `${parsed.type.split('/').length > 1 ? parsed.type : parsed.namespace}/${parsed.tail}`;
        if (request) samples.push({ ...about, type: type.toLowerCase(), request, answer: item as JsonObject });
      }
    }
    if (parsed.tail !== undefined) continue;
    const before = requests.get(id);
    if (method === 'PUT' && isObject(body)) {
      requests.set(id, body as JsonObject);
      writes.push({ ...about, kind: kindOfPut(before, body as JsonObject), exchange });
    } else if (method === 'PATCH' && before) {
      requests.set(id, mergePatch(before, body as JsonObject) as JsonObject);
      writes.push({ ...about, kind: 'patch', exchange });
    } else if (method === 'DELETE') {
      if (before || status !== 204) writes.push({ ...about, kind: 'remove', exchange });
      for (const known of [...requests.keys()]) if (known === id || known.startsWith(`${id}/`)) requests.delete(known);
    }
    const request = requests.get(id);
    if (method !== 'DELETE' && request && isObject(answer) && typeof answer['id'] === 'string') {
      samples.push({ ...about, type: memberKey(about.type, parsed.name), request, answer: answer as JsonObject });
    }
  }
  return { samples, writes };
}

function kindOfPut(before: JsonObject | undefined, body: JsonObject): Write['kind'] {
  if (!before) return 'create';
  return canonicalJson(before) === canonicalJson(body) ? 'repeat' : 'update';
}
